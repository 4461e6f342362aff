package ontology

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// MaxTerm is how many bytes the name of a type, relation or attribute may hold.
const MaxTerm = 512

var (
	// ErrTerm is returned when a name can't be that of a type, relation or attribute.
	ErrTerm = errors.New("invalid name")
	// ErrReserved is returned when a name is one of the stored graph's own.
	ErrReserved = errors.New("reserved name")
)

// TermError says which rule the name of a type, relation or attribute breaks.
type TermError struct {
	// Kind is "type", "relation" or "attribute".
	Kind string
	// Name is the name, shortened.
	Name string
	// Rule is the broken rule, for example "is reserved".
	Rule string
}

const reserved = "is reserved"

// Error gives the kind, the name and the rule.
func (e *TermError) Error() string { return fmt.Sprintf("%s %q %s", e.Kind, e.Name, e.Rule) }

// Is reports that the error is ErrTerm, and ErrReserved for a reserved name.
func (e *TermError) Is(target error) bool {
	return target == ErrTerm || target == ErrReserved && e.Rule == reserved
}

// ReservedLabels are the labels of the stored graph, which no type may equal.
func ReservedLabels() []string {
	return []string{
		"AcervoEntity", "AcervoFact", "AcervoEnded", "AcervoAlias", "AcervoReference", "AcervoSession",
		"AcervoType", "AcervoRelation", "AcervoPack", "AcervoSchema", "Universal", "Personal",
	}
}

// ReservedRelations are the relationship types of the stored graph, which no
// relation may equal.
func ReservedRelations() []string {
	return []string{"HAS_FACT", "HAD_FACT", "SUPERSEDES", "PROVIDES", "REFERS"}
}

// ReservedAttributes are the properties of the stored graph, which no attribute
// may equal.
func ReservedAttributes() []string {
	return []string{
		"owner", "id", "label", "type", "layer", "source", "confidence_for_owner", "status", "pending_fields",
		"aliases", "created_at", "updated_at", "verified_at", "about", "text", "sources", "source_details",
		"confidence", "valid_from", "valid_to", "key", "last_seen_at", "entity",
	}
}

// CheckType fails with a [TermError] if the name can't be that of a type: it has
// to be printable, of at most [MaxTerm] bytes, without space around it, and not
// reserved, in whatever case.
func CheckType(name string) error { return checkTerm("type", name, ReservedLabels(), Fold) }

// CheckRelation is as [CheckType] for a relation.
func CheckRelation(name string) error {
	return checkTerm("relation", name, ReservedRelations(), Fold)
}

// CheckAttribute is as [CheckType] for an attribute, but that only the same
// spelling is reserved, since Neo4j tells properties apart by case.
func CheckAttribute(name string) error {
	return checkTerm("attribute", name, ReservedAttributes(), func(s string) string { return s })
}

func checkTerm(kind, name string, taken []string, form func(string) string) error {
	rule := CheckText(name, MaxTerm)
	switch {
	case rule != "":
	case strings.TrimSpace(name) != name:
		rule = "has space around it"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		rule = "has an unprintable character"
	case slices.ContainsFunc(taken, func(t string) bool { return form(t) == form(name) }):
		rule = reserved
	default:
		return nil
	}
	return &TermError{Kind: kind, Name: Shorten(name), Rule: rule}
}
