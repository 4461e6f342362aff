package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/ontology"
	"github.com/acervo-graph/acervo/recall"
)

// reader knows types and relations of its own beside the built-in ones.
func reader() *recall.Reader {
	types := append(ontology.BuiltinTypes(),
		ontology.Type{Name: "Instrumento Musical", Origin: ontology.OriginRegistered}, ontology.Type{Name: "Pez", Origin: ontology.OriginAuto},
		ontology.Type{Name: "Story", Origin: ontology.OriginAuto}, ontology.Type{Name: "de", Origin: ontology.OriginAuto},
		ontology.Type{Name: "由…组成", Origin: ontology.OriginAuto}, ontology.Type{Name: "!!", Origin: ontology.OriginAuto})
	relations := append(ontology.BuiltinRelations(),
		ontology.Relation{Name: "TOCA_EN_BANDA", Origin: ontology.OriginAuto}, ontology.Relation{Name: "mentored by", Origin: ontology.OriginRegistered},
		ontology.Relation{Name: "de la", Origin: ontology.OriginAuto}, ontology.Relation{Name: "`) DETACH DELETE n //", Origin: ontology.OriginAuto})
	return recall.New(ontology.New(types, relations))
}

func TestChat(t *testing.T) {
	t.Parallel()
	r := reader()
	for _, message := range []string{
		"ok, hasta mañana", "Ok, sigamos.", "OK", "ok gracias por todo!", "jaja", "JAJAJAJA", "jajajaj", "hahaha", "jeje 😂", "😀👍", "…", "",
		"thanks!", "Thank you very much!!", "thanks for that", "lol", "holaaaa", "hola, ¿qué tal?", "¿Cómo estás?", "how are you?", "what's up?",
		"gracias, ¿y vos?", "no, nada más", "hasta manana", "see you tomorrow", "I don't know", "sí", "ah, ok", "Buenas noches, que descanses", "👋 bye",
		"that's great, thanks", "por favor", "dale, perfecto", "no te lo puedo decir",
	} {
		if q := r.Read(message); !q.Chat {
			t.Errorf("%q isn't chat: %+v", message, q)
		}
	}
	for _, message := range []string{
		"¿y a quién se lo presté?", "¿y ella?", "ok, ¿y ella?", "why?", "and him?", "¿Cómo va Butaco?", "gracias Lucía", "¿qué instrumentos toco?",
		"ok, hasta mañana Lucía", "北京", "¿dónde?", "y ella", "jazz", "Hoy fui al cine", "¿Qué sabés de mí?", "what do you know about me?",
	} {
		if q := r.Read(message); q.Chat {
			t.Errorf("%q is chat", message)
		}
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	r := reader()
	for message, want := range map[string][]string{
		"¿a qué personas conozco?":              {"Persona"},
		"¿Conozco a alguna PERSONA?":            {"Persona"},
		"which people do I know?":               {"Persona"},
		"is there any person I forgot":          {"Persona"},
		"who do I know?":                        {"Persona"},
		"¿A quiénes conozco?":                   {"Persona"},
		"¿qué gente conozco?":                   {"Persona"},
		"mis organizaciones y mis proyectos":    {"Organizacion", "Proyecto"},
		"¿Qué Organización es?":                 {"Organizacion"},
		"list my companies":                     {"Organizacion"},
		"mis empresas":                          {"Organizacion"},
		"¿qué lugares, qué universos?":          {"Lugar", "Universo"},
		"editoriales, editorial":                {"Editorial"},
		"which technologies and which projects": {"Tecnologia", "Proyecto"},
		"¿qué instrumentos musicales tengo?":    {"Instrumento Musical"},
		"an instrumento musical":                {"Instrumento Musical"},
		"¿qué peces tengo?":                     {"Pez"},
		"tell me stories":                       {"Story"},
		"where does she work, and who works?":   nil,
		"de la, de los":                         nil,
		"personalmente, impersonal":             nil,
		"what is it?":                           nil,
		"":                                      nil,
	} {
		var got []string
		for _, m := range r.Read(message).Types {
			got = append(got, m.Type)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", message, diff)
		}
	}
	if m := r.Read("¿a qué personas conozco?").Types[0]; m.Words != "personas" {
		t.Errorf("the words are %q", m.Words)
	}
}

func TestRelations(t *testing.T) {
	t.Parallel()
	r := reader()
	for message, want := range map[string][]string{
		"¿dónde vive Lucía?":               {"VIVE_EN"},
		"where does Lucía live?":           {"VIVE_EN"},
		"Where has Lucía lived":            {"VIVE_EN"},
		"¿dónde vivía?":                    {"VIVE_EN"},
		"¿En qué trabaja, y dónde vive?":   {"TRABAJA_EN", "VIVE_EN"},
		"who works at Acme?":               {"TRABAJA_EN"},
		"¿quién es la dueña de Butaco?":    {"DUEÑO_DE"},
		"who owns it":                      {"DUEÑO_DE"},
		"whose is it":                      {"DUEÑO_DE"},
		"what does Ana like?":              {"GUSTA_DE"},
		"¿Qué le gusta a Ana?":             {"GUSTA_DE"},
		"¿quién es la hermana de Ana?":     {"FAMILIAR_DE"},
		"the brothers of Ana":              {"FAMILIAR_DE"},
		"¿qué tecnologías usa?":            {"USA_TECNOLOGIA"},
		"¿quién lo escribió?":              {"CREATED_BY"},
		"¿en qué bandas tocó?":             {"TOCA_EN_BANDA"},
		"who mentored Ana?":                {"mentored by"},
		"tell us the way":                  nil, // us is no form of usar
		"¿de quién hablamos en la semana?": nil,
		"creo que Ana canta":               nil, // but creó is a form of crear
		"¿quién creó Butaco?":              {"CREATED_BY"},
		"delete it":                        {"`) DETACH DELETE n //"},
	} {
		if diff := cmp.Diff(want, r.Read(message).Relations); diff != "" {
			t.Errorf("%q (-want +got):\n%s", message, diff)
		}
	}
}

func TestGoesOn(t *testing.T) {
	t.Parallel()
	r := reader()
	for message, want := range map[string]bool{
		"¿y a quién se lo presté?": true, "¿a quién se lo presté?": true, "and where does she live?": true, "what about that?": true,
		"¿y dónde?": true, "¿Cómo es ella?": true, "¿Y él?": true, "who gave it to him?": true, "¿cuál es su comida favorita?": true,
		"¿qué instrumentos toco?": false, "¿dónde está el libro?": false, "the song that I sing": false, "lo mejor de la casa": false,
		"what do I play?": false, "": false,
	} {
		if got := r.Read(message).GoesOn; got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}

func TestElliptical(t *testing.T) {
	t.Parallel()
	r := reader()
	for message, want := range map[string]bool{
		"¿Tiene hijos?": true, "¿Cuántos años tiene?": true, "why?": true, "where does he live and work?": true, "¿Dónde trabaja ahora?": true,
		"What's the capital of France?": false, "Explain quantum computing": false, "El clima está lindo": false,
		"where does the president of France live?": false, "北京在哪里？": false, "где Москва?": false,
	} {
		if q := r.Read(message); q.Elliptical != want || q.Chat {
			t.Errorf("%q: %+v", message, q)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	r := reader()
	for message, want := range map[string][2]string{
		"¿Qué instrumentos toco?":      {"instrumentos toco?", "instrumentos toco?"},
		"what instruments do I play?":  {"instruments play?", "instruments play?"},
		"¿a qué personas conozco?":     {"personas", ""},
		"what do you know about me":    {"", ""},
		"gracias, ¿quién sabe C++?":    {"C++?", "C++?"},
		"ok, people with a dog/cat":    {"people dog/cat", "dog/cat"},
		"Me regalaron una guitarra...": {"regalaron guitarra...", "regalaron guitarra..."},
		"北京 在哪里":                       {"北京 在哪里", "北京 在哪里"},
	} {
		q := r.Read(message)
		if diff := cmp.Diff(want, [2]string{q.Text, q.OtherText}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", message, diff)
		}
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	r := reader()
	for _, message := range []string{
		strings.Repeat("personas ", 100_000), strings.Repeat("a", 1<<20), "\xff\xfe", "\x00", strings.Repeat("\u0301", 5000), "'`\"\\) //", "?", "¿?",
		strings.Repeat("ok ", 1000),
	} {
		q := r.Read(message)
		if len(q.Types) > 1 {
			t.Errorf("%.20q: %+v", message, q)
		}
	}
}

// FuzzRead reads anything, and the same each time.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"¿y a quién se lo presté?", "ok, hasta mañana", "\xff", "北京 jaja C++ ?", "instrumentos musicales de la"} {
		f.Add(s)
	}
	r := reader()
	f.Fuzz(func(t *testing.T, message string) {
		a, b := r.Read(message), r.Read(message)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Error(diff)
		}
		if a.Chat && (len(a.Types) > 0 || len(a.Relations) > 0 || a.Text != "") {
			t.Errorf("chat that asks: %+v", a)
		}
	})
}

func ExampleReader_Read() {
	q := recall.New(ontology.Builtin()).Read("¿Y qué personas viven en la ciudad?")
	fmt.Println(q.GoesOn, q.Types[0].Type, q.Relations, q.OtherText)
	// Output: true Persona [VIVE_EN] viven ciudad?
}

func TestSelf(t *testing.T) {
	t.Parallel()
	r := reader()
	for message, want := range map[string]bool{
		"¿dónde vivo?": true, "where do I live?": true, "¿Dónde trabajo yo?": true, "¿quién soy?": true, "who am I?": true, "¿qué me gusta?": true,
		"what do you know about me?": true, "¿Qué sabés de mí?": true, "¿quiénes son mis hermanos?": true, "who is my older brother?": true,
		"where do we work": true, "¿y yo, dónde vivo?": true, "Which company do I work for?": true,
		"¿dónde vive?": false, "where does she live?": false, "tell me where she lives": false, "tell me about jazz": false, "¿me dices dónde vive Lucía?": false,
		"who is that": false, "ok, me voy a dormir": false, "where does my friend Carlos live?": false, "": false,
	} {
		if got := r.Read(message).Self; got != want {
			t.Errorf("%q: %v, want %v", message, got, want)
		}
	}
}
