package recall

import (
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/spanish"

	"github.com/acervo-graph/acervo/ontology"
)

// language holds the words of a language that say what a message asks for. Words
// are parted by spaces, phrases by commas; case and accents don't count, but for
// pronouns.
type language struct {
	// stop are words that name nothing and that nothing is searched by, beside those
	// that isStop knows.
	stop   string
	isStop func(word string) bool
	// questions are words that a question begins with.
	questions string
	// chat are phrases that ask nothing. A message of nothing else gets nothing.
	chat string
	// goesOn are words that a message begins with which goes on with what was said.
	goesOn string
	// pronouns stand for what was said, wherever they stand; with their accents.
	pronouns string
	// lastPronouns do so at the end of a message only.
	lastPronouns string
	// firstPerson are words by which people speak of themselves.
	firstPerson string
	// firstPersonObjects do so in a message that says nothing else: "¿qué me gusta?" is
	// about who asks, "tell me about jazz" isn't.
	firstPersonObjects string
	// types are phrases that stand for a built-in type, beside its name and aliases.
	types map[string]string
	// notTypes are aliases of types that mostly mean something else.
	notTypes string
	// relations are words for a built-in relation.
	relations map[string]string
	// singular gives what a word may be the plural of.
	singular func(word string) []string
	// stem gives what the forms of a word have in common.
	stem func(word string) string
}

// languages are those that messages are read in, all at once: people mix them.
func languages() []language { return []language{spanishWords(), englishWords()} }

func stemSpanish(word string) string { return ontology.Fold(spanish.Stem(word, true)) }
func stemEnglish(word string) string { return ontology.Fold(english.Stem(word, true)) }

// singularSpanish gives the singular of personas, organizaciones, voces.
func singularSpanish(word string) []string {
	var forms []string
	if s, ok := strings.CutSuffix(word, "s"); ok && len(s) > 2 {
		forms = append(forms, s)
	}
	if s, ok := strings.CutSuffix(word, "es"); ok && len(s) > 2 {
		forms = append(forms, s)
		if z, ok := strings.CutSuffix(s, "c"); ok {
			forms = append(forms, z+"z")
		}
	}
	return forms
}

// singularEnglish gives the singular of people, stories, boxes, projects.
func singularEnglish(word string) []string {
	switch word {
	case "people":
		return []string{"person"}
	case "men", "women":
		return []string{strings.TrimSuffix(word, "en") + "an"}
	case "children":
		return []string{"child"}
	}
	var forms []string
	if s, ok := strings.CutSuffix(word, "ies"); ok && len(s) > 1 {
		forms = append(forms, s+"y")
	}
	if s, ok := strings.CutSuffix(word, "ves"); ok && len(s) > 1 {
		forms = append(forms, s+"f", s+"fe")
	}
	if s, ok := strings.CutSuffix(word, "s"); ok && len(s) > 2 {
		forms = append(forms, s)
	}
	if s, ok := strings.CutSuffix(word, "es"); ok && len(s) > 2 {
		forms = append(forms, s)
	}
	return forms
}
