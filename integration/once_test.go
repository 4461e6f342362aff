package integration

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rs/zerolog"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// TestOneStatement counts the statements that calls take, as the log has them:
// what is the owner's own is stored by one, and a batch which isn't plain is looked
// up once in vain and then stored whole.
func TestOneStatement(t *testing.T) {
	owner := testOwner(t)
	world := "Once " + strings.TrimPrefix(owner, "test-")
	var text lockedBuffer
	logger := zerolog.New(&text).Level(zerolog.DebugLevel)
	c := migrated(t, acervo.New(testDriver(t), &acervo.Options{Logger: &logger}))
	t.Cleanup(func() {
		query(t, "MATCH (e:AcervoEntity) WHERE e.owner = 'world' AND e.label = $label DETACH DELETE e", map[string]any{"label": world})
	})
	upsert(t, c.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: world, Type: "Lugar"}}})
	m := c.Memory(owner).WithSession("s")
	seen := len(text.String())
	statements := func() []string {
		t.Helper()
		var list []string
		log := text.String()
		for line := range strings.Lines(log[seen:]) {
			var event struct{ Message, Statement string }
			if err := json.Unmarshal([]byte(line), &event); err != nil {
				t.Fatal(err)
			}
			if event.Message == "statement" {
				list = append(list, event.Statement)
			}
		}
		seen = len(log)
		return list
	}
	said := acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Ana", Type: "Persona", Attributes: map[string]any{"edad": 30}}, {Name: "Acme", Type: "Organizacion"}},
		Relations: []acervo.Relation{{From: "Ana", To: "Acme", Type: "TRABAJA_EN"}, {From: "Acme", To: "Fundición", Type: "PERTENECE_A"}},
		Facts:     []acervo.Fact{{Entity: "Ana", Text: "canta"}, {Entity: "Fundición", Text: "es vieja"}},
	}
	first := upsert(t, m, said)
	if got := statements(); !slices.Equal(got, []string{"entity/upsert_plain"}) {
		t.Errorf("a plain batch takes %q", got)
	}
	if !first.Entities[0].Created || !first.Implied[0].Created || !first.Relations[1].Created || !first.Facts[0].Created || !first.Facts[1].Created {
		t.Errorf("the first time: %+v", first)
	}
	again := upsert(t, m, said)
	if got := statements(); !slices.Equal(got, []string{"entity/upsert_plain"}) {
		t.Errorf("the same again takes %q", got)
	}
	if again.Entities[0].Created || again.Entities[0].Changed || again.Relations[0].Created || again.Facts[0].Created || again.Facts[0].GainedSource {
		t.Errorf("the same again: %+v", again)
	}
	if n := one(t, m, "ana"); len(n.Facts) != 1 || len(n.Relations) != 1 || n.Attributes["edad"] != int64(30) {
		t.Errorf("%+v", n)
	}

	statements()
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Beto", Type: "Persona"}},
		Relations: []acervo.Relation{{From: "Beto", To: world, Type: "RELACIONADO_CON"}},
	})
	if got := statements(); len(got) < 4 || got[0] != "entity/upsert_plain" || got[1] != "entity/upsert" {
		t.Errorf("a batch that isn't plain takes %q", got)
	}
	checkGraph(t, owner)

	if _, err := m.Turn(t.Context(), acervo.TurnParams{Message: "¿Qué sabes de Ana?"}); err != nil {
		t.Fatal(err)
	}
	if got := statements(); !slices.Equal(got, []string{"context/turn"}) {
		t.Errorf("a turn takes %q", got)
	}
}

// TestOnceAsInATransaction stores batches of all kinds for one owner by the short
// way, and for another one in a transaction of the caller's: results and graphs
// are the same.
func TestOnceAsInATransaction(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := migrated(t, acervo.New(testDriver(t), &acervo.Options{Clock: func() time.Time { return at }}))
	half := 0.5
	ref := func(from, to, typ string) acervo.Relation { return acervo.Relation{From: from, To: to, Type: typ} }
	batches := []acervo.UpsertParams{
		{Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}, {Name: "ANA", Type: "Persona", Attributes: map[string]any{"edad": 3}}, {Name: "Mercurio"}}},
		{Entities: []acervo.Entity{{Name: "Mercurio", Type: "Lugar"}}, Facts: []acervo.Fact{{Entity: "Mercurio", Text: "quema"}}},
		{Entities: []acervo.Entity{{Name: "Mercurio", Type: "Persona"}}, Facts: []acervo.Fact{{Entity: "Mercurio", EntityType: "Persona", Text: "canta"}}},
		{Relations: []acervo.Relation{ref("Ana", "Mercurio", "CONOCE"), ref("ana", "mercurio", "conoce"), ref("Mercurio", "Ana", "CONOCE")}},
		{Relations: []acervo.Relation{{From: "Ana", To: "Mercurio", Type: "CONOCE", Confidence: &half}}},
		{Facts: []acervo.Fact{{Entity: "Ana", Text: "Canta."}, {Entity: "Ana", Text: "canta", Source: "user_assertion"}, {Entity: "Nadie", Text: "x", Detail: "d"}}},
		{Facts: []acervo.Fact{{Entity: "Ana", Text: "canta", Detail: "en marzo", Confidence: &half}}},
		{Entities: []acervo.Entity{{Name: "Anita", ID: "ana", Attributes: map[string]any{"edad": nil}}}},
		{Entities: []acervo.Entity{{Name: "Roberto", Aliases: []string{"Beto"}}}, Relations: []acervo.Relation{ref("Beto", "Ana", "VIVE_EN")}},
		{Relations: []acervo.Relation{ref("Beto", "Casa", "VIVE_EN"), ref("Beto", "Roberto Carlos", "ALIAS_OF")}},
		{Entities: []acervo.Entity{{Name: "Ana", Type: "Proyecto"}}, NoActivation: true},
		{Entities: []acervo.Entity{{Name: "Casa", Type: "Cosa rara `x`"}}, Relations: []acervo.Relation{ref("Casa", "Ana", "se parece }) DETACH DELETE n //")}},
		{Relations: []acervo.Relation{ref("Casa", "Ana", "se parece }) DETACH DELETE n //")}},
		{},
	}
	owners := [2]string{testOwner(t), testOwner(t)}
	results := [2][]*acervo.UpsertResult{}
	for i, b := range batches {
		once, err := c.Memory(owners[0]).WithSession("s").UpsertEntities(t.Context(), b)
		if err != nil {
			t.Fatalf("batch %d: %v", i, err)
		}
		tx := begin(t)
		inTx, err := c.Memory(owners[1]).WithSession("s").UpsertEntitiesTx(t.Context(), tx, b)
		if err != nil {
			t.Fatalf("batch %d: %v", i, err)
		}
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		results[0], results[1] = append(results[0], once), append(results[1], inTx)
	}
	// What the first one brought into the ontology, the second one found there.
	registered := cmpopts.IgnoreFields(acervo.UpsertResult{}, "RegisteredTypes", "RegisteredRelations", "RegisteredAttributes")
	if diff := cmp.Diff(results[0], results[1], registered); diff != "" {
		t.Error(diff)
	}
	key := regexp.MustCompile(`"key":"[0-9a-zA-Z]+"`)
	var graphs [2][]string
	for i, owner := range owners {
		for _, line := range dump(t) {
			if strings.Contains(line, owner) {
				graphs[i] = append(graphs[i], key.ReplaceAllString(strings.NewReplacer(owner, "x", ownerDigest(owner), "1").Replace(line), `"key":""`))
			}
		}
		slices.Sort(graphs[i])
		checkGraph(t, owner)
	}
	if diff := cmp.Diff(graphs[0], graphs[1]); diff != "" || len(graphs[0]) < 20 {
		t.Errorf("%d lines: %s", len(graphs[0]), diff)
	}
}

// TestSameRelationAtOnce has many say that two entities which are there have a
// relation: it is made once.
func TestSameRelationAtOnce(t *testing.T) {
	c, owner := testClient(t), testOwner(t)
	const rounds, callers = 10, 16
	for round := range rounds {
		a, b := fmt.Sprint("Uno ", round), fmt.Sprint("Otro ", round)
		upsert(t, c.Memory(owner), persons(a, b))
		var wg sync.WaitGroup
		made := make([]bool, callers)
		for i := range callers {
			wg.Go(func() {
				r, err := c.Memory(owner).WithSession(fmt.Sprint(i)).UpsertEntities(t.Context(), acervo.UpsertParams{
					Relations: []acervo.Relation{{From: a, To: b, Type: "RELACIONADO_CON"}},
				})
				if err != nil {
					t.Error(err)
					return
				}
				made[i] = r.Relations[0].Created
			})
		}
		wg.Wait()
		first := slices.Index(made, true)
		if first < 0 || slices.Contains(made[first+1:], true) {
			t.Errorf("round %d: who made it: %v", round, made)
		}
	}
	if n := count(t, "MATCH (:AcervoEntity {owner: $owner})-[r:RELACIONADO_CON]->() RETURN count(r)", map[string]any{"owner": owner}); n != rounds {
		t.Errorf("%d relations, want %d", n, rounds)
	}
	if layer := one(t, c.Memory(owner), "Uno 0").Layer; layer != layers.Personal {
		t.Error(layer)
	}
}
