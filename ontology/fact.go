package ontology

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// FactKey returns the form of a statement under which two are the same: without
// regard to case, accents of Latin letters, full-width forms, punctuation and
// the amount of white space. What can change the meaning stays: letters, digits,
// symbols (+ < = $ € ° and the rest of Unicode's category S), # and %, a sign
// before a number, and punctuation between two digits. So "3.5" isn't "35", "-5"
// isn't "5" and "a != b" isn't "a = b".
//
// A text of which nothing would be left gives itself, trimmed and composed
// (NFC). The key is about as long as the text.
func FactKey(text string) string {
	folded := strings.Map(visible, text)
	if !ascii(folded) {
		folded = width.Fold.String(folded)
	}
	runes := []rune(dropAccents(decomposed(folded)))
	var b strings.Builder
	var base rune // what the following marks sit on, 0 if it was left out
	gap := false
	for i, r := range runes {
		if unicode.Is(unicode.M, r) {
			if base != 0 {
				b.WriteRune(r)
			}
			continue
		}
		base = stays(runes, i)
		if base == 0 {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(base)
	}
	if b.Len() == 0 {
		return norm.NFC.String(strings.TrimSpace(text))
	}
	return norm.NFC.String(b.String())
}

// stays returns the rune at i as a fact's key holds it, or 0 if it is left out.
func stays(runes []rune, i int) rune {
	r := runes[i]
	before, next, after := runeAt(runes, i-1), runeAt(runes, i+1), runeAt(runes, i+2)
	joined := isWordRune(before) || unicode.Is(unicode.M, before)
	switch {
	case isWordRune(r):
		return r
	case r == '−':
		return '-'
	case unicode.Is(unicode.S, r), strings.ContainsRune("#%‰‱٪′″", r):
		return r
	case !unicode.Is(unicode.P, r):
		return 0
	case unicode.IsNumber(before) && unicode.IsNumber(next):
		return sign(r)
	case r == '!' && next == '=':
		return r
	case unicode.Is(unicode.Pd, r) && !joined && startsNumber(next, after):
		return sign(r)
	case r == '.' && !joined && before != '.' && unicode.IsNumber(next):
		return r
	}
	return 0
}

// startsNumber reports whether two runes behind a sign can start a number: -5,
// -.5, -$5.
func startsNumber(first, second rune) bool {
	return unicode.IsNumber(first) || unicode.IsNumber(second) && (unicode.Is(unicode.Sc, first) || first == '.' || first == ',')
}

// sign returns a hyphen for every dash, and any other rune as it is.
func sign(r rune) rune {
	if unicode.Is(unicode.Pd, r) {
		return '-'
	}
	return r
}

// runeAt returns the rune at i, or 0 outside.
func runeAt(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return 0
	}
	return runes[i]
}
