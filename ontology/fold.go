package ontology

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form of a type's or a relation's name under which spellings
// are the same: without regard to case, to accents of Latin letters (ñ is a
// letter of its own) and to space around it. Everything else stays, so that
// "is a" isn't "IS_A". The result is composed (NFC).
func Fold(s string) string {
	if s = decomposed(strings.TrimSpace(s)); ascii(s) {
		return s
	}
	return norm.NFC.String(dropAccents(s))
}

// decomposed returns a text in its decomposed form (NFD), without regard to case.
func decomposed(s string) string {
	if ascii(s) {
		return strings.ToLower(s) // which is the same, and much cheaper
	}
	return norm.NFD.String(foldCase(norm.NFD.String(s)))
}

// ascii reports whether a text has nothing to decompose.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldCase folds the case of a text. Cherokee folds to capitals, by the Unicode
// Standard; golang.org/x/text swaps the case of its letters instead.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cherokee, r) {
			return unicode.ToUpper(r)
		}
		return r
	}, cases.Fold().String(s))
}

// dropAccents removes the marks of Latin letters from a decomposed text, except
// the tilde of ñ.
func dropAccents(s string) string {
	var base, kept rune
	return strings.Map(func(r rune) rune {
		if !unicode.Is(unicode.M, r) {
			base, kept = r, 0
			return r
		}
		if !unicode.Is(unicode.Latin, base) {
			return r
		}
		if base == 'n' && r == tilde && kept == 0 {
			kept = r
			return r
		}
		return -1
	}, s)
}
