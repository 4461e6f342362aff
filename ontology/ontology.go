package ontology

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Ontology is the types and relations that are known at one moment. It never
// changes and is safe for concurrent use.
type Ontology struct {
	types     map[string]Type     // by folded name
	relations map[string]Relation // by folded name
}

// New returns the ontology of the given types and relations. It holds nothing
// else, so built-in ones have to be among them. Of several spellings of one
// name, the one with the most trusted origin is canonical (built in, then
// registered, then automatic), and of these the first in byte order.
func New(types []Type, relations []Relation) *Ontology {
	o := &Ontology{types: make(map[string]Type), relations: make(map[string]Relation)}
	for _, t := range types {
		key := Fold(t.Name)
		known, ok := o.types[key]
		if !ok || before(t.Origin, t.Name, known.Origin, known.Name) {
			o.types[key] = t.clone()
		}
	}
	for _, r := range relations {
		key := Fold(r.Name)
		known, ok := o.relations[key]
		if !ok || before(r.Origin, r.Name, known.Origin, known.Name) {
			o.relations[key] = r
		}
	}
	return o
}

// before reports whether one spelling comes before another.
func before(origin Origin, name string, thanOrigin Origin, thanName string) bool {
	return cmp.Or(cmp.Compare(origin.rank(), thanOrigin.rank()), strings.Compare(name, thanName)) < 0
}

// Builtin returns the ontology of the built-in types and relations.
func Builtin() *Ontology { return New(BuiltinTypes(), BuiltinRelations()) }

// Type returns the type that a name stands for, in any case, with or without
// accents, or by an English alias such as "person". A name of the ontology
// beats an alias. It returns false if there is none, also for a name that
// [IsUnknown].
func (o *Ontology) Type(name string) (Type, bool) {
	folded := Fold(name)
	t, ok := o.types[folded]
	if !ok {
		t, ok = o.types[Fold(typeAlias(folded))]
	}
	return t.clone(), ok
}

// Relation returns the relation that a name stands for, in any case, with or
// without accents, or by an alias such as "works_at". A name of the ontology
// beats an alias. It returns false if there is none.
func (o *Ontology) Relation(name string) (Relation, bool) {
	folded := Fold(name)
	r, ok := o.relations[folded]
	if !ok {
		r, ok = o.relations[Fold(relationAlias(folded))]
	}
	return r, ok
}

// Types returns the types in the byte order of their names, as copies. [Unknown]
// isn't one.
func (o *Ontology) Types() []Type {
	types := make([]Type, 0, len(o.types))
	for _, t := range o.types {
		if t.Name != Unknown {
			types = append(types, t.clone())
		}
	}
	slices.SortFunc(types, func(a, b Type) int { return strings.Compare(a.Name, b.Name) })
	return types
}

// Relations returns the relations in the byte order of their names.
func (o *Ontology) Relations() []Relation {
	relations := slices.Collect(maps.Values(o.relations))
	slices.SortFunc(relations, func(a, b Relation) int { return strings.Compare(a.Name, b.Name) })
	return relations
}

// DeclaredTypes returns the names of the types that are built in or were
// registered by hand, in byte order.
func (o *Ontology) DeclaredTypes() []string {
	names := []string{}
	for _, t := range o.Types() {
		if t.Declared() {
			names = append(names, t.Name)
		}
	}
	return names
}
