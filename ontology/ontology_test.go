package ontology_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/ontology"
)

func TestBuiltin(t *testing.T) {
	t.Parallel()
	o := ontology.Builtin()
	for name, want := range map[string]string{
		"Persona": "Persona", "organización": "Organizacion", "ORGANIZACION": "Organizacion", " Tecnología": "Tecnologia",
		"person": "Persona", "Organization": "Organizacion", "company": "Organizacion", "Place": "Lugar", "Work": "Obra",
		"Superhero": "", "Desconocido": "", "Unknown": "", "": "", "Event": "",
	} {
		if got, ok := o.Type(name); got.Name != want || ok != (want != "") {
			t.Errorf("Type(%q) = %q, %v, want %q", name, got.Name, ok, want)
		}
	}
	for name, want := range map[string]string{
		"works_at": "TRABAJA_EN", "trabaja_en": "TRABAJA_EN", "lives_in": "VIVE_EN", "owns": "DUEÑO_DE", "dueno_de": "DUEÑO_DE",
		"dueño_de": "DUEÑO_DE", "part_of": "PART_OF", "uses_technology": "USA_TECNOLOGIA", "likes": "GUSTA_DE",
		"related_to": "RELACIONADO_CON", "is_a": "IS_A",
		"is a": "", "ubicado_en": "", "located_in": "", "co_mentioned": "", "managed_by": "", "uses (v2)": "", "": "",
	} {
		if got, ok := o.Relation(name); got.Name != want || ok != (want != "") {
			t.Errorf("Relation(%q) = %q, %v, want %q", name, got.Name, ok, want)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	types := []ontology.Type{
		{Name: "vehicle", Origin: ontology.OriginAuto},
		{Name: "Vehicle", Attributes: []string{"plate"}, Origin: ontology.OriginRegistered},
		{Name: "VEHICLE", Origin: ontology.OriginAuto},
		{Name: "Person", Origin: ontology.OriginAuto},
		{Name: ontology.Unknown, Origin: ontology.OriginAuto},
	}
	relations := []ontology.Relation{{Name: "works_at", Origin: ontology.OriginAuto}, {Name: "é", Origin: ontology.OriginAuto}, {Name: "e", Origin: ontology.OriginAuto}}
	o := ontology.New(append(ontology.BuiltinTypes(), types...), append(ontology.BuiltinRelations(), relations...))
	if got, _ := o.Type("véhicle"); got.Name != "Vehicle" {
		t.Errorf("the canonical spelling is %q", got.Name)
	}
	if got, _ := o.Type("person"); got.Name != "Person" {
		t.Errorf("the alias beats the ontology: %q", got.Name)
	}
	if got, _ := o.Relation("WORKS_AT"); got.Name != "works_at" {
		t.Errorf("the alias beats the ontology: %q", got.Name)
	}
	if got, _ := o.Relation("É"); got.Name != "e" {
		t.Errorf("of two spellings %q was taken", got.Name)
	}
	declared := []string{
		"Documento", "Editorial", "Lugar", "Obra", "Organizacion", "Persona", "Personaje", "Proyecto", "Regla",
		"Tecnologia", "Universo", "Vehicle",
	}
	if diff := cmp.Diff(declared, o.DeclaredTypes()); diff != "" {
		t.Error(diff)
	}
	if got := len(o.Types()); got != len(declared)+1 {
		t.Errorf("%d types", got)
	}
}

// TestImmutable changes what an ontology was made of and what it returns.
func TestImmutable(t *testing.T) {
	t.Parallel()
	types := ontology.BuiltinTypes()
	o := ontology.New(types, ontology.BuiltinRelations())
	types[0].Attributes[0] = "changed"
	o.Types()[0].Attributes[0] = "changed"
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			person, _ := o.Type("person")
			person.Attributes[0] += "!"
		})
	}
	wg.Wait()
	if diff := cmp.Diff(ontology.Builtin().Types(), o.Types()); diff != "" {
		t.Error(diff)
	}
}

func TestIsUnknown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"": true, " ": true, "Desconocido": true, "UNKNOWN": true, "unknown ": true, "Entidad": true, "entity": true,
		"Persona": false, "Superhero": false, "?": false,
	} {
		if got := ontology.IsUnknown(name); got != want {
			t.Errorf("IsUnknown(%q) = %v", name, got)
		}
	}
}

func TestCheckTakes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"non-compliant", "由…组成", "uses (v2)", "für", "is a", "1st", "a`b", "ubicado_en", "Superhero", "Vehicle",
		"Persona`) DETACH DELETE n //", "City/State", "Café", "foo.bar", "X`) DETACH DELETE n //", "HAS FACT", "Acervo",
		`x\u0060]->(q) WITH 1 AS z MATCH (n) DETACH DELETE n //`, strings.Repeat("a", 512), "Desconocido", "Owner", "हिन्दी",
	} {
		for kind, check := range checks() {
			if err := check(name); err != nil {
				t.Errorf("%s %.20q: %v", kind, name, err)
			}
		}
	}
}

func checks() map[string]func(string) error {
	return map[string]func(string) error{
		"type": ontology.CheckType, "relation": ontology.CheckRelation, "attribute": ontology.CheckAttribute,
	}
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"": "is empty", " ": "is empty", "a\x00": "holds a NUL", "\xff": "is not valid UTF-8", " a": "starts or ends with a space",
		"a\u00a0b": "holds a character that can't be printed", "a\nb": "holds a character that can't be printed",
		"a\u202eb": "holds a character that can't be printed", strings.Repeat("a", 513): "is longer than 512 bytes",
	} {
		for kind, check := range checks() {
			var e *ontology.TermError
			err := check(name)
			if !errors.As(err, &e) || !errors.Is(err, ontology.ErrTerm) || errors.Is(err, ontology.ErrReserved) {
				t.Errorf("%s %.20q: %v", kind, name, err)
				continue
			}
			if e.Rule != rule || e.Kind != kind {
				t.Errorf("%s %.20q: %v", kind, name, err)
			}
		}
	}
}

func TestReserved(t *testing.T) {
	t.Parallel()
	names := map[string][]string{
		"type":      append(ontology.ReservedLabels(), "personal", "PÉRSONAL", "acervoentity"),
		"relation":  append(ontology.ReservedRelations(), "has_fact", "Supersedes"),
		"attribute": ontology.ReservedAttributes(),
	}
	for kind, check := range checks() {
		for _, name := range names[kind] {
			if err := check(name); !errors.Is(err, ontology.ErrReserved) || !errors.Is(err, ontology.ErrTerm) {
				t.Errorf("%s %q: %v", kind, name, err)
			}
		}
	}
	for _, name := range append(names["relation"][:0:0], "TRABAJA_EN", "HAS_FACTS") {
		if err := ontology.CheckRelation(name); err != nil {
			t.Error(err)
		}
	}
}
