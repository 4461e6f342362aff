package fulltext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestStem(t *testing.T) {
	t.Parallel()
	for _, forms := range []string{
		"canción canciones", "instrument instruments instrumento instrumentos", "ciudad ciudades", "luz luces", "lápiz lápices",
		"mes meses", "red redes", "calle calles", "perro perra perros perras", "casa casas", "flor flores", "músico música músicos",
		"city cities", "study studies studied studying", "run runs", "stop stopped stopping", "dance dances dancing danced",
		"file files", "class classes", "play plays played playing", "line lines", "box boxes", "house houses",
		"hike hikes hiking hiked", "make makes making", "live lives lived living", "use uses used using", "eat eats eating", "add adds added adding",
		"fly flying", "agree agreeing", "name naming nameing", "age aged aging", "pared paredes", "proceed proceeds proceeding",
		"toco toca tocar tocaba tocan toqué tocó tocando tocado", "viajé viajar viajo viaja viajó viajaron viajaba viajaremos", "llego llegar llegué llega",
		"cruzo cruzar crucé cruza cruzaba", "vivo vive vivir vivía viven vivió vivido", "vendo vende vender vendía", "escribo escribir escribía escribió",
		"jugar jugaba jugaron", "zurcar zurcaban",
		"child children", "person people", "woman women", "wife wives", "life lives", "knife knives", "mouse mice", "tooth teeth", "criterion criteria",
		"write writes wrote written writing", "go goes went gone going", "buy bought buying", "take took taken taking", "sing sang sung singing", "win won winning",
		"Ελλάδα ελλαδα ΕΛΛΑΔΑ ΕΛΛΆΔΑ", "Γιώργος ΓΙΩΡΓΟΣ γιωργος", "Μαΐου μαιου Μαϊου", "שלום", "नमस्ते",
		"país países", "inglés ingleses", "interés intereses", "autobús autobuses", "virus viruses", "status statuses", "gas gases", "gris grises",
	} {
		words := strings.Fields(forms)
		for _, w := range words {
			for _, other := range words {
				if !meet(w, other) {
					t.Errorf("%s doesn't find %s: %v, %v", w, other, roots(fold(w)), roots(fold(other)))
				}
				if !asked(w, other) {
					t.Errorf("%s doesn't ask for %s: %s", w, other, patternOf(roots(fold(w))))
				}
			}
		}
	}
	for _, pair := range [][2]string{
		{"casa", "caso"}, {"gato", "gata"}, {"node", "nodule"}, {"no", "nos"}, {"b2", "b2s"}, {"москва", "москвы"}, {"sing", "s"}, {"red", "r"}, {"speed", "spe"},
		{"string", "str"}, {"thing", "th"}, {"being", "be"}, {"need", "ne"}, {"pared", "par"}, {"adding", "ad"},
		{"país", "paisa"}, {"tens", "tense"}, {"class", "clase"},
		{"wife", "life"}, {"Drew", "draw"}, {"saw", "see"}, {"founder", "find"}, {"leaf", "leave"}, {"man", "woman"}, {"bring", "build"},
	} {
		if meet(pair[0], pair[1]) {
			t.Errorf("%s and %s have the roots %v and %v", pair[0], pair[1], roots(fold(pair[0])), roots(fold(pair[1])))
		}
	}
}

// Words that look like forms of a verb and aren't are neither marked nor asked for.
func TestVerbsOfOtherWords(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"casa", "caso"}, {"gato", "gata"},
		{"casa", "casaba"}, {"casa", "casar"}, {"gato", "gatar"}, {"lugar", "Lugo"}, {"solar", "solo"}, {"altar", "alto"}, {"pulgar", "pulga"}, {"César", "cese"},
		{"Armando", "arma"}, {"Tomás", "tomar"}, {"Marco", "marcar"}, {"player", "playa"}, {"paper", "papa"}, {"Homer", "home"}, {"juego", "jugar"}, {"jugo", "jugar"},
		{"público", "publicar"}, {"entre", "entrar"}, {"parte", "partir"}, {"vista", "vestir"}, {"cosa", "coser"}, {"Vivian", "vivir"}, {"USA", "usar"}, {"toce", "tocar"},
		{"llege", "llegar"}, {"mes", "mesar"}, {"toco", "tocino"}, {"bar", "b"},
	} {
		for _, p := range [][2]string{pair, {pair[1], pair[0]}} {
			if meet(p[0], p[1]) || asked(p[0], p[1]) {
				t.Errorf("%s finds %s: %s", p[0], p[1], patternOf(roots(fold(p[0]))))
			}
		}
	}
	// What is listed is a regular verb: its forms lead back to it and to no other.
	for infinitive := range verbs {
		for _, w := range []string{infinitive, infinitive[:len(infinitive)-2] + "o"} {
			if got := verbsOf(w); len(got) != 1 || got[0] != infinitive {
				t.Errorf("%s is a form of %q, not of %s", w, got, infinitive)
			}
		}
	}
}

// TestIrregular has each irregular form in one line, folded, with others.
func TestIrregular(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	for w, first := range irregularOf {
		lines[first]++
		if fold(w) != w || !latin(w) {
			t.Errorf("%q of %q isn't as words are compared", w, first)
		}
	}
	for first, forms := range irregularForms {
		if n := strings.Count(forms, "|") + 1; n < 2 || n != lines[first] {
			t.Errorf("%s: %s has %d words of this line alone", first, forms, lines[first])
		}
	}
}

// meet reports whether highlights of one word mark another.
func meet(a, b string) bool {
	return slices.ContainsFunc(roots(fold(a)), func(r root) bool { return slices.Contains(roots(fold(b)), r) })
}

// asked reports whether the index finds a word by what is asked for another. It folds
// case only, but for Latin letters.
func asked(a, b string) bool {
	indexed := fold(b)
	if !latin(indexed) {
		indexed = strings.ToLower(b)
	}
	return regexp.MustCompile("^(?:" + patternOf(roots(fold(a))) + ")$").MatchString(indexed)
}

// A word that highlights mark is one that the index finds by the pattern.
func TestPatternFindsItsStem(t *testing.T) {
	t.Parallel()
	endings := []string{"", "s", "es", "o", "a", "e", "os", "as", "ed", "ing", "ings", "y", "ies", "ied", "z", "ces", "ss", "tting", "nned", "ying"}
	for _, base := range []string{"cancion", "perr", "cit", "lu", "lapi", "run", "stop", "danc", "cas", "pla", "stud", "ros", "bal", "ex", "a", "x", "us", "hik", "tr", "pare", "nam"} {
		for _, ending := range endings {
			w := base + ending
			p := regexp.MustCompile("^(?:" + patternOf(roots(w)) + ")$")
			if !p.MatchString(w) {
				t.Errorf("%s isn't matched by %s", w, p)
			}
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Zoë": "zoe", "MUÑOZ": "munoz", "Straße": "strasse", "Ærø": "aero", "Łódź": "lodz", "İstanbul": "istanbul", "ＡＢＣ": "abc", "Москва": "москва",
		"Zoe\u0308": "zoe", "⑴": "1", "مرحبا": "مرحبا", "co\u00adoperate": "cooperate", "½": "12",
		"Ελλάδα": "ελλαδα", "ΑΫΠΝΊΑ": "αυπνια", "Γιώργος": "γιωργοσ", "Γιω\u0301ργος": "γιωργοσ", "ἀρχή": "ἀρχη", "שָׁלוֹם": "שָׁלוֹם",
	} {
		if got := fold(in); got != want {
			t.Errorf("fold(%q) = %q, not %q", in, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                         "",
		" \n*?~^\\\"/(){}[]:!&|+-": "",
		"¿Qué instrumentos toco?":  "instrumentos toco",
		"la canción, la CANCION":   "cancion",
		"The Who":                  "who",
		"AND":                      "and",
		"AND node":                 "node",
		"a^2":                      "2",
		"/x probe":                 "x probe",
		"tb-foo_bar":               "tb foo bar",
		"C++":                      "c",
		"北京是":                      "北京 京是",
		"京":                        "京",
		"東京タワーで":                   "東京 タワー で",
		"한국어를 공부":                  "한국어를 공부",
		"don't":                    "don t",
	} {
		var got []string
		for _, term := range Parse(text).terms {
			got = append(got, term.folded)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseManyWords(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	text.WriteString(strings.Repeat("x", 5000) + " instrumentos")
	q := Parse(text.String())
	if len(q.terms) != maxWords || !strings.Contains(q.Lucene("text"), `"instrumentos"`) {
		t.Errorf("%d words, %v", len(q.terms), q)
	}
	if n := len(q.Lucene("text")); n > 32<<10 {
		t.Errorf("the query is %d bytes long", n)
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, text, want string }{
		{"zoe munoz", "Habló con Zoë Muñoz.", "Habló con [Zoë] [Muñoz]."},
		{"canciones", "Mi canción", "Mi [canción]"},
		{"node", "node.js, Nodes", "[node].js, [Nodes]"},
		{"京是首", "北京是首都", "北[京是首]都"},
		{"タワー", "東京タワーへ", "東京[タワー]へ"},
		{"ภาษา", "ภาษาไทย", "[ภาษา]ไทย"},
		{"한국어", "한국어를", "[한국어]를"},
		{"the", "the cat", "[the] cat"},
		{"the cat", "the cat", "the [cat]"},
		{"zoe", "Zoe\u0308!", "[Zoe\u0308]!"},
		{"países", "un país", "un [país]"},
		{"autobús", "dos autobuses", "dos [autobuses]"},
		{"toco", "toca, tocaba y toqué; un tocino", "[toca], [tocaba] y [toqué]; un tocino"},
		{"ελλαδα", "στην Ελλάδα", "στην [Ελλάδα]"},
		{"hike", "Hiking, hiked", "[Hiking], [hiked]"},
		{"using", "use it, used it", "[use] it, [used] it"},
		{"x", "y", "y"},
		{"", "y", "y"},
	} {
		got, at := "", 0
		for _, r := range Parse(c.query).Ranges(c.text) {
			got += c.text[at:r.Start] + "[" + c.text[r.Start:r.End] + "]"
			at = r.End
		}
		if got += c.text[at:]; got != c.want {
			t.Errorf("%q in %q: %q, not %q", c.query, c.text, got, c.want)
		}
	}
}

// syntax finds what a query of Acervo's is made of.
var syntax = regexp.MustCompile(`text:"([^"]*)" text:/(?:\.\*)?([^/]*?)(\.\*|\(\['\._:\]\.\*\)\?|\.\*)/\^0\.5`)

func FuzzQuery(f *testing.F) {
	for _, text := range []string{"", "C++ AND \"x", "⑴ ﷺ ⒈", "北京 타워 ภาษา", "a\u0301\u0301b", "Ελλάδα toqué países", "\\", "text:*", strings.Repeat("é", 300)} {
		f.Add(text, "Zoë Muñoz 北京")
	}
	f.Fuzz(func(t *testing.T, text, found string) {
		q := Parse(text)
		rest := syntax.ReplaceAllStringFunc(q.Lucene("text"), func(clause string) string {
			m := syntax.FindStringSubmatch(clause)
			for _, r := range m[1] + strings.NewReplacer("[", "", "]", "", "(", "", ")", "", "|", "", "?", "").Replace(m[2]) {
				if !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Cf) {
					t.Fatalf("%q gives %q, with %q", text, clause, r)
				}
			}
			return ""
		})
		if strings.TrimSpace(rest) != "" {
			t.Fatalf("%q gives %q", text, rest)
		}
		if !utf8.ValidString(found) {
			return
		}
		end := 0
		for _, r := range q.Ranges(found) {
			if r.Start < end || r.End <= r.Start || r.End > len(found) || !utf8.ValidString(found[r.Start:r.End]) {
				t.Fatalf("%q in %q: %v", text, found, r)
			}
			end = r.End
		}
	})
}
