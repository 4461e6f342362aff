package ontology

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// MaxName is how many bytes of UTF-8 a name may hold. An index key of Neo4j
	// holds about 8 kB, for an owner, an id and, of an alias, another id.
	MaxName = 2048
	// MaxID is how many bytes an id may hold.
	MaxID = 2560
	// MaxText is how many bytes a fact or a value of an attribute may hold.
	MaxText = 64 << 10
)

// ErrName is returned when a name can't be that of an entity.
var ErrName = errors.New("invalid name")

// NameError says which rule a name breaks.
type NameError struct {
	// Name is the name, shortened.
	Name string
	// Rule is the broken rule, for example "is empty".
	Rule string
}

// Error gives the name and the rule.
func (e *NameError) Error() string { return fmt.Sprintf("name %q %s", e.Name, e.Rule) }

// Is reports that the error is ErrName.
func (e *NameError) Is(target error) bool { return target == ErrName }

// Shorten cuts a text to 80 characters, so that an error stays readable.
func Shorten(s string) string {
	const runes = 80
	s = strings.ToValidUTF8(s, "\ufffd")
	n := 0
	for i := range s {
		if n == runes {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// CheckText returns the rule that a text breaks, or "": it has to be valid
// UTF-8, without NUL, not blank, and of at most limit bytes.
func CheckText(s string, limit int) string {
	switch {
	case len(s) > limit:
		return fmt.Sprintf("is longer than %d bytes", limit)
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "holds a NUL"
	case strings.TrimSpace(s) == "":
		return "is empty"
	}
	return ""
}

// ID gives the id of a name: without case and without the accents of Latin
// letters (ñ stays), with every letter and digit of every script, and "_" for
// each run of anything else. Symbols that tell names apart are words: "C++" is
// "c_plus_plus", "C#" is "c_sharp" and ".NET" is "dot_net". Invisible format
// characters vanish. An id is its own id.
//
// It fails with a [NameError] if the name is empty, longer than [MaxName] bytes,
// not valid UTF-8, holds a NUL, or has nothing that an id could be made of, or
// if the id would be longer than [MaxID] bytes.
func ID(name string) (string, error) {
	if rule := CheckText(name, MaxName); rule != "" {
		return "", &NameError{Name: Shorten(name), Rule: rule}
	}
	id := strings.Join(words(name), "_")
	switch {
	case id == "":
		return "", &NameError{Name: Shorten(name), Rule: "has no letter or digit"}
	case len(id) > MaxID:
		return "", &NameError{Name: Shorten(name), Rule: fmt.Sprintf("has an id longer than %d bytes", MaxID)}
	}
	return id, nil
}

// words splits a text into the words of its id.
func words(text string) []string {
	runes := []rune(foldMarks(decompose(text)))
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, norm.NFC.String(word.String()))
			word.Reset()
		}
	}
	previous := ' ' // the visible rune before
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Cf, r):
			continue
		case unicode.IsMark(r):
			if word.Len() > 0 { // a mark without a letter is nothing
				word.WriteRune(r)
			}
		case wordRune(r):
			word.WriteRune(r)
		default:
			end()
			switch {
			case r == '+':
				words = append(words, "plus")
			case r == '#':
				words = append(words, "sharp")
			case r == '.' && unicode.IsSpace(previous) && i+1 < len(runes) && wordRune(runes[i+1]):
				words = append(words, "dot")
			}
		}
		previous = r
	}
	end()
	return words
}

// Suffix gives the id of a homonym: the id with the type's own id behind two
// underscores, which no name's id holds: "apple__lugar".
func Suffix(id, typeName string) (string, error) {
	suffix, err := ID(typeName)
	if err != nil {
		suffix = fmt.Sprintf("%x", typeName)
	}
	if id += "__" + suffix; len(id) > MaxID {
		return "", &NameError{Name: Shorten(id), Rule: fmt.Sprintf("has an id longer than %d bytes", MaxID)}
	}
	return id, nil
}
