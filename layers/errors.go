package layers

import (
	"errors"
	"fmt"

	"github.com/acervo-graph/acervo/ontology"
)

// ErrLayer is returned when a layer doesn't admit something, or when a value
// isn't one of those that it can be; see [Error].
var ErrLayer = errors.New("not admitted")

// Error is one value that isn't admitted. It is [ErrLayer].
type Error struct {
	// Field is what the value is: "layer", "owner", "session", "source",
	// "confidence", "status" or "activation".
	Field string
	// Value is the value, shortened to 80 runes and made valid UTF-8 for display.
	Value string
	// Rule is the rule that is broken, for example "is empty".
	Rule string
}

// Error names the field, the value and the rule.
func (e *Error) Error() string { return fmt.Sprintf("%s %q %s", e.Field, e.Value, e.Rule) }

// Unwrap returns [ErrLayer].
func (e *Error) Unwrap() error { return ErrLayer }

// refuse returns the error for a value that breaks a rule, nil if the rule is "".
func refuse(field, value, rule string) error {
	if rule == "" {
		return nil
	}
	return &Error{Field: field, Value: ontology.Shorten(value), Rule: rule}
}
