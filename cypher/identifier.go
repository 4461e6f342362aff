package cypher

import (
	"strings"
	"unicode"
)

// Plain reports whether a name consists of nothing but letters and digits of
// any script and underscores. Only such a name may become part of a statement's
// text, and only in backticks.
//
// Quoting alone would not be safe: Cypher 5 decodes \u0060 before it parses, so
// that a name with this sequence would break out of doubled backticks.
func Plain(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == unicode.ReplacementChar {
			return false
		}
	}
	return true
}

// For returns the statement for one relationship type and true, or false if the
// type isn't a plain identifier; such a type has to go through a statement that
// takes it as a parameter.
func (t Template) For(relationshipType string) (Statement, bool) {
	if !Plain(relationshipType) {
		return Statement{}, false
	}
	s := t.Statement
	s.Text = strings.ReplaceAll(s.Text, placeholder, "`"+relationshipType+"`")
	return s, true
}

// Any returns the statement for relationships of every type, for templates whose
// text compares the type with a parameter too. It is slower where an entity has
// many relationships.
func (t Template) Any() Statement {
	s := t.Statement
	s.Text = strings.ReplaceAll(s.Text, ":"+placeholder, "")
	return s
}

// Of returns the statement of [Template.For], or that of [Template.Any] for a
// type that isn't a plain identifier.
func (t Template) Of(relationshipType string) Statement {
	if s, ok := t.For(relationshipType); ok {
		return s
	}
	return t.Any()
}

// Quote gives a text as a string literal of Cypher, for scripts and for what people
// paste; statements of this package take every value as a parameter. A backslash stands alone in a string of its own:
// Cypher 5 decodes \uXXXX before it parses, even behind an escaped backslash.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range text {
		switch r {
		case '\\':
			b.WriteString(`' + '\\' + '`)
		case '\'':
			b.WriteString(`\'`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
