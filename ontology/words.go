package ontology

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	tilde    = '\u0303' // the combining tilde, which makes ñ of n
	maxMarks = 16       // marks kept on one letter; no orthography comes near
)

// words returns the words of a text in the form in which an id holds them:
// folded, composed, never empty.
func words(s string) []string {
	var c collector
	runes := []rune(caseless(s))
	for i, r := range runes {
		var next rune
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		c.add(r, next)
	}
	c.end()
	return c.words
}

// caseless returns the form of a text under which compatible spellings in any
// case are equal (the Unicode Standard, definition D146), fully decomposed and
// without what can't be seen.
func caseless(s string) string {
	if s = strings.Map(visible, s); ascii(s) {
		return strings.ToLower(s)
	}
	s = norm.NFD.String(s)
	for range 2 {
		s = norm.NFKD.String(foldCase(s))
	}
	return strings.Map(visible, s) // normalizing may insert joiners
}

// collector puts words together from decomposed runes.
type collector struct {
	words []string
	word  []rune // what has been seen of the current word
	base  rune   // the last letter or number of the current word
	marks int    // marks kept since base
	last  rune   // the last rune that is no mark, 0 at the start
}

// add takes the next rune and the one that follows it, 0 at the end.
func (c *collector) add(r, next rune) {
	if unicode.Is(unicode.M, r) {
		c.mark(r)
		return
	}
	switch {
	case isWordRune(r):
		c.word = append(c.word, r)
		c.base, c.marks = r, 0
	case r == '+':
		c.symbol("plus")
	case r == '#', r == '♯':
		c.symbol("sharp")
	case r == '.' && c.startsWord(next):
		c.symbol("dot")
	default:
		c.end()
	}
	c.last = r
}

// mark keeps a mark that tells letters apart and drops the others: an accent of
// a Latin letter, and whatever sits on no letter at all.
func (c *collector) mark(r rune) {
	if len(c.word) == 0 || c.marks == maxMarks || !unicode.IsLetter(c.base) {
		return
	}
	if unicode.Is(unicode.Latin, c.base) && (c.base != 'n' || r != tilde || c.marks > 0) {
		return
	}
	c.word = append(c.word, r)
	c.marks++
}

// startsWord reports whether a dot before next starts a word: it follows
// nothing that belongs to a word or could be one. In a script without spaces a
// Latin word starts anywhere.
func (c *collector) startsWord(next rune) bool {
	if !isWordRune(next) {
		return false
	}
	switch {
	case c.last == '.', c.last == '+', c.last == '#', c.last == '♯':
		return false
	case isWordRune(c.last):
		return scriptOf(c.last) == spaceless && unicode.Is(unicode.Latin, next)
	}
	return true
}

// symbol ends the current word and adds one for a symbol.
func (c *collector) symbol(word string) {
	c.end()
	c.words = append(c.words, word)
}

// end ends the current word, if there is one.
func (c *collector) end() {
	if len(c.word) > 0 {
		c.words = append(c.words, norm.NFC.String(string(c.word)))
		c.word = c.word[:0]
	}
}
