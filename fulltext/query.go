package fulltext

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits of a query. The index takes 1,024 clauses; a word makes two.
const (
	maxWords = 200
	maxRunes = 64 // of a word that are looked at
)

// Query is what a text searches for. Two of the same words are equal.
type Query struct {
	terms []term
}

// term is one word to search for.
type term struct {
	text   string // as the index's analyzer may take it: letters and digits
	folded string
	roots  []root // of a word that is set apart by spaces
	script script
}

// Parse takes the words of a text, each once. Words that are in every text, such as
// "the" and "que", count only if there are no others; of more than 200 words, the
// longest count. Two neighbouring characters of Han or Hiragana count as a word.
func Parse(text string) Query {
	var terms, idle []term
	seen := map[string]bool{}
	for _, w := range words(text) {
		for _, t := range termsOf(text[w.start:w.end], w.script) {
			switch {
			case seen[t.folded] || t.folded == "":
			case common[t.folded]:
				idle = append(idle, t)
			default:
				terms = append(terms, t)
			}
			seen[t.folded] = true
		}
	}
	if len(terms) == 0 {
		terms = idle
	}
	if len(terms) > maxWords {
		slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(len(b.folded), len(a.folded)) })
		terms = terms[:maxWords]
	}
	return Query{terms}
}

// termsOf gives the terms of one word: itself, or its pairs of characters.
func termsOf(text string, s script) []term {
	if s != single {
		text = firstRunes(text, maxRunes)
		folded := fold(text)
		return []term{{text, folded, roots(folded), s}}
	}
	runes := []rune(text)
	if len(runes) < 2 {
		return []term{{text, text, nil, s}}
	}
	pairs := make([]term, 0, len(runes)-1)
	for i := range len(runes) - 1 {
		pair := string(runes[i : i+2])
		pairs = append(pairs, term{pair, pair, nil, s})
	}
	return pairs
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Lucene gives the query for one field of the index, "" if it is empty. What has a
// word itself is before what has another form of it. Nothing of the text is read as
// an operator: there are only letters and digits in it.
func (q Query) Lucene(field string) string {
	clauses := make([]string, 0, 2*len(q.terms))
	for _, t := range q.terms {
		// The analyzer drops some words and would leave no clause, that is to say no
		// condition; the second one isn't analyzed.
		clauses = append(clauses, field+`:"`+t.text+`"`, field+":/"+t.pattern()+"/^0.5")
	}
	return strings.Join(clauses, " ")
}

// pattern is a regular expression for the words of the index that the term finds: its
// forms, also before a sign that doesn't end a word for the index, as in node.js.
func (t term) pattern() string {
	const more = "(['._:].*)?"
	switch t.script {
	case hangul:
		return t.folded + ".*"
	case joined:
		return ".*" + t.folded + ".*"
	case single:
		return t.folded + more
	}
	if utf8.RuneCountInString(t.folded) >= maxRunes {
		return greekForms.Replace(firstRunes(t.folded, maxRunes)) + ".*"
	}
	return patternOf(t.roots) + more
}

// Range is a piece of a text in bytes: from Start up to but not including End.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Ranges gives the pieces of a text that the query finds, in their order; those that
// touch are one.
func (q Query) Ranges(text string) []Range {
	sought := make(map[root]bool, 2*len(q.terms))
	for _, t := range q.terms {
		for _, r := range t.roots {
			sought[r] = true
		}
	}
	var found []Range
	add := func(start, end int) {
		if n := len(found); n > 0 && found[n-1].End >= start {
			found[n-1].End = max(found[n-1].End, end)
			return
		}
		found = append(found, Range{start, end})
	}
	for _, w := range words(text) {
		piece := text[w.start:w.end]
		if w.script == spaced {
			if slices.ContainsFunc(roots(fold(firstRunes(piece, maxRunes))), func(r root) bool { return sought[r] }) {
				add(w.start, w.end)
			}
			continue
		}
		var inside []Range
		for _, t := range q.terms {
			if t.script != w.script {
				continue
			}
			for at := 0; ; {
				i := strings.Index(piece[at:], t.text)
				if i < 0 || w.script == hangul && at+i > 0 {
					break
				}
				inside = append(inside, Range{w.start + at + i, w.start + at + i + len(t.text)})
				at += i + len(t.text)
			}
		}
		slices.SortFunc(inside, func(a, b Range) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
		for _, r := range inside {
			add(r.Start, r.End)
		}
	}
	return found
}
