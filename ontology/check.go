package ontology

import (
	"slices"
	"strings"
	"unicode"
)

// CheckType returns nil if an entity's type can have the name, which becomes a
// label: any printable text of at most [MaxTerm] bytes that isn't empty, doesn't
// start or end with a space and isn't one of [ReservedLabels] in any spelling.
// The error is a [*TermError]. A caller asks [IsUnknown] first.
func CheckType(name string) error {
	return term("type", name, reservedByFold(name, ReservedLabels()))
}

// CheckRelation returns nil if a relation can have the name, which becomes a
// relationship type: any printable text of at most [MaxTerm] bytes that isn't
// empty, doesn't start or end with a space and isn't one of [ReservedRelations]
// in any spelling. The error is a [*TermError].
func CheckRelation(name string) error {
	return term("relation", name, reservedByFold(name, ReservedRelations()))
}

// CheckAttribute returns nil if an entity can have an attribute of the name,
// which becomes a property: any printable text of at most [MaxTerm] bytes that
// isn't empty, doesn't start or end with a space and isn't exactly one of
// [ReservedAttributes]. The error is a [*TermError].
func CheckAttribute(name string) error {
	return term("attribute", name, slices.Contains(ReservedAttributes(), name))
}

// term returns the error for a name, or nil if it breaks no rule.
func term(kind, name string, reserved bool) error {
	rule := checkTerm(name)
	if rule == "" && reserved {
		rule = ruleReserved
	}
	if rule == "" {
		return nil
	}
	return &TermError{Kind: kind, Name: Shorten(name), Rule: rule}
}

// checkTerm returns the rule that any kind of name breaks, or "".
func checkTerm(name string) string {
	if rule := CheckText(name, MaxTerm); rule != "" {
		return rule
	}
	if strings.TrimSpace(name) != name {
		return ruleSpace
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return ruleUnprinted
	}
	return ""
}

// reservedByFold reports whether a name is a spelling of one of the reserved.
func reservedByFold(name string, reserved []string) bool {
	folded := ""
	if len(name) <= MaxTerm {
		folded = Fold(name)
	}
	return slices.ContainsFunc(reserved, func(r string) bool { return Fold(r) == folded })
}
