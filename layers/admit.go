package layers

import (
	"errors"
	"fmt"
	"strings"

	"github.com/acervo-graph/acervo/ontology"
)

const (
	// WorldOwner is the owner of UNIVERSAL nodes in the database. Nobody else may
	// be called so.
	WorldOwner = "world"
	// MaxOwner is how many bytes of UTF-8 the id of an owner or a session may hold.
	MaxOwner = 2048
	// MaxSource is how many bytes of UTF-8 a source may hold.
	MaxSource = 512
)

const (
	// SourceWorld is where UNIVERSAL knowledge comes from.
	SourceWorld = "world"
	// SourceUserAssertion is where PERSONAL knowledge comes from.
	SourceUserAssertion = "user_assertion"
	// SourceUser is the source of a fact that the user said.
	SourceUser = "user"
)

// ErrLayer is returned when a layer doesn't admit something.
var ErrLayer = errors.New("not admitted")

// Error says which rule a field breaks.
type Error struct {
	// Field is the name of the field, for example "owner".
	Field string
	// Value is the value, shortened.
	Value string
	// Rule is the broken rule, for example "is empty".
	Rule string
}

// Error gives the field, the value and the rule.
func (e *Error) Error() string { return fmt.Sprintf("%s %q %s", e.Field, e.Value, e.Rule) }

// Is reports that the error is ErrLayer.
func (e *Error) Is(target error) bool { return target == ErrLayer }

// Source is where a layer's knowledge comes from if nothing else is said.
func (l Layer) Source() string {
	if l == Universal {
		return SourceWorld
	}
	return SourceUserAssertion
}

// FactSource is where a layer's facts come from if nothing else is said.
func (l Layer) FactSource() string {
	if l == Universal {
		return SourceWorld
	}
	return SourceUser
}

// CheckOwner fails with an [Error] if the owner is empty or blank, "world",
// longer than [MaxOwner] bytes, not valid UTF-8, or holds a NUL. Any other
// string is an owner.
func CheckOwner(owner string) error {
	rule := ontology.CheckText(owner, MaxOwner)
	if rule == "" && strings.TrimSpace(owner) == WorldOwner {
		rule = "is reserved"
	}
	return broken("owner", owner, rule)
}

// CheckSession is as [CheckOwner] for the id of a session, which may be "world".
func CheckSession(id string) error {
	return broken("session", id, ontology.CheckText(id, MaxOwner))
}

// CheckConfidence fails with an [Error] unless the confidence is from 0 to 1.
func CheckConfidence(c float64) error {
	if c >= 0 && c <= 1 { // false for NaN
		return nil
	}
	return &Error{Field: "confidence", Value: fmt.Sprint(c), Rule: "is not from 0 to 1"}
}

// CheckSource fails with an [Error] if the layer doesn't admit the source:
// UNIVERSAL knowledge comes from "world" alone, PERSONAL knowledge from anything
// that is of at most [MaxSource] bytes, valid UTF-8, and not blank.
func (l Layer) CheckSource(source string) error {
	rule := ontology.CheckText(source, MaxSource)
	if rule == "" && l == Universal && source != SourceWorld {
		rule = "is not " + SourceWorld + ", as UNIVERSAL knowledge needs"
	}
	return broken("source", source, rule)
}

func broken(field, value, rule string) error {
	if rule == "" {
		return nil
	}
	return &Error{Field: field, Value: ontology.Shorten(value), Rule: rule}
}
