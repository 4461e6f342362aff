package layers

import (
	"strings"

	"github.com/acervo-graph/acervo/ontology"
)

// Layer is one of the two layers of the memory.
type Layer string

// The layers.
const (
	// Universal is verifiable knowledge about the world, shared by every owner.
	Universal Layer = "UNIVERSAL"
	// Personal is what one owner said, visible to that owner only.
	Personal Layer = "PERSONAL"
)

// ParseLayer returns the layer of a name, in any case. The error is an [*Error],
// also for an empty name.
func ParseLayer(s string) (Layer, error) {
	switch l := Layer(strings.ToUpper(s)); l {
	case Universal, Personal:
		return l, nil
	}
	return "", refuse("layer", s, "is neither UNIVERSAL nor PERSONAL")
}

// Label returns the label of the layer's nodes: "Universal", or "Personal" for
// anything else, so that a mistake never makes a node shared.
func (l Layer) Label() string {
	if l == Universal {
		return "Universal"
	}
	return "Personal"
}

// The sources that knowledge has unless told otherwise. That of PERSONAL
// knowledge may be any text.
const (
	// SourceWorld is the only source of UNIVERSAL knowledge.
	SourceWorld = "world"
	// SourceUserAssertion is the source of PERSONAL entities and relations.
	SourceUserAssertion = "user_assertion"
	// SourceUser is the source of PERSONAL facts.
	SourceUser = "user"
)

// Source returns the source of a layer's entities and relations when none is given.
func (l Layer) Source() string {
	if l == Universal {
		return SourceWorld
	}
	return SourceUserAssertion
}

// FactSource returns the source of a layer's facts when none is given.
func (l Layer) FactSource() string {
	if l == Universal {
		return SourceWorld
	}
	return SourceUser
}

// OfRelation returns the layer of a relation between entities of two layers:
// UNIVERSAL if both are, else PERSONAL. Otherwise other owners would see a
// relation to something that they can't see.
func OfRelation(from, to Layer) Layer {
	if from == Universal && to == Universal {
		return Universal
	}
	return Personal
}

// Combine returns the layer of a relation that a call of one layer writes
// between entities of two layers: UNIVERSAL if all are, else PERSONAL.
func Combine(call, from, to Layer) Layer {
	return OfRelation(call, OfRelation(from, to))
}

// Default returns the layer that a type advises, PERSONAL if it advises none.
func Default(t ontology.Type) Layer {
	if l, err := ParseLayer(t.LayerDefault); err == nil {
		return l
	}
	return Personal
}
