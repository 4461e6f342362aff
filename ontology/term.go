package ontology

import "slices"

// Origin tells how the ontology came to know a name.
type Origin string

// The origins, from the most to the least trusted.
const (
	// OriginBuiltin is the origin of the names in [BuiltinTypes] and [BuiltinRelations].
	OriginBuiltin Origin = "builtin"
	// OriginRegistered is the origin of a name that somebody registered by hand.
	OriginRegistered Origin = "registered"
	// OriginAuto is the origin of a name that came with an upsert.
	OriginAuto Origin = "auto"
)

// DefaultLimit is how many types, and how many relations, may be registered
// automatically unless told otherwise. Neo4j never frees the tokens of labels,
// relationship types and property keys.
const DefaultLimit = 1000

// Type is what an entity can be.
type Type struct {
	// Name is the canonical spelling, which is the label of its nodes.
	Name string `json:"name"`
	// Attributes are the names of the properties that such an entity usually has.
	Attributes []string `json:"attributes"`
	// LayerDefault is "UNIVERSAL", "PERSONAL" or, for no advice, "". It advises
	// importers and agents and never overrides the layer of a call.
	LayerDefault string `json:"layer_default,omitempty"`
	// Origin tells how the ontology came to know the type.
	Origin Origin `json:"origin"`
}

// Declared reports whether the type is built in or was registered by hand. Such
// a type is trusted to tell homonyms apart.
func (t Type) Declared() bool {
	return t.Origin == OriginBuiltin || t.Origin == OriginRegistered
}

// clone returns a copy that shares nothing with the type.
func (t Type) clone() Type {
	t.Attributes = slices.Clone(t.Attributes)
	return t
}

// Relation is how one entity can stand to another.
type Relation struct {
	// Name is the canonical spelling, which is the type of its relationships.
	Name string `json:"name"`
	// Origin tells how the ontology came to know the relation.
	Origin Origin `json:"origin"`
	// SingleValued relations lead from one entity to one other at a time: a new
	// target ends the earlier one.
	SingleValued bool `json:"single_valued,omitempty"`
}

// rank orders origins, the most trusted first.
func (o Origin) rank() int {
	switch o {
	case OriginBuiltin:
		return 0
	case OriginRegistered:
		return 1
	}
	return 2
}

// Unknown is the type of an entity whose type isn't known.
const Unknown = "Desconocido"

// IsUnknown reports whether a type's name says that the type isn't known: it is
// empty, blank, or a spelling of Desconocido, Unknown, entidad or entity.
func IsUnknown(name string) bool {
	switch Fold(name) {
	case "", "desconocido", "desconocida", "unknown", "entidad", "entity":
		return true
	}
	return false
}
