package ontology

import "unicode"

// script is how a script writes words.
type script int

const (
	spaced    script = iota // words are set apart by spaces
	spaceless               // words follow each other without a space
	hangul                  // words are set apart, and endings are glued to them
)

// scriptOf returns how the script of a letter writes words.
func scriptOf(r rune) script {
	switch {
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case r == 'ー', r == '〆', r == '〼': // Japanese, but of no single script
		return spaceless
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return spaceless
	}
	return spaced
}

// isWordRune reports whether a rune makes up words: a letter or a number of any
// script.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// visible returns the rune, or -1 for one that is there but not to be seen:
// format characters, variation selectors, fillers.
func visible(r rune) rune {
	if r < 0x80 {
		return r
	}
	if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return r
}
