package acervo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/acervo-graph/acervo/ontology"
)

var (
	// ErrInvalid is returned when what was passed breaks a rule; see [ValidationError].
	ErrInvalid = errors.New("invalid input")
	// ErrNotFound is returned when a named thing isn't there, or isn't visible to the owner.
	ErrNotFound = errors.New("not found")
	// ErrConflict is returned when what is stored contradicts what was asked for.
	ErrConflict = errors.New("conflict")
	// ErrImmutable is returned when an owner's call would change UNIVERSAL
	// knowledge that is verified, or that isn't the owner's to change; see
	// [ImmutableError].
	ErrImmutable = errors.New("immutable")
	// ErrLimit is returned when the ontology holds as many automatically
	// registered names as it may; see [LimitError].
	ErrLimit = errors.New("limit reached")
	// ErrForbidden is returned when the server refuses the user, the password or
	// the operation, for example because the database is read-only, and when
	// [Client.Query] refuses a statement; see [QueryRefusedError].
	ErrForbidden = errors.New("refused by the server")
	// ErrSchemaOutdated is returned when the database lacks migrations of this
	// client, or has some that this client doesn't know; see [Client.Migrate].
	ErrSchemaOutdated = errors.New("schema doesn't match")
	// ErrTimeout is returned when a query took longer than it may.
	ErrTimeout = errors.New("timeout")
	// ErrUnavailable is returned when the server can't be reached or can't serve.
	ErrUnavailable = errors.New("database unavailable")
	// ErrUnsupported is returned when the server is older than Neo4j 5.26.
	ErrUnsupported = errors.New("unsupported server")
)

// FieldError is one fault of the input.
type FieldError struct {
	// Item is what the fault is in: "entity", "relation", "fact" or "" for the call itself.
	Item string
	// Index is the item's place in its list, from 0; -1 for the call itself.
	Index int
	// Field is the name of the field, for example "name" or "attributes.addr".
	Field string
	// Value is the offending value, shortened.
	Value string
	// Rule is the rule that is broken, for example "is empty".
	Rule string
	// Err is the error behind the fault, if there is one.
	Err error
}

// Error names the item, the field and the rule.
func (e *FieldError) Error() string {
	var b strings.Builder
	if e.Item != "" {
		fmt.Fprintf(&b, "%s %d: ", e.Item, e.Index)
	}
	b.WriteString(e.Field)
	if e.Value != "" {
		fmt.Fprintf(&b, " %q", e.Value)
	}
	b.WriteString(" " + e.Rule)
	return b.String()
}

// Is reports that every fault of the input is ErrInvalid.
func (e *FieldError) Is(target error) bool { return target == ErrInvalid }

// Unwrap returns the error behind the fault.
func (e *FieldError) Unwrap() error { return e.Err }

// ValidationError holds every fault of a call's input. It is returned before
// anything is sent to the server.
type ValidationError struct {
	Faults []*FieldError
}

// Error names the first faults and counts the others.
func (e *ValidationError) Error() string {
	const shown = 10
	var b strings.Builder
	for i, f := range e.Faults {
		if i == shown {
			fmt.Fprintf(&b, "; and %d more", len(e.Faults)-shown)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(f.Error())
	}
	return b.String()
}

// Is reports that a validation error is ErrInvalid.
func (e *ValidationError) Is(target error) bool { return target == ErrInvalid }

// Unwrap returns the faults.
func (e *ValidationError) Unwrap() []error {
	errs := make([]error, len(e.Faults))
	for i, f := range e.Faults {
		errs[i] = f
	}
	return errs
}

// LimitError is returned when a call would register more names than the limit
// allows. Neo4j never frees the tokens of labels, relationship types and
// property keys, so names that come from a model have to be bounded.
type LimitError struct {
	// Kind is "type", "relation" or "attribute".
	Kind string
	// Names are the names that the call would have registered.
	Names []string
	// Limit is how many automatically registered names of the kind are allowed.
	Limit int
}

// Error says what to do instead.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the ontology holds %d automatically registered %ss, its limit: %q would be more; use a known name or register it by hand", e.Limit, e.Kind, e.Names)
}

// Is reports that a limit error is ErrLimit, and ErrInvalid too.
func (e *LimitError) Is(target error) bool { return target == ErrLimit || target == ErrInvalid }

// NotFoundError names what wasn't found.
type NotFoundError struct {
	// Names are the names or ids that found nothing.
	Names []string
}

// Error names what wasn't found.
func (e *NotFoundError) Error() string {
	quoted := make([]string, len(e.Names))
	for i, n := range e.Names {
		quoted[i] = fmt.Sprintf("%q", ontology.Shorten(n))
	}
	return "no entity " + strings.Join(quoted, ", ")
}

// Is reports that the error is ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// ImmutableError is returned when an owner's call would change what is shared.
type ImmutableError struct {
	// Entity is the id of the UNIVERSAL entity.
	Entity string
	// Verified is false for knowledge that was stated and not verified yet.
	Verified bool
}

// Error says what to do instead.
func (e *ImmutableError) Error() string {
	state := "verified"
	if !e.Verified {
		state = "shared"
	}
	return fmt.Sprintf("entity %q is %s UNIVERSAL knowledge, which no owner changes; state your own fact about it", ontology.Shorten(e.Entity), state)
}

// Is reports that the error is ErrImmutable.
func (e *ImmutableError) Is(target error) bool { return target == ErrImmutable }

// SchemaError says how the database's schema and the client's differ.
type SchemaError struct {
	// Missing are migrations that the database lacks.
	Missing []string
	// Unknown are migrations that the database has and this client doesn't know.
	Unknown []string
	// Changed are migrations whose text differs from the one that was applied.
	Changed []string
}

// Error says what to do.
func (e *SchemaError) Error() string {
	switch {
	case len(e.Unknown) > 0:
		return fmt.Sprintf("the database's schema is newer than this client (%s): use a newer release", strings.Join(e.Unknown, ", "))
	case len(e.Changed) > 0:
		return fmt.Sprintf("the database was migrated with other texts (%s): use the release that did", strings.Join(e.Changed, ", "))
	default:
		return fmt.Sprintf("the database isn't prepared (%s missing): run Migrate, or `acervo migrate`", strings.Join(e.Missing, ", "))
	}
}

// Is reports that the error is ErrSchemaOutdated.
func (e *SchemaError) Is(target error) bool { return target == ErrSchemaOutdated }
