package ontology

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// combiningTilde is the mark that makes a letter of its own of n: ñ.
const combiningTilde = '\u0303'

// decompose folds case and compatibility forms and takes letters and their
// marks apart.
func decompose(s string) string {
	return norm.NFKD.String(cases.Fold().String(norm.NFKD.String(s)))
}

// foldMarks drops the marks of Latin letters, but for the tilde of ñ. Marks of
// other scripts tell letters apart and stay. The text has to be decomposed.
func foldMarks(s string) string {
	var b strings.Builder
	var base rune
	for _, r := range s {
		if !unicode.Is(unicode.Mn, r) {
			base = r
			b.WriteRune(r)
			continue
		}
		if unicode.Is(unicode.Latin, base) && (base != 'n' || r != combiningTilde) {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Fold gives the form under which names of types and relations are matched:
// without case and without the accents of Latin letters; ñ is a letter of its
// own. Space around the name is dropped, nothing else changes, so that "is a"
// and "IS_A" are two names.
func Fold(name string) string {
	folded := cases.Fold().String(norm.NFD.String(strings.TrimSpace(name)))
	return norm.NFC.String(foldMarks(norm.NFD.String(folded)))
}

// FactKey gives the form under which two statements are the same: without case,
// accents and punctuation. What changes the meaning stays: letters, digits,
// symbols such as + < = € %, and the sign of a number. A text in which nothing
// is left is its own key.
func FactKey(text string) string {
	runes := []rune(foldMarks(decompose(text)))
	var b strings.Builder
	gap := false
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Cf, r):
			continue
		case wordRune(r), unicode.IsSymbol(r), r == '#', r == '%', signed(runes, i):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			if r == '\u2212' {
				r = '-'
			}
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	if b.Len() == 0 {
		return norm.NFC.String(strings.TrimSpace(text))
	}
	return norm.NFC.String(b.String())
}

// signed reports whether the rune is the minus sign of a number.
func signed(runes []rune, i int) bool {
	return (runes[i] == '-' || runes[i] == '\u2212') &&
		i+1 < len(runes) && unicode.IsDigit(runes[i+1]) &&
		(i == 0 || !wordRune(runes[i-1]))
}

// wordRune reports whether the rune is part of a word: a letter, a digit or
// another number, or a mark on one.
func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}
