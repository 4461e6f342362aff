package ontology

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The limits of what can be stored. An index key in Neo4j holds about 8 kB, and
// an id shares it with its owner.
const (
	// MaxName is the length in bytes of UTF-8 that an entity's name may have.
	MaxName = 2048
	// MaxID is the length in bytes of UTF-8 that an entity's id may have. It is
	// above MaxName because a symbol or a suffix makes an id longer than its name.
	MaxID = 2560
	// MaxTerm is the length in bytes of UTF-8 that the name of a type, a relation
	// or an attribute may have.
	MaxTerm = 512
	// MaxText is the length in bytes of UTF-8 that a fact, or a text among the
	// attributes, may have.
	MaxText = 64 << 10
)

// ID returns the id of an entity's name. Two names with one id are one entity.
//
// Case is folded, and so are compatibility forms (the full-width Ａ is a) and
// the accents of Latin letters, but ñ is a letter of its own. Every letter and
// digit of every script is kept, with the marks of scripts other than Latin.
// Format characters such as the soft hyphen vanish. Any run of anything else
// becomes one underscore between words, none at the ends. A plus and a sharp
// sign are words of their own, and so is a dot that starts a word: C++ is
// c_plus_plus, C# is c_sharp, .NET is dot_net, but Node.js is node_js.
//
// The id of an id is the id itself. The error is a [*NameError] if the name is
// empty or blank, is longer than [MaxName], isn't valid UTF-8, holds a NUL, has
// no letter, digit or such symbol, or makes an id longer than [MaxID].
func ID(name string) (string, error) {
	if rule := CheckText(name, MaxName); rule != "" {
		return "", &NameError{Name: Shorten(name), Rule: rule}
	}
	id := strings.Join(words(name), "_")
	if id == "" {
		return "", &NameError{Name: Shorten(name), Rule: ruleNoLetter}
	}
	if len(id) > MaxID {
		return "", &NameError{Name: Shorten(name), Rule: fmt.Sprintf(ruleLongID, MaxID)}
	}
	return id, nil
}

// CheckText returns the rule that a text of at most limit bytes breaks, or "" if
// it breaks none: "is longer than … bytes", "is not valid UTF-8", "holds a NUL",
// "is empty" (also if it is blank). Neo4j's driver would send invalid UTF-8, and
// the server would store U+FFFD in its place, so that two different texts could
// become one.
func CheckText(s string, limit int) string {
	switch {
	case len(s) > limit:
		return fmt.Sprintf(ruleLongerThan, limit)
	case !utf8.ValidString(s):
		return ruleUTF8
	case strings.IndexByte(s, 0) >= 0:
		return ruleNUL
	case strings.TrimSpace(s) == "":
		return ruleEmpty
	}
	return ""
}

// Suffix returns the id of a homonym: the id that is taken, two underscores and
// the id of the type, as in apple__lugar. A type without a letter or digit
// gives the hexadecimal form of its bytes instead. No name has such an id by
// itself, since [ID] never puts two underscores in a row. The error is a
// [*NameError] if the type's name is unusable or the result is longer than
// [MaxID].
func Suffix(id, typeName string) (string, error) {
	suffix, err := ID(typeName)
	if e := (*NameError)(nil); errors.As(err, &e) && e.Rule == ruleNoLetter {
		suffix, err = hex.EncodeToString([]byte(typeName)), nil
	}
	if err != nil {
		return "", err
	}
	id += "__" + suffix
	if len(id) > MaxID {
		return "", &NameError{Name: Shorten(id), Rule: fmt.Sprintf(ruleLongID, MaxID)}
	}
	return id, nil
}
