package layers

import (
	"strings"

	"github.com/acervo-graph/acervo/ontology"
)

// Layer says whose knowledge something is.
type Layer string

const (
	// Universal is verifiable knowledge of the world, shared by every owner.
	Universal Layer = "UNIVERSAL"
	// Personal is what one owner said, visible to no one else.
	Personal Layer = "PERSONAL"
)

// ParseLayer reads a layer in whatever case.
func ParseLayer(s string) (Layer, error) {
	return parse("layer", strings.ToUpper(s), Universal, Personal)
}

// Label is the label that the layer's nodes carry in the database.
func (l Layer) Label() string {
	if l == Universal {
		return "Universal"
	}
	return "Personal"
}

// OfRelation gives the layer of a relation: PERSONAL as soon as one end is, or
// another owner would see it.
func OfRelation(from, to Layer) Layer {
	if from == Universal && to == Universal {
		return Universal
	}
	return Personal
}

// Default gives the layer that entities of a type usually belong to; PERSONAL if
// the type doesn't say.
func Default(t ontology.Type) Layer {
	if t.LayerDefault == string(Universal) {
		return Universal
	}
	return Personal
}

// Status says how complete an entity is.
type Status string

const (
	// Complete entities lack nothing.
	Complete Status = "complete"
	// Incomplete entities lack the fields that they name as pending.
	Incomplete Status = "incomplete"
	// PendingVerification is knowledge of the world that nobody has verified.
	PendingVerification Status = "pending_verification"
)

// ParseStatus reads a status in whatever case.
func ParseStatus(s string) (Status, error) {
	return parse("status", strings.ToLower(s), Complete, Incomplete, PendingVerification)
}

// Activation says how recently a session used an entity.
type Activation string

const (
	// Hot entities were used in this turn.
	Hot Activation = "hot"
	// Warm entities were used in the turn before.
	Warm Activation = "warm"
	// Cold is everything else.
	Cold Activation = "cold"
)

// ParseActivation reads an activation in whatever case.
func ParseActivation(s string) (Activation, error) {
	return parse("activation", strings.ToLower(s), Hot, Warm, Cold)
}

func parse[T ~string](field, s string, values ...T) (T, error) {
	names := make([]string, len(values))
	for i, v := range values {
		if s == string(v) {
			return v, nil
		}
		names[i] = string(v)
	}
	return "", &Error{Field: field, Value: ontology.Shorten(s), Rule: "is none of " + strings.Join(names, ", ")}
}

// Key names an entity within what one owner sees: "p:butaco" is the owner's own,
// "w:angular" a UNIVERSAL one.
type Key string

// KeyOf gives the key of an entity.
func KeyOf(l Layer, id string) Key {
	if l == Universal {
		return Key("w:" + id)
	}
	return Key("p:" + id)
}

// Split gives what the key is made of; ok is false if it is no key.
func (k Key) Split() (l Layer, id string, ok bool) {
	if id, ok := strings.CutPrefix(string(k), "w:"); ok {
		return Universal, id, true
	}
	if id, ok := strings.CutPrefix(string(k), "p:"); ok {
		return Personal, id, true
	}
	return "", "", false
}
