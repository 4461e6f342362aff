package integration

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
)

// rememberALot stores a memory of some size: people, projects, things, what is no
// longer so, and 300 entities that nobody asks for.
func rememberALot(t *testing.T, client *acervo.Client, m *acervo.Memory) {
	t.Helper()
	if _, err := client.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: "Mascota"}); err != nil {
		t.Fatal(err)
	}
	batch := acervo.UpsertParams{
		NoActivation: true,
		Entities: []acervo.Entity{
			{Name: "Lucía", Type: "Persona", Aliases: []string{"Lu", "la profe"}}, {Name: "Tomás", Type: "Persona"}, {Name: "Beto Peña", Type: "Persona"},
			{Name: "Faro", Type: "Proyecto"}, {Name: "Butaco", Type: "Proyecto"}, {Name: "Acme", Type: "Organizacion"}, {Name: "Editorial Sur", Type: "Editorial"},
			{Name: "Rosario", Type: "Ciudad"}, {Name: "Salta", Type: "Ciudad"}, {Name: "Casa de Ana", Type: "Ciudad"},
			{Name: "Violín", Type: "Cosa"}, {Name: "Guitarra", Type: "Cosa"}, {Name: "Rex", Type: "Mascota"}, {Name: "Mishi", Type: "Mascota"},
			{Name: "It", Type: "Obra"}, {Name: "El Hobbit", Type: "Obra"},
		},
		Relations: []acervo.Relation{
			{From: "Lucía", To: "Salta", Type: "VIVE_EN"}, {From: "Lucía", To: "Acme", Type: "TRABAJA_EN"}, {From: "Lucía", To: "Tomás", Type: "FAMILIAR_DE"},
			{From: "Lucía", To: "Faro", Type: "DUEÑO_DE"}, {From: "Tomás", To: "El Hobbit", Type: "ESTUDIA_CON"}, {From: "Beto Peña", To: "Acme", Type: "PERTENECE_A"},
		},
		Facts: []acervo.Fact{
			{Entity: "Guitarra", Text: "Instrumento que el usuario toca"}, {Entity: "Violín", Text: "Está en el ropero"},
			{Entity: "Lucía", Text: "Es alérgica al maní"}, {Entity: "Lucía", Text: "Cumple años el 3 de mayo"}, {Entity: "Violín", Text: "Lo tiene Tomás hasta el lunes"},
			{Entity: "Faro", Text: "Sale en mayo"}, {Entity: "Butaco", Text: "ERP para empresa cliente"}, {Entity: "Rex", Text: "Ladra de noche"},
			{Entity: "Beto Peña", Text: "Su contraseña vieja era azul"}, {Entity: "El Hobbit", Text: "The first edition was a birthday present"},
		},
	}
	for i := range 300 {
		name := fmt.Sprint("Relleno ", i)
		batch.Entities = append(batch.Entities, acervo.Entity{Name: name, Type: "Papel"})
		batch.Facts = append(batch.Facts, acervo.Fact{Entity: name, Text: fmt.Sprint("anotado en la hoja ", i)})
	}
	upsert(t, m, batch)
	upsert(t, m, acervo.UpsertParams{NoActivation: true, Relations: []acervo.Relation{{From: "Lucía", To: "Rosario", Type: "VIVE_EN"}}}) // she left Salta
	if _, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Faro"), Text: "Sale en mayo", Correction: "Sale en junio"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named("Beto Peña"), Text: "Su contraseña vieja era azul"}); err != nil {
		t.Fatal(err)
	}
}

// TestSmartRecall says each message in a session of its own, after what is said
// before it.
func TestSmartRecall(t *testing.T) {
	client := testClient(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	rememberALot(t, client, m)
	upsert(t, other, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Ajena", Type: "Persona"}, {Name: "Lucía", Type: "Persona"}, {Name: "Arpa ajena", Type: "Cosa"}, {Name: "Gata ajena", Type: "Mascota"}},
		Relations: []acervo.Relation{{From: "Lucía", To: "Ciudad ajena", Type: "VIVE_EN"}},
		Facts:     []acervo.Fact{{Entity: "Arpa ajena", Text: "Instrumento que el usuario toca, ajena"}, {Entity: "Lucía", Text: "Cosa ajena"}},
	})
	people := []string{"Lucía (Persona", "Tomás (Persona", "Beto Peña (Persona"}
	pets := []string{"Rex (Mascota", "Mishi (Mascota", "Ladra de noche"}
	nothing := []string{"("}
	lucia := []string{"Lucía (Persona", "alérgica al maní"}
	for i, c := range []struct {
		before   []string // messages of earlier turns
		message  string
		has, not []string
	}{
		// Types.
		{nil, "¿a qué personas conozco?", people, []string{"Faro", "Rex"}},
		{nil, "¿A qué PERSONAS conozco?", people, []string{"Faro"}},
		{nil, "¿conozco a alguna persona?", people, []string{"Faro"}},
		{nil, "which people do I know?", people, []string{"Faro"}},
		{nil, "who do I know?", people, []string{"Faro"}},
		{nil, "list every person", people, []string{"Butaco"}},
		{nil, "¿a quiénes conozco?", people, []string{"Butaco"}},
		{nil, "¿qué proyectos tengo?", []string{"Faro (Proyecto", "Butaco (Proyecto", "Sale en junio"}, []string{"Lucía", "Sale en mayo"}},
		{nil, "what projects do I have", []string{"Faro (Proyecto", "Butaco (Proyecto"}, []string{"Lucía"}},
		{nil, "¿qué organizaciones y qué proyectos hay?", []string{"Acme (Organizacion", "Faro (Proyecto"}, []string{"Rex"}},
		{nil, "¿qué mascotas tengo?", pets, people},
		{nil, "¿Tengo una mascota?", pets, people},
		{[]string{"Lucía"}, "¿qué mascotas tengo?", pets, []string{"Lucía"}},
		{nil, "Soy Tomás, ¿qué mascotas tengo?", append(pets, "Tomás (Persona"), []string{"Butaco"}},
		{nil, "¿qué proyectos tiene Lucía?", []string{"Lucía DUEÑO_DE Faro"}, []string{"Butaco"}},
		{nil, "¿Qué sabés de Editorial Sur?", []string{"Editorial Sur (Editorial"}, people},
		// Words.
		{nil, "¿qué instrumentos toco?", []string{"Guitarra (Cosa", "Instrumento que el usuario toca"}, []string{"Violín", "Relleno"}},
		{nil, "¿Toco algún instrumento?", []string{"Instrumento que el usuario toca"}, []string{"Relleno"}},
		{nil, "what instruments do I play?", []string{"Instrumento que el usuario toca"}, []string{"Relleno"}},
		{[]string{"Lucía"}, "¿qué instrumentos toco?", []string{"Instrumento que el usuario toca"}, []string{"Lucía"}},
		{nil, "¿quién es alérgico?", []string{"alérgica al maní"}, []string{"Relleno", "3 de mayo"}},
		{nil, "who is allergic to mani", []string{"alérgica al maní"}, []string{"Relleno"}},
		{nil, "what did I get for my birthday?", []string{"El Hobbit (Obra", "birthday present"}, []string{"Relleno"}},
		{nil, "¿tengo un ERP?", []string{"Butaco (Proyecto"}, []string{"Faro"}},
		{nil, `"(ropero" AND *`, []string{"Está en el ropero"}, []string{"Relleno"}},
		// What was said before.
		{[]string{"Hablemos del violín"}, "¿y a quién se lo presté?", []string{"Violín (Cosa", "Lo tiene Tomás"}, []string{"Relleno"}},
		{nil, "¿y a quién se lo presté?", nil, nothing},
		{[]string{"Lucía"}, "and where does she live?", append(lucia, "Lucía VIVE_EN Rosario"), []string{"Salta", "Butaco"}},
		{[]string{"Lucía"}, "¿y dónde?", lucia, []string{"Butaco"}},
		{[]string{"Lucía"}, "why?", lucia, []string{"Butaco"}},
		{[]string{"Lucía"}, "what about that?", lucia, []string{"Butaco"}},
		{[]string{"Lucía", "ok, gracias"}, "¿y cuándo cumple años?", append(lucia, "3 de mayo"), []string{"Butaco"}},
		{[]string{"Lucía"}, "¿y qué proyectos tiene?", []string{"Lucía DUEÑO_DE Faro"}, []string{"Butaco"}},
		{[]string{"Lucía"}, "¿Y Butaco?", []string{"Butaco (Proyecto"}, []string{"Lucía"}},
		{nil, "¿y a quién se lo regalé?", nil, nothing},
		{[]string{"Lucía"}, "¿Tiene hijos?", lucia, []string{"Butaco"}},
		{[]string{"Lucía"}, "¿Cuántos años tiene?", []string{"Cumple años el 3 de mayo"}, []string{"Butaco"}},
		// Relations.
		{nil, "¿dónde vive Lucía?", []string{"Lucía (Persona, PERSONAL)\n- the user said: Lucía VIVE_EN Rosario"}, []string{"Salta"}},
		{nil, "where does Lucía live?", []string{"Lucía (Persona, PERSONAL)\n- the user said: Lucía VIVE_EN Rosario"}, []string{"Salta"}},
		{nil, "¿dónde trabaja Lucía?", []string{"Lucía (Persona, PERSONAL)\n- the user said: Lucía TRABAJA_EN Acme"}, nil},
		{nil, "who does Lucía's family include?", []string{"Lucía (Persona, PERSONAL)\n- the user said: Lucía FAMILIAR_DE Tomás"}, nil},
		{nil, "¿qué estudia Tomás?", []string{"Tomás (Persona, PERSONAL)\n- the user said: Tomás ESTUDIA_CON El Hobbit"}, nil},
		// What is no longer so.
		{nil, "¿cuándo sale Faro?", []string{"Sale en junio"}, []string{"Sale en mayo"}},
		{nil, "¿cuál era mi contraseña azul?", nil, []string{"azul"}},
		{nil, "¿quién vive en Salta?", []string{"Salta (Ciudad"}, []string{"Lucía"}},
		// Chat.
		{[]string{"Lucía"}, "ok, hasta mañana", nil, nothing},
		{[]string{"Lucía"}, "thanks!", nil, nothing},
		{[]string{"Lucía"}, "jaja", nil, nothing},
		{[]string{"Lucía"}, "😂👍", nil, nothing},
		{[]string{"Lucía"}, "", nil, nothing},
		{[]string{"Lucía"}, "see you tomorrow, take care", nil, nothing},
		{[]string{"Lucía"}, "nos vemos el lunes", nil, nothing},
		{[]string{"Lucía"}, "ok see you on Monday", nil, nothing},
		{[]string{"Lucía"}, "good luck!", nil, nothing},
		{[]string{"Lucía"}, "me parece bien, suena bien", nil, nothing},
		{[]string{"Lucía"}, "ok, hablemos de otra cosa", nil, nothing},
		{[]string{"Lucía"}, "let's talk about something else", nil, nothing},
		{nil, "Hola, ¿cómo estás?", nil, nothing},
		// Another topic, names and words that aren't.
		{[]string{"Lucía", "Lucía y Acme"}, "¿Cómo va Butaco?", []string{"Butaco (Proyecto"}, []string{"Lucía", "Acme"}},
		{[]string{"Butaco"}, "tell me about Lu", lucia, []string{"Butaco"}},
		{nil, "¿la profe vive sola?", lucia, []string{"Butaco"}},
		{nil, "is it something about instruments?", []string{"It (Obra", "Instrumento que el usuario toca"}, []string{"Relleno"}},
		{[]string{"Lucía"}, "what is it like?", append(lucia, "It (Obra"), []string{"Butaco"}},
		{nil, "de la que con el para", nil, nothing},
		{[]string{"Lucía"}, "北京在哪里？", nil, nothing},
		{[]string{"Lucía"}, "What's the capital of France?", nil, nothing},
		{[]string{"Lucía"}, "Explain quantum computing", nil, nothing},
		{[]string{"Lucía"}, "El clima está lindo", nil, nothing},
		{[]string{"Lucía"}, "where does the president of France live?", nil, nothing},
	} {
		s := m.WithSession(fmt.Sprint(i))
		for _, message := range c.before {
			if _, err := s.Turn(t.Context(), acervo.TurnParams{Message: message}); err != nil {
				t.Fatal(err)
			}
		}
		turn, err := s.Turn(t.Context(), acervo.TurnParams{Message: c.message, Explain: true})
		if err != nil {
			t.Errorf("%q: %v", c.message, err)
			continue
		}
		for _, text := range c.has {
			if !strings.Contains(turn.Context, text) {
				t.Errorf("%q after %q lacks %q:\n%s", c.message, c.before, text, turn.Context)
			}
		}
		for _, text := range append(c.not, "ajena") {
			if strings.Contains(turn.Context, text) {
				t.Errorf("%q after %q has %q:\n%s", c.message, c.before, text, turn.Context)
			}
		}
		if turn.Tokens > 1000 || turn.Tokens != acervo.EstimateTokens(turn.Context) || strings.Count(turn.Context, "\n")+1 != max(len(turn.Explain), 1) {
			t.Errorf("%q: %d tokens, %d reasons:\n%s", c.message, turn.Tokens, len(turn.Explain), turn.Context)
		}
		if !slices.Equal(turn.Hot, turn.Mentioned) {
			t.Errorf("%q makes %q hot, it names %q", c.message, turn.Hot, turn.Mentioned)
		}
	}
}

// TestRecallOfTheOwner has messages in the first person find the owner's own entity,
// and nobody else's.
func TestRecallOfTheOwner(t *testing.T) {
	client := testClient(t)
	byName, byAlias, none := testOwner(t), testOwner(t), testOwner(t)
	life := func(m *acervo.Memory, me acervo.Entity, home string) {
		upsert(t, m, acervo.UpsertParams{
			NoActivation: true,
			Entities:     []acervo.Entity{me, {Name: "Lucía", Type: "Persona"}, {Name: "Butaco", Type: "Proyecto"}, {Name: "Guitarra", Type: "Cosa"}},
			Relations: []acervo.Relation{
				{From: me.Name, To: "Butaco", Type: "DUEÑO_DE"}, {From: me.Name, To: home, Type: "VIVE_EN"}, {From: "Lucía", To: "Salta", Type: "VIVE_EN"},
				{From: me.Name, To: "Lucía", Type: "FAMILIAR_DE"},
			},
			Facts: []acervo.Fact{{Entity: me.Name, Text: "Prefiere el mate amargo"}, {Entity: "Guitarra", Text: "Instrumento que el usuario toca"}},
		})
	}
	life(client.Memory(byName), acervo.Entity{Name: byName, Type: "Persona"}, "Rosario")
	life(client.Memory(byAlias), acervo.Entity{Name: "Sandra Ruiz", Type: "Persona", Aliases: []string{byAlias}}, "Quilmes")
	life(client.Memory(none), acervo.Entity{Name: "Sandra Ruiz", Type: "Persona"}, "Tandil")
	for _, who := range []struct{ owner, label, home string }{{byName, byName, "Rosario"}, {byAlias, "Sandra Ruiz", "Quilmes"}} {
		m := client.Memory(who.owner)
		heading, home := who.label+" (Persona, PERSONAL)\n", "- the user said: "+who.label+" VIVE_EN "+who.home+"\n"
		for i, c := range []struct {
			before   string
			message  string
			starts   string // of the context
			has, not []string
		}{
			{"", "¿Dónde vivo?", heading + home, nil, nil},
			{"", "where do I live?", heading + home, nil, nil},
			{"", "¿Quién soy?", heading, []string{"mate amargo"}, []string{"Guitarra"}},
			{"", "what do you know about me?", heading, []string{"mate amargo"}, []string{"Guitarra"}},
			{"", "¿quiénes son mis hermanos?", heading + "- the user said: " + who.label + " FAMILIAR_DE Lucía", nil, []string{"Guitarra"}},
			{"Butaco", "¿Dónde vivo?", heading + home, nil, nil},
			{"Lucía", "¿y yo, dónde vivo?", heading + home, []string{"Lucía (Persona"}, nil},
			{"Lucía", "¿y dónde vive?", "Lucía (Persona, PERSONAL)\n- the user said: Lucía VIVE_EN Salta", nil, []string{who.home + " ("}},
			{"", "¿dónde vive Lucía?", "Lucía (Persona", nil, nil},
			{"", "¿qué instrumentos toco?", "Guitarra (Cosa", nil, []string{"mate amargo"}},
			{"", "¿qué proyectos tengo?", "Butaco (Proyecto", nil, []string{"mate amargo"}},
			{"Lucía", "ok, me voy a dormir", "", nil, []string{"("}},
			{"", "tell me where the president lives", "", nil, []string{"mate amargo"}},
		} {
			s := m.WithSession(fmt.Sprint(i))
			if c.before != "" {
				if _, err := s.Turn(t.Context(), acervo.TurnParams{Message: c.before}); err != nil {
					t.Fatal(err)
				}
			}
			turn, err := s.Turn(t.Context(), acervo.TurnParams{Message: c.message, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(turn.Context, c.starts) {
				t.Errorf("%q doesn't begin with %q:\n%s", c.message, c.starts, turn.Context)
			}
			for _, text := range c.has {
				if !strings.Contains(turn.Context, text) {
					t.Errorf("%q lacks %q:\n%s", c.message, text, turn.Context)
				}
			}
			for _, text := range append(c.not, "Tandil") {
				if strings.Contains(turn.Context, text) {
					t.Errorf("%q has %q:\n%s", c.message, text, turn.Context)
				}
			}
			if strings.HasPrefix(c.starts, heading) && turn.Explain[0].Why != acervo.WhyOwner {
				t.Errorf("%q: %+v", c.message, turn.Explain[0])
			}
			if !slices.Equal(turn.Hot, turn.Mentioned) {
				t.Errorf("%q makes %q hot, it names %q", c.message, turn.Hot, turn.Mentioned)
			}
		}
	}
	// Without an entity of the owner's, the first person says nothing.
	turn, err := client.Memory(none).Turn(t.Context(), acervo.TurnParams{Message: "¿Quién soy?"})
	if err != nil || turn.Context != "" {
		t.Errorf("%q, %v", turn.Context, err)
	}
}

// TestRecallModesAge has both modes age a session in the same way, whatever they
// recall.
func TestRecallModesAge(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	rememberALot(t, client, m)
	var states [2][]string
	for i, mode := range []acervo.Recall{acervo.RecallStrict, acervo.RecallSmart} {
		s := m.WithSession(string(mode))
		for _, message := range []string{"Lucía y Acme", "¿a qué personas conozco?", "¿y ella?", "¿qué instrumentos toco?", "ok", "Butaco", "jaja"} {
			turn, err := s.Turn(t.Context(), acervo.TurnParams{Message: message, Recall: mode})
			if err != nil {
				t.Fatal(err)
			}
			states[i] = append(states[i], fmt.Sprint(turn.Mentioned, turn.Hot, turn.Warm))
			if mode == acervo.RecallStrict && (turn.Context == "") != (len(turn.Mentioned) == 0) {
				t.Errorf("strict, %q:\n%s", message, turn.Context)
			}
		}
	}
	if diff := cmp.Diff(states[0], states[1]); diff != "" {
		t.Errorf("(-strict +smart):\n%s", diff)
	}
	// Without a message, or strictly, the context is of what is hot.
	for _, p := range []acervo.MaterializeParams{{}, {Recall: acervo.RecallStrict, Message: "ok"}} {
		s := m.WithSession("hot")
		if _, err := s.Mention(t.Context(), acervo.MentionParams{Names: []string{"Butaco"}}); err != nil {
			t.Fatal(err)
		}
		p.Explain = true
		made, err := s.Materialize(t.Context(), p)
		if err != nil || len(made.Explain) == 0 || made.Explain[0].Why != acervo.WhyHot {
			t.Errorf("%+v: %+v, %v", p, made, err)
		}
	}
}

// TestStrictRecall has the strict mode give what is hot and what the message names,
// whatever else it speaks of.
func TestStrictRecall(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	rememberALot(t, client, m)
	lucia, butaco, rex := "Lucía (Persona, PERSONAL)", "Butaco (Proyecto, PERSONAL)", "Rex (Mascota, PERSONAL)"
	for i, c := range []struct {
		before    []string
		message   string
		has       []string // entities, in their order
		hot, warm []string
	}{
		{nil, "Lucía", []string{lucia}, []string{"lucia"}, nil},
		{nil, "¿Qué sabés de Rex?", []string{rex}, []string{"rex"}, nil}, // cold, by its name
		{nil, "¿Y Lu?", []string{lucia}, []string{"lucia"}, nil},         // by an alias
		{[]string{"Lucía"}, "¿y dónde vive?", nil, nil, []string{"lucia"}},
		{[]string{"Lucía"}, "ok", nil, nil, []string{"lucia"}},
		{[]string{"Lucía"}, "Lucía", []string{lucia}, []string{"lucia"}, nil}, // warm, mentioned
		{[]string{"Lucía"}, "Butaco", []string{butaco}, []string{"butaco"}, []string{"lucia"}},
		{nil, "¿a qué personas conozco?", nil, nil, nil},
		{nil, "¿qué mascotas tengo?", nil, nil, nil},
		{nil, "¿qué instrumentos toco?", nil, nil, nil},
		{nil, "¿qué mascotas tiene Butaco?", []string{butaco}, []string{"butaco"}, nil},
	} {
		s := m.WithSession(fmt.Sprint("strict-", i))
		for _, message := range c.before {
			if _, err := s.Turn(t.Context(), acervo.TurnParams{Message: message, Recall: acervo.RecallStrict}); err != nil {
				t.Fatal(err)
			}
		}
		turn, err := s.Turn(t.Context(), acervo.TurnParams{Message: c.message, Recall: acervo.RecallStrict, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := headings(turn.Explain); !slices.Equal(got, c.has) || !slices.Equal(turn.Hot, c.hot) || !slices.Equal(turn.Warm, c.warm) {
			t.Errorf("%q after %q: %q, hot %q, warm %q:\n%s", c.message, c.before, got, turn.Hot, turn.Warm, turn.Context)
		}
	}
	// What is hot stays in a context whose message names something else, or nothing.
	s := m.WithSession("strict-hot")
	if _, err := s.Mention(t.Context(), acervo.MentionParams{Names: []string{"Butaco"}}); err != nil {
		t.Fatal(err)
	}
	for message, has := range map[string][]string{"ok": {butaco}, "¿a qué personas conozco?": {butaco}, "Rex": {rex, butaco}} {
		made, err := s.Materialize(t.Context(), acervo.MaterializeParams{Message: message, Recall: acervo.RecallStrict, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := headings(made.Explain); !slices.Equal(got, has) {
			t.Errorf("%q while Butaco is hot: %q", message, got)
		}
	}
}

// headings are the lines of a context that an entity begins with, without neighbors.
func headings(lines []acervo.Explanation) (texts []string) {
	for _, e := range lines {
		if !strings.HasPrefix(e.Line, "- ") && e.Why != acervo.WhyNeighbor {
			texts = append(texts, e.Line)
		}
	}
	return texts
}

func TestExplain(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	rememberALot(t, client, m)
	why := func(message string) []string {
		t.Helper()
		made, err := m.Materialize(t.Context(), acervo.MaterializeParams{Message: message, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, e := range made.Explain {
			if e.Why == acervo.WhyText && (e.Score <= 0 || e.Score >= 1) {
				t.Errorf("%q: score %v", message, e.Score)
			}
			lines = append(lines, fmt.Sprintf("%s %s: %s", e.Why, e.By, e.Line))
		}
		return lines
	}
	if diff := cmp.Diff([]string{
		"named lucia: Lucía (Persona, PERSONAL)", "relation VIVE_EN: - the user said: Lucía VIVE_EN Rosario",
		"neighbor_type Proyecto: - the user said: Lucía DUEÑO_DE Faro",
		"entity lucia: - the user said: Es alérgica al maní", "entity lucia: - the user said: Cumple años el 3 de mayo",
		"entity lucia: - the user said: Lucía FAMILIAR_DE Tomás", "entity lucia: - the user said: Lucía TRABAJA_EN Acme",
		"neighbor lucia: Related:", "neighbor lucia: - Rosario (Ciudad, PERSONAL)", "neighbor lucia: - Faro (Proyecto, PERSONAL)",
		"neighbor lucia: - Tomás (Persona, PERSONAL)", "neighbor lucia: - Acme (Organizacion, PERSONAL)",
	}, why("¿Dónde vive Lucía, y en qué proyecto está?")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"text : Guitarra (Cosa, PERSONAL)", "text guitarra: - the user said: Instrumento que el usuario toca"}, why("¿qué instrumentos toco?")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := why("Lu"); got[0] != "alias Lu: Lucía (Persona, PERSONAL)" {
		t.Errorf("an alias: %q", got)
	}
	if got := why("¿qué mascotas?"); got[0] != "type Mascota: Mishi (Mascota, PERSONAL)" || got[2] != "entity rex: - the user said: Ladra de noche" {
		t.Errorf("a type: %q", got)
	}
	if _, err := m.Mention(t.Context(), acervo.MentionParams{Names: []string{"Butaco"}}); err != nil {
		t.Fatal(err)
	}
	if got := why("¿y eso?"); got[0] != "follow_up : Butaco (Proyecto, PERSONAL)" {
		t.Errorf("a follow-up: %q", got)
	}
	_, err := m.Turn(t.Context(), acervo.TurnParams{Message: "x", Recall: "clever"})
	var invalid *acervo.ValidationError
	if !errors.As(err, &invalid) || len(invalid.Faults) != 1 || invalid.Faults[0].Field != "recall" {
		t.Errorf("%v", err)
	}
}

// TestListedTypes lists as many of a type as the budget lasts for, UNIVERSAL ones
// that the owner spoke of too, and no more is read than that.
func TestListedTypes(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	word := strings.ToLower(strings.TrimPrefix(m.Owner(), "test-"))
	kind := "Ave" + word
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Condor " + word, Type: kind}, {Name: "Nandu " + word, Type: kind}}})
	t.Cleanup(func() {
		query(t, "MATCH (e:AcervoEntity) WHERE e.owner = 'world' AND e.id ENDS WITH $word DETACH DELETE e", map[string]any{"word": word})
	})
	batch := acervo.UpsertParams{NoActivation: true, Facts: []acervo.Fact{{Entity: "Condor " + word, Text: "Lo vi en la montaña"}}}
	for i := range 100 {
		name := fmt.Sprintf("Pájaro %03d", i)
		batch.Entities = append(batch.Entities, acervo.Entity{Name: name, Type: kind})
		batch.Facts = append(batch.Facts, acervo.Fact{Entity: name, Text: fmt.Sprint("Es el número ", i)})
	}
	upsert(t, m, batch)
	fresh := acervo.New(testDriver(t), nil).Memory(m.Owner()) // knows the type from the database
	for budget, want := range map[int]struct{ birds, facts int }{100_000: {100, 60}, 3000: {100, 20}, 300: {10, 0}} {
		turn, err := fresh.Turn(t.Context(), acervo.TurnParams{Message: "¿qué aves" + word + " y " + kind + "s vi?", Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		birds, facts := strings.Count(turn.Context, "Pájaro"), strings.Count(turn.Context, "Es el número")
		if birds < want.birds || facts < want.facts || budget == 300 && (facts > 0 || turn.Omitted == 0) || turn.Tokens > budget {
			t.Errorf("budget %d: %d tokens, %d birds, %d facts, %d left out", budget, turn.Tokens, birds, facts, turn.Omitted)
		}
		if got := strings.Contains(turn.Context, "Condor "+word); got != (budget > 300) || strings.Contains(turn.Context, "Nandu") {
			t.Errorf("budget %d, UNIVERSAL ones:\n%s", budget, turn.Context)
		}
	}
}

// profiledAll profiles everything that is run in it.
type profiledAll struct {
	neo4j.ExplicitTransaction
	results []neo4j.ResultWithContext
}

func (p *profiledAll) Run(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error) {
	result, err := p.ExplicitTransaction.Run(ctx, "PROFILE "+text, params)
	p.results = append(p.results, result)
	return result, err
}

// TestRecallHits has a type with 20,000 entities and an entity with as many
// relations: what a turn takes of the database is bounded, and it finds the one
// relation that it speaks of.
func TestRecallHits(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	upsert(t, m, acervo.UpsertParams{NoActivation: true, Relations: []acervo.Relation{{From: "Cubo", To: "Plaza", Type: "CONOCE_A"}}, Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}}})
	query(t, `MATCH (h:AcervoEntity {owner: $owner, id: 'cubo'}) UNWIND range(1, 20000) AS i
		CREATE (:AcervoEntity:Personal:Persona {owner: $owner, owner_digest: h.owner_digest, id: 'p' + i, label: 'P' + i, layer: 'PERSONAL', type: 'Persona', status: 'complete', pending_fields: []})`, map[string]any{"owner": owner})
	query(t, `MATCH (h:AcervoEntity {owner: $owner, id: 'cubo'}) UNWIND range(1, 20000) AS i MATCH (o:AcervoEntity {owner: $owner, id: 'p' + i})
		CREATE (h)-[:CONOCE_A {owner: $owner, layer: 'PERSONAL'}]->(o)`, map[string]any{"owner": owner})
	upsert(t, m, acervo.UpsertParams{NoActivation: true, Relations: []acervo.Relation{{From: "Cubo", To: "Rosario", Type: "VIVE_EN"}}})
	for _, message := range []string{"¿a qué personas conozco?", "¿dónde vive Cubo?"} {
		tx := &profiledAll{ExplicitTransaction: begin(t)}
		turn, err := m.TurnTx(t.Context(), tx, acervo.TurnParams{Message: message})
		if err != nil {
			t.Fatal(err)
		}
		var hits int64
		for _, result := range tx.results {
			summary, err := result.Consume(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			hits += totalHits(t, summary)
		}
		if hits > 2*cypher.ContextTurn.Hits {
			t.Errorf("%q takes %d database accesses", message, hits)
		}
		if strings.Contains(message, "vive") && !strings.HasPrefix(turn.Context, "Cubo (type unknown, PERSONAL; incomplete, missing: tipo)\n- the user said: Cubo VIVE_EN Rosario\n") {
			t.Errorf("%q:\n%.300s", message, turn.Context)
		}
		if err := tx.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if alone, err := m.Turn(t.Context(), acervo.TurnParams{Message: message}); err != nil || alone.Context != turn.Context {
			t.Errorf("%q, in a transaction of its own (-in one +alone), %v:\n%s", message, err, cmp.Diff(turn.Context, alone.Context))
		}
	}
	if a := one(t, m, "Ana").Activation; a != layers.Cold {
		t.Errorf("Ana is %s", a)
	}
}
