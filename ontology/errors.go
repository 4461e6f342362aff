package ontology

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrName is returned when a name can't become an id; see [NameError].
	ErrName = errors.New("unusable name")
	// ErrTerm is returned when a type, relation or attribute can't have the name
	// that was given; see [TermError].
	ErrTerm = errors.New("unusable term")
	// ErrReserved is returned, together with [ErrTerm], when the name is one that
	// the memory uses for itself.
	ErrReserved = errors.New("reserved")
)

// NameError tells why a name can't become an id. It is [ErrName].
type NameError struct {
	// Name is the name, shortened to 80 runes and made valid UTF-8 for display.
	Name string
	// Rule is the rule that is broken, for example "is empty".
	Rule string
}

// Error names the name and the rule.
func (e *NameError) Error() string { return fmt.Sprintf("name %q %s", e.Name, e.Rule) }

// Unwrap returns [ErrName].
func (e *NameError) Unwrap() error { return ErrName }

// TermError tells why a type, a relation or an attribute can't have a name. It
// is [ErrTerm], and [ErrReserved] where the name is reserved.
type TermError struct {
	// Kind is "type", "relation" or "attribute".
	Kind string
	// Name is the name, shortened to 80 runes and made valid UTF-8 for display.
	Name string
	// Rule is the rule that is broken, for example "is reserved".
	Rule string
}

// Error names the kind, the name and the rule.
func (e *TermError) Error() string { return fmt.Sprintf("%s %q %s", e.Kind, e.Name, e.Rule) }

// Is reports whether the target is [ErrTerm] or, for a reserved name, [ErrReserved].
func (e *TermError) Is(target error) bool {
	return target == ErrTerm || target == ErrReserved && e.Rule == ruleReserved
}

// The rules that names, terms and texts can break.
const (
	ruleEmpty      = "is empty"
	ruleNUL        = "holds a NUL"
	ruleUTF8       = "is not valid UTF-8"
	ruleNoLetter   = "has no letter or digit"
	ruleReserved   = "is reserved"
	ruleSpace      = "starts or ends with a space"
	ruleUnprinted  = "holds a character that can't be printed"
	ruleLongerThan = "is longer than %d bytes"
	ruleLongID     = "makes an id longer than %d bytes"
)

// Shorten returns at most the first 80 runes of a text, as valid UTF-8, with an
// ellipsis if something was left out. It reads no more of the text than that.
func Shorten(s string) string {
	const most = 80
	n := 0
	for i := range s {
		if n == most {
			return strings.ToValidUTF8(s[:i], "\uFFFD") + "…"
		}
		n++
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
