package integration

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cypher"
)

// secret is a word that only the forgotten owner says.
const secret = "Xyzzyplugh"

// liveALife lets an owner use every call that writes.
func liveALife(t testing.TB, m *acervo.Memory, place, tech string) {
	t.Helper()
	say := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{
			{Name: secret + " Ana", Type: "Persona", Aliases: []string{secret + " Anita"}, Attributes: map[string]any{"rol": secret}},
			{Name: place, Type: "Lugar", Aliases: []string{secret + " town"}, Attributes: map[string]any{"tipo": secret}},
			{Name: secret + " B", Type: "Persona"}, {Name: secret + " C", Type: "Persona"}, {Name: secret + " D", Type: "Persona"},
		},
		Relations: []acervo.Relation{
			{From: secret + " Ana", Type: "VIVE_EN", To: place}, {From: secret + " Ana", Type: "FAMILIAR_DE", To: secret + " B"},
			{From: tech, Type: "RELACIONADO_CON", To: place}, {From: place, Type: "RELACIONADO_CON", To: tech}, {From: secret + " B", Type: "VIVE_EN", To: tech},
			{From: secret + " B", Type: "ALIAS_OF", To: secret + " C"}, {From: place, Type: "VIVE_EN", To: tech, ValidFrom: time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)}, {From: place, Type: "VIVE_EN", To: secret + " D"},
		},
		Facts: []acervo.Fact{
			{Entity: secret + " Ana", Text: secret + " one", Detail: secret}, {Entity: secret + " Ana", Text: secret + " two"},
			{Entity: place, Text: secret + " three"}, {Entity: place, Text: secret + " four", Source: secret}, {Entity: tech, Text: secret + " five", Source: secret},
		},
	})
	_, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named(place), Text: secret + " three", Correction: secret + " six"})
	say(err)
	_, err = m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(tech), Text: secret + " five"})
	say(err)
	_, err = m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: acervo.RelationRef{From: named(tech), Type: "RELACIONADO_CON", To: named(place)}})
	say(err)
	_, err = m.AddAlias(t.Context(), acervo.AliasParams{Entity: named(tech), Aliases: []string{secret + " tech"}})
	say(err)
	_, err = m.Merge(t.Context(), acervo.MergeParams{Keep: named(secret + " B"), Absorb: named(secret + " D")})
	say(err)
	_, err = m.Rename(t.Context(), acervo.RenameParams{Entity: named(secret + " B"), Name: secret + " E"})
	say(err)
	for i := range 3 {
		_, err = m.WithSession(fmt.Sprint(secret, i)).Turn(t.Context(), acervo.TurnParams{Message: secret + " Ana y " + place, TurnID: secret})
		say(err)
	}
}

func TestForget(t *testing.T) {
	client, _ := embedding(t)
	m, other := client.Memory(testOwner(t)+" "+secret), client.Memory(testOwner(t))
	t.Cleanup(func() { _, _ = m.Forget(context.WithoutCancel(t.Context()), acervo.ForgetParams{}) })
	place, tech := "Pueblo "+other.Owner(), "Tecno "+other.Owner()
	t.Cleanup(func() { removeWorld(t, place, tech) })
	upsert(t, client.World(), acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: place, Type: "Lugar", Aliases: []string{"pueblito " + other.Owner()}}, {Name: tech, Type: "Tecnologia"}},
		Relations: []acervo.Relation{{From: tech, Type: "RELACIONADO_CON", To: place}}, Facts: []acervo.Fact{{Entity: place, Text: "queda lejos"}},
	})
	upsert(t, other, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: place, Type: "Lugar", Aliases: []string{"mi pueblo"}}},
		Relations: []acervo.Relation{{From: "Luis", Type: "VIVE_EN", To: place}, {From: tech, Type: "RELACIONADO_CON", To: place}},
		Facts:     []acervo.Fact{{Entity: place, Text: "hace frío"}, {Entity: "Luis", Text: "es alto"}},
	})
	// The ontology has to hold what the owner brings, for that is shared.
	registered := []string{"nombre", "rol", "tipo"}
	if _, err := client.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: "Persona", Attributes: registered}); err != nil {
		t.Fatal(err)
	}
	before := dump(t)
	liveALife(t, m, place, tech)
	reembed(t, m)
	checkGraph(t, m.Owner(), other.Owner())
	lived := dump(t)
	labels := ownedLabels(t, m.Owner())
	var known []string
	for _, s := range cypher.Owned() {
		known = append(known, strings.TrimPrefix(s.Name, "owned/"))
	}
	slices.Sort(known)
	if diff := cmp.Diff(known, labels); diff != "" {
		t.Errorf("labels that forgetting covers, and those of the owner's nodes:\n%s", diff)
	}

	counted, err := m.Forget(t.Context(), acervo.ForgetParams{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lived, dump(t)); diff != "" {
		t.Fatalf("the dry run wrote:\n%s", diff)
	}
	// Interrupted again and again, it goes on where it ended.
	calls := 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		_, err := m.Forget(ctx, acervo.ForgetParams{BatchSize: 1, Progress: func(acervo.ForgetResult) {
			if steps++; steps == 4 {
				cancel()
			}
		}})
		cancel()
		if calls++; err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || calls > 100 {
			t.Fatal(err)
		}
	}
	if calls < 3 {
		t.Errorf("it was interrupted %d times only", calls-1)
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("the database isn't as before (-before +after):\n%s", diff)
	}
	for _, line := range dump(t) {
		if containsAny(line, secret) {
			t.Errorf("a trace is left: %s", line)
		}
	}
	if counted.Relations == 0 || counted.Nodes["AcervoFact"] != 7 || counted.Nodes["AcervoEnded"] != 2 || counted.Nodes["AcervoSession"] != 4 {
		t.Errorf("the dry run counted %+v", counted)
	}

	// The same owner begins anew, and is forgotten at once.
	nodes, err := m.Nodes(t.Context(), acervo.NodesParams{Layer: "PERSONAL"})
	if err != nil || len(nodes.Nodes) != 0 {
		t.Errorf("%+v, %v", nodes, err)
	}
	liveALife(t, m, place, tech)
	reembed(t, m)
	done, err := m.Forget(t.Context(), acervo.ForgetParams{})
	if err != nil {
		t.Fatal(err)
	}
	counted.DryRun = false
	if diff := cmp.Diff(counted, done); diff != "" {
		t.Errorf("the dry run's count and what was removed:\n%s", diff)
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("the database isn't as before (-before +after):\n%s", diff)
	}
	if again, err := m.Forget(t.Context(), acervo.ForgetParams{}); err != nil || again.Relations != 0 || len(again.Nodes) != 0 {
		t.Errorf("nothing to forget: %+v, %v", again, err)
	}
	if _, err := client.World().Forget(t.Context(), acervo.ForgetParams{}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("forgetting the world: %v", err)
	}
}

// ownedLabels lists the labels, but for layers and types, of an owner's nodes.
func ownedLabels(t testing.TB, owner string) []string {
	t.Helper()
	var labels []string
	for _, record := range query(t, "MATCH (n) WHERE n.owner = $owner UNWIND labels(n) AS label WITH DISTINCT label WHERE label STARTS WITH 'Acervo' RETURN label ORDER BY label", map[string]any{"owner": owner}) {
		labels = append(labels, record.Values[0].(string))
	}
	return labels
}

func TestRemoveEntity(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Beto", Type: "Persona"}, {Name: "Caro", Type: "Persona"}}, Relations: []acervo.Relation{{From: "Beto", Type: "FAMILIAR_DE", To: "Caro"}}})
	place := "Sitio " + m.Owner()
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}})
	before := dump(t)
	batch := acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Ana", Type: "Persona", Aliases: []string{"Anita"}}}, NoActivation: true,
		Relations: []acervo.Relation{{From: "Ana", Type: "FAMILIAR_DE", To: "Beto"}, {From: "Ana", Type: "ALIAS_OF", To: "Beto"}, {From: "Ana", Type: "VIVE_EN", To: "Caro", ValidFrom: time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)}, {From: "Ana", Type: "VIVE_EN", To: place}},
	}
	for i := range 7 {
		batch.Facts = append(batch.Facts, acervo.Fact{Entity: "Ana", Text: fmt.Sprint("fact ", i)})
	}
	for _, tx := range []bool{false, true} {
		upsert(t, m, batch)
		if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named("Ana"), Text: "fact 1"}); err != nil {
			t.Fatal(err)
		}
		dry, err := m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named("Anita"), DryRun: true})
		if err != nil || dry.Facts != 7 || dry.Relations != 3 || dry.Aliases != 1 {
			t.Errorf("%+v, %v", dry, err)
		}
		var done *acervo.RemoveEntityResult
		calls := 0
		if tx {
			session := testDriver(t).NewSession(t.Context(), sessionConfig)
			open, err := session.BeginTransaction(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if done, err = m.RemoveEntityTx(t.Context(), open, acervo.RemoveEntityParams{Entity: named("Anita")}); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(open.Commit(t.Context()), session.Close(t.Context())); err != nil {
				t.Fatal(err)
			}
		} else if done, err = m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{
			Entity: named("Anita"), BatchSize: 2, Progress: func(acervo.RemoveEntityResult) { calls++ },
		}); err != nil || calls < 6 {
			t.Fatalf("%+v after %d calls, %v", done, calls, err)
		}
		if done.Facts != 7 || done.Relations != 3 || done.Ended != 1 || done.Aliases != 1 {
			t.Errorf("%+v", done)
		}
		query(t, "MATCH (r:AcervoReference {owner: $owner}) DELETE r", map[string]any{"owner": m.Owner()}) // they stay, empty
		if diff := cmp.Diff(before, dump(t)); diff != "" {
			t.Errorf("the database isn't as before:\n%s", diff)
		}
	}
	if _, err := m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named("Ana")}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
}
