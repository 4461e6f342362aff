package fulltext

import "strings"

// root is what forms of a word have in common. Words that share one are forms of each
// other.
type root struct {
	kind rootKind
	text string
}

type rootKind int

const (
	stemmed   rootKind = iota // by number and gender, or by English endings
	sibilant                  // a word that ends in -s, as "pais" and "paises" do
	verbal                    // the infinitive of a Spanish verb
	irregular                 // the first of the forms of an English word
)

// roots gives the roots of a folded word, its stem first.
func roots(w string) []root {
	all := []root{{stemmed, stem(w)}}
	if base, ok := strings.CutSuffix(w, "es"); ok && endsInS(base) {
		all = append(all, root{sibilant, base})
	} else if endsInS(w) {
		all = append(all, root{sibilant, w})
	}
	if first, ok := irregularOf[w]; ok {
		all = append(all, root{irregular, first})
	}
	for _, infinitive := range verbsOf(w) {
		all = append(all, root{verbal, infinitive})
	}
	return all
}

// endsInS reports whether the last letter of a word is an s that may be part of it
// in the singular, too, unlike that of "mes": stem leaves that one.
func endsInS(w string) bool {
	n := len(w)
	return n > 3 && latin(w) && w[n-1] == 's' && w[n-2] != 's'
}

// pattern gives a regular expression of Lucene for the words of a root, and perhaps
// some more.
func (r root) pattern() string {
	switch r.kind {
	case sibilant:
		return r.text + "(es)?"
	case verbal:
		return verbPattern(r.text)
	case irregular:
		return irregularForms[r.text]
	}
	return pattern(r.text)
}

// patternOf gives one for the words of any of the roots.
func patternOf(roots []root) string {
	if len(roots) == 1 {
		return roots[0].pattern()
	}
	all := make([]string, len(roots))
	for i, r := range roots {
		all[i] = r.pattern()
	}
	return "(" + strings.Join(all, "|") + ")"
}

// stem gives what the Spanish and English forms of a folded word have in common:
// "cancion" of "cancion" and "canciones", "citi" of "city" and "cities". It is
// light: number and gender of nouns, and the regular endings of English verbs.
// Words with other letters than a to z are their own stems.
func stem(w string) string {
	if !latin(w) {
		return w
	}
	s := w
	if n := len(s); n > 3 && s[n-1] == 's' && s[n-2] != 's' {
		s = s[:n-1]
	}
	s = withoutEnding(s)
	if n := len(s); n > 3 && s[n-1] == 'e' || n > 4 && (s[n-1] == 'a' || s[n-1] == 'o') {
		s = s[:n-1]
	}
	switch n := len(s); {
	case n < 3:
	case s[n-1] == 'z':
		s = s[:n-1] + "c" // luz, luces
	case s[n-1] == 'y' && n > 3 && !vowel(s[n-2]):
		s = s[:n-1] + "i" // city, cities
	}
	return s
}

// withoutEnding gives an English word without -ing or -ed: "hik" of "hiking", "use"
// of "used". What is left must be a word that can be said; -eed is part of a word.
func withoutEnding(s string) string {
	base, ok := strings.CutSuffix(s, "ing")
	if !ok {
		base, ok = strings.CutSuffix(s, "ed")
		ok = ok && !strings.HasSuffix(s, "eed") && !notParticiples[s]
	}
	switch {
	case ok && short(base):
		return base + "e"
	case ok && len(base) >= 3 && strings.ContainsAny(base, "aeiouy"):
		return undouble(base)
	}
	return s
}

// notParticiples are Spanish words that end in -ed.
var notParticiples = map[string]bool{"pared": true, "cesped": true, "huesped": true, "merced": true, "usted": true}

// short reports whether a word is a vowel and a consonant, as "us" of "used".
func short(s string) bool { return len(s) == 2 && vowel(s[0]) && !vowel(s[1]) }

// undouble undoes the doubling before an ending: "stopp" of "stopped".
func undouble(s string) string {
	if n := len(s); n > 3 && s[n-1] == s[n-2] && strings.IndexByte("bdgmnpt", s[n-1]) >= 0 {
		return s[:n-1]
	}
	return s
}

// pattern gives a regular expression of Lucene for the words of a stem, and perhaps
// some more.
func pattern(stem string) string {
	if !latin(stem) || len(stem) < 3 {
		return greekForms.Replace(stem)
	}
	base, last := stem[:len(stem)-1], stem[len(stem)-1]
	const endings = "(e|a|o|s|es|as|os|ed|e?ing|e?ings)?"
	switch {
	case last == 'e' && short(base):
		return base + "(e(e|s|es)?|ed|ing|ings)"
	case last == 'c':
		return base + "[cz]" + endings
	case last == 'i':
		return base + "[iy]" + endings
	case strings.IndexByte("bdgmnpt", last) >= 0:
		return stem + "(e|a|o|s|es|as|os|" + string(last) + "?(ed|ing|ings)|eing|eings)?"
	}
	return stem + endings
}

// latin reports whether a word is written with nothing but a to z.
func latin(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

func vowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }
