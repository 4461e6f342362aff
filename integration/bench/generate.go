package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/acervo-graph/acervo/ontology"
)

// data is a graph of a given number of entities, twice as many facts and twice
// as many relations, whose targets follow a Zipf distribution. It is computed item
// by item, so that a million entities need no memory, and is the same in each run.
type data struct {
	prefix   string // of each name; tells UNIVERSAL entities of runs apart
	entities int
	each     int // facts and relations of each entity, 1 or 2; default 2
}

func (d data) perEntity() int { return cmp.Or(d.each, 2) }
func (d data) facts() int     { return d.perEntity() * d.entities }
func (d data) relations() int { return d.perEntity() * d.entities }

// entity is what a generated entity holds.
type entity struct {
	id, label, typ string
	attributes     map[string]any
}

var entityTypes = []string{
	"Persona", "Organizacion", "Proyecto", "Lugar", "Tecnologia", "Obra", "Personaje", "Editorial", "Documento", "Regla",
}

// relationTypes are built in, and none of them is single-valued.
var relationTypes = []string{
	"TRABAJA_EN", "PERTENECE_A", "USA_TECNOLOGIA", "GUSTA_DE", "PART_OF", "CREATED_BY", "RELACIONADO_CON", "TIENE_MODULO",
}

var (
	firstWords  = []string{"Aurora", "Bruno", "Catalina", "Dante", "Elena", "Fermin", "Gala", "Horacio", "Irene", "Joaquin", "Lautaro", "Mirta", "Nahuel", "Olga", "Pampa", "Quimey"}
	secondWords = []string{"Norte", "Quiroga", "Sur", "Valle", "Torres", "Lumen", "Paz", "Roca", "Limay", "Neuquen", "Austral", "Castro"}
	statements  = []string{
		"trabaja los martes por la tarde desde su casa en el valle número %d",
		"prefiere que le escriban antes de llamar, anotado el día %d",
		"cambió de idea sobre el presupuesto de la obra %d",
		"tiene pendiente la revisión %d de los planos del galpón",
	}
)

func (d data) random(kind uint64, i int) *rand.Rand { return rand.New(rand.NewPCG(kind, uint64(i))) }

func (d data) label(i int) string {
	label := fmt.Sprintf("%s %s %d", firstWords[i%len(firstWords)], secondWords[i/len(firstWords)%len(secondWords)], i)
	if d.prefix != "" {
		label = d.prefix + " " + label
	}
	return label
}

func (d data) entity(i int) entity {
	typ := entityTypes[i%len(entityTypes)]
	label := d.label(i)
	id, err := ontology.ID(label)
	if err != nil {
		panic(err) // the words above make ids
	}
	attributes := map[string]any{}
	switch typ {
	case "Persona":
		attributes["edad"], attributes["rol"] = int64(20+i%60), "mantenimiento"
	case "Organizacion":
		attributes["tipo"], attributes["industria"] = "cooperativa", "frutas"
	case "Proyecto":
		attributes["estado"], attributes["stack"] = "activo", []string{"Go", "Neo4j"}
	case "Lugar":
		attributes["region"], attributes["pais"] = "Patagonia", "Argentina"
	case "Tecnologia":
		attributes["version"] = fmt.Sprintf("%d.%d", i%9, i%7)
	case "Obra":
		attributes["autor"] = "anónimo"
	case "Documento":
		attributes["path"] = fmt.Sprintf("/archivo/%d.txt", i)
	case "Regla":
		attributes["severity"], attributes["aplica_a"] = "alta", "planos"
	}
	return entity{id: id, label: label, typ: typ, attributes: attributes}
}

// fact gives the entity of a fact and its text.
func (d data) fact(i int) (about int, text string) {
	return i / d.perEntity(), fmt.Sprintf(statements[d.random(1, i).IntN(len(statements))], i)
}

// relation gives the ends and the type of a relation. No two are the same: the
// two that come from one entity differ in their types.
func (d data) relation(i int) (from, to, typ int) {
	r := d.random(2, i)
	half := len(relationTypes) / 2
	from, typ = i/d.perEntity(), i%d.perEntity()*half+r.IntN(half)
	to = int(rand.NewZipf(r, 1.3, 50, uint64(d.entities-1)).Uint64())
	// Spread, so that hubs aren't those that were made first.
	to = int(uint64(to) * 7919 % uint64(d.entities))
	if to == from {
		to = (to + 1) % d.entities
	}
	return from, to, typ
}
