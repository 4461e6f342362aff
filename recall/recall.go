package recall

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/acervo-graph/acervo/ontology"
)

const (
	// maxWords is how many words of a message are read, at the most.
	maxWords = 500
	// maxPhrase is how many words a phrase of the tables or the name of a type may have.
	maxPhrase = 5
	// maxSearched is how many words are searched for.
	maxSearched = 32
)

// Query is what a message asks for, beside what it names.
type Query struct {
	// Chat: the message asks nothing.
	Chat bool
	// GoesOn: the message says itself that it goes on with what was said before, as
	// "and where does she live?" does.
	GoesOn bool
	// Elliptical: the message says so little by itself, one word at the most beside
	// those for relations, that it may go on with what was said before: "does she have
	// children?" is asked of somebody, "what is the capital of France?" of nobody.
	Elliptical bool
	// Self: the message is about who says it, and says little else: "where do I live?",
	// "¿quién soy?".
	Self bool
	// Types are the types that it speaks of, in its order.
	Types []TypeMention
	// Relations are the relations that it speaks of, in its order, each once.
	Relations []string
	// Text is what the memory may be searched for: the message without the words that
	// say nothing by themselves, 32 at the most. OtherText leaves out those for types
	// too.
	Text, OtherText string
	// Weak are the ids of words of the message that say nothing by themselves. An
	// entity may be called so, but such a word isn't all that a message is about.
	Weak []string
}

// TypeMention is a type and the id of the words that stand for it; see
// [ontology.ID].
type TypeMention struct{ Type, Words string }

// Reader reads messages. It never changes.
type Reader struct {
	ontology  *ontology.Ontology
	languages []language
	stop      map[string]bool
	questions map[string]bool
	chat      map[string]bool
	goesOn    map[string]bool
	pronouns  map[string]bool // as they are written
	last      map[string]bool // as they are written
	self      map[string]bool
	selfAlone map[string]bool
	types     map[string]string
	typeWords int // how many words the name of a type of the ontology has, at the most
	notTypes  map[string]bool
	relations map[stem][]string
	stems     map[string]bool // the first two letters of their words' stems
	related   map[string]bool // words for relations, as they are written: they count though they are stop words
	starts    map[string]bool // words that phrases of chat and for types begin with
}

// stem is a stem in one of the languages.
type stem struct {
	language int
	text     string
}

// New returns a reader for messages that may speak of the types and relations of
// an ontology.
func New(o *ontology.Ontology) *Reader {
	r := &Reader{
		ontology: o, languages: languages(), stop: map[string]bool{}, questions: map[string]bool{}, chat: map[string]bool{},
		goesOn: map[string]bool{}, pronouns: map[string]bool{}, last: map[string]bool{}, self: map[string]bool{}, selfAlone: map[string]bool{},
		types: map[string]string{}, typeWords: 1, notTypes: map[string]bool{},
		relations: map[stem][]string{}, stems: map[string]bool{}, related: map[string]bool{}, starts: map[string]bool{},
	}
	for i, l := range r.languages {
		addIDs(r.stop, strings.Fields(l.stop))
		addIDs(r.questions, strings.Fields(l.questions))
		addIDs(r.chat, strings.Split(l.chat, ","))
		addIDs(r.goesOn, strings.Fields(l.goesOn))
		addIDs(r.notTypes, strings.Fields(l.notTypes))
		addIDs(r.self, strings.Fields(l.firstPerson))
		addIDs(r.selfAlone, strings.Fields(l.firstPersonObjects))
		add(r.pronouns, strings.Fields(l.pronouns))
		add(r.last, strings.Fields(l.lastPronouns))
		for phrases, name := range l.types {
			for _, phrase := range strings.Split(phrases, ",") {
				r.types[idOf(phrase)] = name
			}
		}
		for name, list := range l.relations {
			for _, word := range strings.Fields(list) {
				r.relate(stem{i, l.stem(word)}, name)
				r.related[word] = true
			}
		}
	}
	for _, t := range o.Types() {
		if id := idOf(t.Name); id != "" && !r.stop[id] {
			r.types[id] = t.Name
			r.typeWords = max(r.typeWords, min(strings.Count(id, "_")+1, maxPhrase))
		}
	}
	for _, phrases := range [...]iter.Seq[string]{maps.Keys(r.chat), maps.Keys(r.types)} {
		for id := range phrases {
			start, _, _ := strings.Cut(id, "_")
			r.starts[start] = true
		}
	}
	for _, rel := range o.Relations() {
		if rel.Origin != ontology.OriginBuiltin {
			r.relateByName(rel.Name)
		}
	}
	return r
}

// Ontology is what the reader was made with.
func (r *Reader) Ontology() *ontology.Ontology { return r.ontology }

// relateByName lets the words of a relation's own name stand for it.
func (r *Reader) relateByName(name string) {
	for _, w := range split(name) {
		if r.says(w) {
			for i, l := range r.languages {
				r.relate(stem{i, l.stem(w.text)}, name)
			}
		}
	}
}

func (r *Reader) relate(s stem, name string) {
	r.stems[firstTwo(s.text)] = true
	if !slices.Contains(r.relations[s], name) {
		r.relations[s] = append(r.relations[s], name)
		slices.Sort(r.relations[s])
	}
}

// firstTwo gives the first two letters of a word or stem, which a stem shares with its
// words.
func firstTwo(s string) string {
	n := 0
	for i := range s {
		if n++; n > 2 {
			return s[:i]
		}
	}
	return s
}

// Read says what a message asks for. It costs what the message is long, and reads
// no more than its first 500 words.
func (r *Reader) Read(message string) Query {
	words := split(message)
	var q Query
	plain, chatted := make([]bool, len(words)), r.phrases(words)
	for i, w := range words {
		if plain[i] = !r.says(w); (plain[i] || chatted[i]) && !slices.Contains(q.Weak, w.id) {
			q.Weak = append(q.Weak, w.id)
		}
	}
	q.GoesOn = r.continues(words)
	q.Chat = r.chats(message, words, plain, chatted, q.GoesOn)
	if q.Chat {
		return q
	}
	typed := r.findTypes(words, plain, &q)
	own := 0 // words that say something, and not a relation
	for i, w := range words {
		if plain[i] && !r.related[w.text] {
			continue
		}
		relates := false
		if r.stems[firstTwo(w.id)] { // stemming takes long
			relates = r.addRelations(w, &q)
		}
		if !relates && !plain[i] && !chatted[i] {
			own++
			// Chinese and the like don't part words.
			if !latin(w.text) {
				own++
			}
		}
	}
	q.Elliptical = own <= 1
	q.Self = q.Elliptical && hasAny(words, r.self) || own == 0 && !q.GoesOn && hasAny(words, r.selfAlone)
	q.Text = text(words, func(i int) bool { return !plain[i] && !chatted[i] || typed[i] })
	q.OtherText = text(words, func(i int) bool { return !plain[i] && !chatted[i] && !typed[i] })
	return q
}

// hasAny reports whether one of the words is in a set of ids.
func hasAny(words []word, set map[string]bool) bool {
	return slices.ContainsFunc(words, func(w word) bool { return set[w.id] })
}

// addRelations adds the relations that a word stands for, and reports whether it does
// for any.
func (r *Reader) addRelations(w word, q *Query) bool {
	relates := false
	for i, l := range r.languages {
		for _, name := range r.relations[stem{i, l.stem(w.text)}] {
			relates = true
			if !slices.Contains(q.Relations, name) {
				q.Relations = append(q.Relations, name)
			}
		}
	}
	return relates
}

// latin reports whether a word has no letters but Latin ones.
func latin(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

// says reports whether a word says something by itself.
func (r *Reader) says(w word) bool {
	if r.stop[w.id] {
		return false
	}
	for _, l := range r.languages {
		if l.isStop(w.text) {
			return false
		}
	}
	return w.id != ""
}

// phrases marks the words that belong to phrases of chat.
func (r *Reader) phrases(words []word) []bool {
	marked := make([]bool, len(words))
	for i := 0; i < len(words); {
		n := 0
		if r.starts[words[i].id] {
			n = longest(words[i:], maxPhrase, func(words []word) bool { return r.chat[join(words)] })
		}
		if n == 0 && laughs(words[i].id) {
			n = 1
		}
		for j := range n {
			marked[i+j] = true
		}
		i += max(n, 1)
	}
	return marked
}

// continues reports whether a message says itself that it goes on.
func (r *Reader) continues(words []word) bool {
	if len(words) == 0 {
		return false
	}
	if r.goesOn[words[0].id] || r.last[words[len(words)-1].text] {
		return true
	}
	for i, w := range words {
		if r.pronouns[w.text] {
			return true
		}
		// se lo presté, me la regaló, but not la casa, lo mejor
		if r.last[w.text] && i > 0 && (words[i-1].id == "se" || words[i-1].id == "me" || words[i-1].id == "te") {
			return true
		}
	}
	return false
}

// chats reports whether a message asks nothing.
func (r *Reader) chats(message string, words []word, plain, chatted []bool, goesOn bool) bool {
	if len(words) == maxWords {
		return false
	}
	all, any := true, false
	for i := range words {
		if !chatted[i] && !plain[i] {
			return false
		}
		all, any = all && chatted[i], any || chatted[i]
	}
	if all {
		return true // emoji too
	}
	asks := strings.ContainsAny(message, "?¿？؟") || r.questions[words[0].id]
	return !asks && (any || !goesOn)
}

// findTypes adds the types that a message speaks of, and marks their words.
func (r *Reader) findTypes(words []word, plain []bool, q *Query) []bool {
	marked := make([]bool, len(words))
	for i := 0; i < len(words); {
		most := r.typeWords
		switch {
		case r.starts[words[i].id]:
			most = maxPhrase
		case plain[i]:
			most = 0
		}
		name := ""
		n := longest(words[i:], most, func(words []word) bool { name = r.typeOf(words); return name != "" })
		if n > 0 && !slices.ContainsFunc(q.Types, func(t TypeMention) bool { return t.Type == name }) {
			q.Types = append(q.Types, TypeMention{name, join(words[i : i+n])})
		}
		for j := range n {
			marked[i+j] = true
		}
		i += max(n, 1)
	}
	return marked
}

// typeOf gives the type that words stand for, in the singular or in the plural.
func (r *Reader) typeOf(words []word) string {
	id := join(words)
	if r.stop[id] || r.notTypes[id] {
		return ""
	}
	if name, ok := r.types[id]; ok {
		return name
	}
	if len(words) > r.typeWords {
		return ""
	}
	if t, ok := r.ontology.Type(id); ok {
		return t.Name
	}
	for _, l := range r.languages {
		for _, form := range singulars(l, words) {
			if name, ok := r.types[form]; ok {
				return name
			}
			if t, ok := r.ontology.Type(form); ok && !r.notTypes[form] {
				return t.Name
			}
		}
	}
	return ""
}

// singulars gives ids of the singular of a name: with each word that has one in it
// (instrumentos musicales), and with the last one alone (musical instruments).
func singulars(l language, words []word) []string {
	if !slices.ContainsFunc(words, func(w word) bool { return len(l.singular(w.id)) > 0 }) {
		return nil
	}
	last := len(words) - 1
	each := []string{""}
	for i, w := range words {
		forms := l.singular(w.id)
		if len(forms) == 0 {
			forms = []string{w.id}
		}
		var longer []string
		for _, start := range each {
			for _, form := range forms {
				if i > 0 {
					form = start + "_" + form
				}
				longer = append(longer, form)
			}
		}
		each = longer
	}
	if last > 0 {
		for _, form := range l.singular(words[last].id) {
			each = append(each, join(words[:last])+"_"+form)
		}
	}
	return each
}

// laughs reports whether a word is laughter of any length, such as jajaja.
func laughs(id string) bool {
	rest := strings.Trim(id, "jh")
	for _, vowel := range "aeio" {
		if len(id) >= 3 && len(rest) < len(id) && strings.Trim(id, "jh"+string(vowel)) == "" && strings.ContainsRune(id, vowel) {
			return true
		}
	}
	return false
}

// word is a word of a message.
type word struct {
	text  string // in lower case, composed
	id    string // as ontology.ID gives it
	raw   string // what stands between white space around it
	field int    // the number of raw in the message
}

// split gives the first words of a text.
func split(s string) []word {
	var words []word
	for n, raw := range strings.Fields(s) {
		for _, w := range strings.FieldsFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) }) {
			if len(words) == maxWords {
				return words
			}
			if id := idOf(w); id != "" {
				words = append(words, word{text: norm.NFC.String(strings.ToLower(w)), id: shorter(id), raw: raw, field: n})
			}
		}
	}
	return words
}

// shorter takes out letters that are there for emphasis: holaaa is hola.
func shorter(id string) string {
	runes := []rune(id)
	var kept []rune
	for i := 0; i < len(runes); {
		n := 1
		for i+n < len(runes) && runes[i+n] == runes[i] {
			n++
		}
		if n < 3 || unicode.IsDigit(runes[i]) {
			kept = append(kept, runes[i:i+n]...)
		} else {
			kept = append(kept, runes[i])
		}
		i += n
	}
	return string(kept)
}

// text gives what stands around the words that are wanted, as it was written.
func text(words []word, wanted func(i int) bool) string {
	var kept []string
	last := -1
	for i, w := range words {
		if len(kept) == maxSearched {
			break
		}
		if wanted(i) && w.field != last {
			kept = append(kept, w.raw)
			last = w.field
		}
	}
	return strings.Join(kept, " ")
}

// longest gives how many of the first words are one phrase, of so many at the most;
// 0 for none.
func longest(words []word, most int, is func(words []word) bool) int {
	for n := min(most, len(words)); n > 0; n-- {
		if is(words[:n]) {
			return n
		}
	}
	return 0
}

func join(words []word) string {
	if len(words) == 1 {
		return words[0].id
	}
	ids := make([]string, len(words))
	for i, w := range words {
		ids[i] = w.id
	}
	return strings.Join(ids, "_")
}

// idOf gives the id of a phrase, "" if it has none.
func idOf(phrase string) string {
	id, err := ontology.ID(phrase)
	if err != nil {
		return ""
	}
	return id
}

func add(set map[string]bool, words []string) {
	for _, w := range words {
		set[w] = true
	}
}

func addIDs(set map[string]bool, phrases []string) {
	for _, p := range phrases {
		set[idOf(p)] = true
	}
}
