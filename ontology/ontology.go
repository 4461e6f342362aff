package ontology

import (
	"slices"
	"strings"
)

// DefaultLimit is how many types, relations and attribute names may be
// registered automatically, each. Neo4j never frees the tokens of labels,
// relationship types and property keys.
const DefaultLimit = 1000

// Origin says how a type or relation came into the ontology.
type Origin string

const (
	// OriginBuiltin is what every ontology has.
	OriginBuiltin Origin = "builtin"
	// OriginRegistered is what was registered by hand.
	OriginRegistered Origin = "registered"
	// OriginAuto is what came with an entity or a relation.
	OriginAuto Origin = "auto"
)

// Type is a kind of entity.
type Type struct {
	// Name is the type's spelling, which is its nodes' label.
	Name string `json:"name"`
	// Attributes are the names of the attributes that its entities have.
	Attributes []string `json:"attributes"`
	// LayerDefault is the layer that such entities usually belong to,
	// "UNIVERSAL" or "PERSONAL"; empty where nobody said.
	LayerDefault string `json:"layer_default,omitempty"`
	// Origin says how the type came into the ontology.
	Origin Origin `json:"origin"`
}

// Declared reports whether somebody meant the type to be one: it is built in or
// registered by hand. Only such types tell homonyms apart.
func (t Type) Declared() bool { return t.Origin == OriginBuiltin || t.Origin == OriginRegistered }

// Relation is a kind of relation between entities.
type Relation struct {
	// Name is the relation's spelling, which is its relationships' type.
	Name string `json:"name"`
	// Origin says how the relation came into the ontology.
	Origin Origin `json:"origin"`
}

// Ontology is the types and relations as they were at one time. It never
// changes, so that several goroutines may use it at once.
type Ontology struct {
	types     map[string]Type // by folded name
	relations map[string]Relation
}

// New returns the ontology of these types and relations.
func New(types []Type, relations []Relation) *Ontology {
	o := &Ontology{types: make(map[string]Type, len(types)), relations: make(map[string]Relation, len(relations))}
	for _, t := range types {
		o.types[Fold(t.Name)] = t
	}
	for _, r := range relations {
		o.relations[Fold(r.Name)] = r
	}
	return o
}

// Builtin returns the ontology that a new database has.
func Builtin() *Ontology { return New(BuiltinTypes(), BuiltinRelations()) }

// Type finds a type by its name, without regard to case and accents, or by the
// English name of a built-in type.
func (o *Ontology) Type(name string) (Type, bool) { return find(o.types, name, typeAlias) }

// Relation finds a relation by its name, without regard to case and accents, or
// by the English name of a built-in relation.
func (o *Ontology) Relation(name string) (Relation, bool) {
	return find(o.relations, name, relationAlias)
}

func find[T any](terms map[string]T, name string, alias func(string) string) (T, bool) {
	folded := Fold(name)
	t, ok := terms[folded]
	if !ok {
		t, ok = terms[Fold(alias(folded))]
	}
	return t, ok
}

// Types returns the types by name. That of incomplete entities isn't one.
func (o *Ontology) Types() []Type {
	types := make([]Type, 0, len(o.types))
	for _, t := range o.types {
		if t.Name != Unknown {
			types = append(types, t)
		}
	}
	slices.SortFunc(types, func(a, b Type) int { return strings.Compare(a.Name, b.Name) })
	return types
}

// Relations returns the relations by name.
func (o *Ontology) Relations() []Relation {
	relations := make([]Relation, 0, len(o.relations))
	for _, r := range o.relations {
		relations = append(relations, r)
	}
	slices.SortFunc(relations, func(a, b Relation) int { return strings.Compare(a.Name, b.Name) })
	return relations
}

// DeclaredTypes returns the names of the types that tell homonyms apart.
func (o *Ontology) DeclaredTypes() []string {
	names := []string{}
	for _, t := range o.Types() {
		if t.Declared() {
			names = append(names, t.Name)
		}
	}
	return names
}
