package ontology

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// MaxWords is how many words a name may have to be found in a message.
	MaxWords = 10
	// MaxGrams is how many grams of a message are looked at.
	MaxGrams = 20_000
	// runLetters is how many letters of a script without spaces make a gram.
	runLetters = 12
)

// Gram is a part of a message that may be a name.
type Gram struct {
	// ID is the id that a name of this spelling has.
	ID string
	// Start and End are the places of its first letter or word and of what
	// follows its last one.
	Start, End int
}

// Grams gives the parts of a message that may be names: up to maxWords words in
// a row. Where a script is written without spaces (Chinese, Japanese, Thai, …),
// up to 12 letters in a row count as well, and so does the start of a Korean
// word, which particles are appended to. At the most [MaxGrams] are returned.
func Grams(message string, maxWords int) []Gram {
	tokens := words(message)
	places := make([]int, len(tokens)+1) // of each token, in letters
	for i, token := range tokens {
		places[i+1] = places[i] + len([]rune(token)) + 1
	}
	var grams []Gram
	for i, token := range tokens {
		for n := min(maxWords, len(tokens)-i); n > 0; n-- {
			if len(grams) >= MaxGrams {
				return grams
			}
			id := strings.Join(tokens[i:i+n], "_")
			if len(id) <= MaxID {
				grams = append(grams, Gram{ID: id, Start: places[i], End: places[i+n] - 1})
			}
		}
		grams = append(grams, parts(token, places[i])...)
	}
	return grams[:min(len(grams), MaxGrams)]
}

// parts gives the parts of one word that may be names.
func parts(token string, place int) []Gram {
	letters := []rune(token)
	var grams []Gram
	for i := range letters {
		for n := min(runLetters, len(letters)-i); n > 0; n-- {
			if n == len(letters) {
				continue // the word itself is a gram already
			}
			part := letters[i : i+n]
			unspaced := !slices.ContainsFunc(part, func(r rune) bool { return !withoutSpaces(r) })
			start := i == 0 && n >= 2 && !slices.ContainsFunc(part, func(r rune) bool { return !unicode.Is(unicode.Hangul, r) })
			if unspaced || start {
				grams = append(grams, Gram{ID: string(part), Start: place + i, End: place + i + n})
			}
		}
	}
	return grams
}

// withoutSpaces reports whether a letter's script is written without spaces.
func withoutSpaces(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r == 'ー' || unicode.IsMark(r)
}
