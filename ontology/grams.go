package ontology

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// MaxWords is how many words a name may have to be found in a message.
	MaxWords = 10
	// MaxGrams is how many grams of one message are returned at most.
	MaxGrams = 20000
	// MaxMessage is how many bytes of a message are read at most.
	MaxMessage = 1 << 20
	// maxRun is how many characters a gram may have that starts or ends inside
	// what ID takes for one word, in a script without spaces.
	maxRun = 12
)

// Gram is a piece of a message that may be the name of an entity.
type Gram struct {
	// ID is the id that a name spelled like the piece has; see [ID].
	ID string
	// Start and End are the places in the message, counted in tokens from 0, of
	// the first token of the piece and of the one behind its last. A token is a
	// word as ID splits them, or within it one character of a script that is
	// written without spaces, one Hangul syllable, or the run of other letters
	// and digits between such characters.
	Start, End int
}

// Grams returns the ids of all pieces of one to maxWords words of a message, in
// the order of the message, longer ones first where they start at one token. An
// id that occurs twice is returned twice.
//
// Where a script sets no spaces between words (Han, Hiragana, Katakana, Thai,
// Lao, Khmer, Myanmar), a piece may start and end at any character, if it has no
// more than 12 of them. A Hangul word also gives its beginnings of 2 to 12
// syllables, since particles are glued to nouns. A piece may also start or end
// where such a script meets another one.
//
// The result has at most [MaxGrams] grams, those that start first, none of them
// with an id above [MaxID], and only the first [MaxMessage] bytes are read. It
// is nil if maxWords is below 1 or there is no word in the message. What isn't
// valid UTF-8 separates words.
func Grams(message string, maxWords int) []Gram {
	if maxWords < 1 {
		return nil
	}
	message = message[:min(len(message), MaxMessage)]
	text, tokens := tokenize(words(strings.ToValidUTF8(message, "\uFFFD")))
	var grams []Gram
	for i := range tokens {
		from := len(grams)
		if tokens[i].continues {
			continue
		}
		grams = appendFrom(grams, text, tokens, i, maxWords)
		slices.Reverse(grams[from:])
		if len(grams) >= MaxGrams {
			return grams[:MaxGrams:MaxGrams]
		}
	}
	return grams
}

// appendFrom appends the grams that start at token i, shorter ones first.
func appendFrom(grams []Gram, text string, tokens []token, i, maxWords int) []Gram {
	start, characters := tokens[i], 0
	for j := i; j < len(tokens); j++ {
		t := tokens[j]
		if t.word-start.word >= maxWords || t.end-start.start > MaxID {
			break
		}
		if t.script == spaceless {
			characters++
		}
		whole := start.first && t.last
		if characters > maxRun && !start.first {
			break
		}
		if whole || t.ends && characters <= maxRun {
			grams = append(grams, Gram{ID: text[start.start:t.end], Start: i, End: j + 1})
		}
	}
	return grams
}

// token is the smallest part of a message at which a gram can start or end.
type token struct {
	start, end  int // in bytes of the text
	word        int // the number of the word that it belongs to
	script      script
	run         int  // its number in a run of tokens of its script, from 1
	first, last bool // of its word
	continues   bool // no gram starts here
	ends        bool // a gram may end here
}

// tokenize joins words as an id does and returns the tokens of the result.
func tokenize(words []string) (string, []token) {
	text := strings.Join(words, "_")
	var tokens []token
	at := 0
	for n, w := range words {
		from := len(tokens)
		for i, r := range w {
			tokens = extend(tokens, from, token{start: at + i, word: n, script: scriptOf(r)}, r)
		}
		at += len(w)
		finish(tokens[from:], at)
		at++ // the underscore
	}
	return text, tokens
}

// extend appends a token, unless the rune belongs to the one before it. The
// tokens of the word start at from.
func extend(tokens []token, from int, t token, r rune) []token {
	t.run = 1
	if len(tokens) > from {
		last := tokens[len(tokens)-1]
		if unicode.Is(unicode.M, r) || t.script == spaced && last.script == spaced {
			return tokens
		}
		if t.script == last.script {
			t.run = last.run + 1
		}
	}
	return append(tokens, t)
}

// finish completes the tokens of one word, which ends at the given byte.
func finish(tokens []token, end int) {
	for i := range tokens {
		t := &tokens[i]
		t.first, t.last = i == 0, i == len(tokens)-1
		t.end = end
		if !t.last {
			t.end = tokens[i+1].start
		}
		t.continues = t.script == hangul && t.run > 1
		inside := !t.last && t.script == hangul && tokens[i+1].script == hangul
		t.ends = !inside || t.run >= 2 && t.run <= maxRun
	}
}
