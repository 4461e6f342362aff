package fulltext

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// script is how a script writes words, and how the index splits it.
type script int

const (
	spaced script = iota // words are set apart by spaces
	hangul               // likewise, with endings glued to them
	single               // Han and Hiragana: no spaces, the index takes each character alone
	joined               // Katakana, Thai and others: no spaces, the index takes a run as one word
)

func scriptOf(r rune) script {
	switch {
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.In(r, unicode.Han, unicode.Hiragana):
		return single
	case r == 'ー', unicode.In(r, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return joined
	}
	return spaced
}

// word is a word of a text: letters and digits of one way of writing.
type word struct {
	start, end int // bytes of the text
	script     script
}

// words splits a text.
func words(text string) []word {
	var all []word
	open := false
	for i, r := range text {
		end := i + len(string(r))
		switch {
		case unicode.Is(unicode.M, r) || unicode.Is(unicode.Cf, r):
			if open {
				all[len(all)-1].end = end
			}
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			open = false
		case open && all[len(all)-1].script == scriptOf(r):
			all[len(all)-1].end = end
		default:
			all = append(all, word{i, end, scriptOf(r)})
			open = true
		}
	}
	return all
}

// letters are Latin letters that have no accent to drop, as the index folds them.
var letters = strings.NewReplacer(
	"æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ı", "i", "ħ", "h", "ŧ", "t", "ŋ", "n", "ĸ", "q")

// greek are Greek letters and how the index may have them: it folds case only, and
// has the accents of modern Greek and the sigma at the end of a word as they were
// written.
var greek = []struct{ letter, others string }{
	{"α", "ά"}, {"ε", "έ"}, {"η", "ή"}, {"ι", "ίϊΐ"}, {"ο", "ό"}, {"υ", "ύϋΰ"}, {"ω", "ώ"}, {"σ", "ς"},
}

// greekFold takes the accents off, greekForms asks the index for all.
var greekFold, greekForms = func() (*strings.Replacer, *strings.Replacer) {
	var fold, forms []string
	for _, g := range greek {
		for _, other := range g.others {
			fold = append(fold, string(other), g.letter)
		}
		forms = append(forms, g.letter, "["+g.letter+g.others+"]")
	}
	return strings.NewReplacer(fold...), strings.NewReplacer(forms...)
}()

// fold gives a word without regard to case, accents of Latin letters and of modern
// Greek, and compatible forms.
func fold(s string) string {
	var base rune
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r):
			base = r
			return r
		case unicode.Is(unicode.M, r) && !unicode.Is(unicode.Latin, base):
			return r
		}
		return -1 // what ⑴ is made of, too
	}, norm.NFKD.String(cases.Fold().String(s)))
	return greekFold.Replace(letters.Replace(norm.NFC.String(s)))
}
