package integration

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// persons makes entities of these names.
func persons(names ...string) acervo.UpsertParams {
	var p acervo.UpsertParams
	for _, n := range names {
		p.Entities = append(p.Entities, acervo.Entity{Name: n, Type: "Persona"})
	}
	return p
}

func TestNodesAge(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner).WithSession("one")
	upsert(t, m, persons("Ana", "Beto", "Carla"))
	state := func(when string, turn int64, hot, warm []string) {
		t.Helper()
		got, err := m.Materialize(t.Context(), acervo.MaterializeParams{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]string{hot, warm}, [][]string{got.Hot, got.Warm}); diff != "" || got.Turn != turn {
			t.Errorf("%s: turn %d, hot and warm (-want +got):\n%s", when, got.Turn, diff)
		}
	}
	none := []string{}
	state("after an upsert", 0, []string{"ana", "beto", "carla"}, none)
	cycled, err := m.CycleStatus(t.Context(), acervo.CycleStatusParams{})
	if err != nil || cycled.Turn != 1 || len(cycled.Cooled) != 0 {
		t.Fatalf("%+v, %v", cycled, err)
	}
	state("after a turn", 1, none, []string{"ana", "beto", "carla"})
	mentioned, err := m.Mention(t.Context(), acervo.MentionParams{Names: []string{"BETO", "nobody"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&acervo.MentionResult{Mentioned: []string{"beto"}, Unknown: []string{"nobody"}, Hot: []string{"beto"}, Warm: []string{"ana", "carla"}}, mentioned); diff != "" {
		t.Errorf("mention (-want +got):\n%s", diff)
	}
	cycled, err = m.CycleStatus(t.Context(), acervo.CycleStatusParams{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&acervo.CycleStatusResult{Turn: 2, Hot: none, Warm: []string{"beto"}, Cooled: []string{"ana", "carla"}}, cycled); diff != "" {
		t.Errorf("cycle (-want +got):\n%s", diff)
	}
	if a := one(t, m, "Ana").Activation; a != layers.Cold {
		t.Errorf("Ana is %s", a)
	}
	if a := one(t, m, "Beto").Activation; a != layers.Warm {
		t.Errorf("Beto is %s", a)
	}
	turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "¿Y Carla con Ana?"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"carla", "ana"}, {"carla", "ana"}, {}}, [][]string{turn.Mentioned, turn.Hot, turn.Warm}); diff != "" || turn.Turn != 3 {
		t.Errorf("turn %d: mentioned, hot, warm (-want +got):\n%s", turn.Turn, diff)
	}
	// Another session of the same owner has its own.
	if a := one(t, m.WithSession("two"), "Carla").Activation; a != layers.Cold {
		t.Errorf("in another session Carla is %s", a)
	}
	upsert(t, m.WithSession("two"), acervo.UpsertParams{Entities: persons("Ana").Entities, NoActivation: true})
	if a := one(t, m.WithSession("two"), "Ana").Activation; a != layers.Cold {
		t.Errorf("an upsert without activation made Ana %s", a)
	}
	if _, err := m.Mention(t.Context(), acervo.MentionParams{Names: []string{"nobody"}}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("a mention of nobody: %v", err)
	}
}

func TestTurnAppliesOnce(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	upsert(t, m, persons("Ana", "Beto"))
	first, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Ana", TurnID: "t1"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Ana", TurnID: "t1"})
		if err != nil {
			t.Fatal(err)
		}
		want := *first
		want.Repeated = true
		if diff := cmp.Diff(&want, again); diff != "" {
			t.Errorf("the same turn again (-first +again):\n%s", diff)
		}
	}
	if _, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Beto", TurnID: "t2"}); err != nil {
		t.Fatal(err)
	}
	late, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Ana", TurnID: "t1"}) // it comes after the next one
	if err != nil || !late.Repeated || late.Turn != 2 || !cmp.Equal(late.Hot, []string{"beto"}) {
		t.Errorf("a late repetition: %+v, %v", late, err)
	}
	for range 2 {
		if _, err := m.CycleStatus(t.Context(), acervo.CycleStatusParams{TurnID: "t3"}); err != nil {
			t.Fatal(err)
		}
	}
	session := query(t, "MATCH (s:AcervoSession {owner: $owner}) RETURN s.turn, s.last_turn_id", map[string]any{"owner": owner})
	if diff := cmp.Diff([]any{int64(3), "t3"}, session[0].Values); diff != "" || len(session) != 1 {
		t.Error(diff)
	}
}

func TestMentionsInAMessage(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	batch := acervo.UpsertParams{NoActivation: true, Entities: []acervo.Entity{{Name: "La Isla del Tesoro", Type: "Obra"}, {Name: "Butaco", Type: "Proyecto", Aliases: []string{"the ERP"}}}}
	for _, n := range []string{"Isla", "C", "C++", ".NET", "北京", "Sandy Peña"} {
		batch.Entities = append(batch.Entities, acervo.Entity{Name: n, Type: "Documento"})
	}
	upsert(t, m, batch)
	for message, want := range map[string][]string{
		"¿Leíste «LA ISLA DEL TESORO»?":    {"la_isla_del_tesoro"},
		"La isla, y la isla del tesoro":    {"isla", "la_isla_del_tesoro"},
		"I use C++, and .NET.":             {"c_plus_plus", "dot_net"},
		"Only C":                           {"c"},
		"我住在北京市":                           {"北京"},
		"Sandy Peña's dog":                 {"sandy_peña"},
		"sandy pena":                       {},
		"how is the ERP doing, and Butaco": {"butaco"},
		"butacona":                         {},
		"":                                 {},
		"🚀 …":                              {},
		"`) MATCH (n) DETACH DELETE n //":  {},
	} {
		got, err := m.Materialize(t.Context(), acervo.MaterializeParams{Message: message})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Mentioned); diff != "" {
			t.Errorf("%q mentions (-want +got):\n%s", message, diff)
		}
	}
	long := strings.Repeat("palabra ", 5000) + "Butaco"
	if _, err := m.Turn(t.Context(), acervo.TurnParams{Message: long}); err != nil {
		t.Errorf("a message of %d bytes: %v", len(long), err)
	}
	if _, err := m.Turn(t.Context(), acervo.TurnParams{Message: strings.Repeat("a", 64<<10+1)}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a message that is too long: %v", err)
	}
}

func TestContext(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	half := 0.5
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Zoé", Type: "Persona"}, {Name: "Taller Sur", Type: "Organizacion"}},
		Relations: []acervo.Relation{
			{From: "Zoé", To: "Taller Sur", Type: "TRABAJA_EN"}, {From: "Rex Canino", To: "Zoé", Type: "FAMILIAR_DE", Confidence: &half},
		},
		Facts: []acervo.Fact{{Entity: "Zoé", Text: "Le gusta\nel mate"}, {Entity: "Zoé", Text: "Cliente desde 2020", Source: "crm"}},
	})
	turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Zoé y el Taller Sur"})
	if err != nil {
		t.Fatal(err)
	}
	want := `Zoé (Persona, PERSONAL)
- the user said: Le gusta el mate
- from crm: Cliente desde 2020
- the user said (confidence 0.5): Rex Canino FAMILIAR_DE Zoé
- the user said: Zoé TRABAJA_EN Taller Sur
Taller Sur (Organizacion, PERSONAL)
Related:
- Rex Canino (type unknown, PERSONAL; incomplete, missing: tipo)`
	if diff := cmp.Diff(want, turn.Context); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if turn.Tokens != acervo.EstimateTokens(want) || turn.Omitted != 0 {
		t.Errorf("%d tokens, %d lines omitted", turn.Tokens, turn.Omitted)
	}
	for _, budget := range []int{1, 10, 40, 70} {
		small, err := m.Materialize(t.Context(), acervo.MaterializeParams{Budget: budget})
		if err != nil || small.Tokens > budget || small.Omitted == 0 {
			t.Errorf("budget %d: %d tokens, %d omitted, %v", budget, small.Tokens, small.Omitted, err)
		}
	}
	words := acervo.New(testDriver(t), &acervo.Options{CountTokens: func(s string) int { return len(strings.Fields(s)) }})
	counted, err := words.Memory(owner).Materialize(t.Context(), acervo.MaterializeParams{Budget: 20})
	if err != nil || counted.Tokens != len(strings.Fields(counted.Context)) || counted.Tokens > 20 {
		t.Errorf("a counter of one's own: %d tokens, %v", counted.Tokens, err)
	}
}

// TestOwnersApart has two owners speak of the same things, also of UNIVERSAL ones.
func TestOwnersApart(t *testing.T) {
	client := testClient(t)
	a, b := client.Memory(testOwner(t)), client.Memory(testOwner(t)+"'`] DETACH DELETE n //\\u0060")
	shared := strings.ReplaceAll(a.Owner(), "-", " ") + " framework"
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: shared, Type: "Tecnologia"}}, Facts: []acervo.Fact{{Entity: shared, Text: "is open source"}}})
	t.Cleanup(func() {
		_, _ = neo4j.ExecuteQuery(context.Background(), testDriver(t), "MATCH (n) WHERE n.owner IN ['world', $b] AND (n.label = $l OR n.about ENDS WITH 'framework' OR n.owner = $b) DETACH DELETE n", map[string]any{"l": shared, "b": b.Owner()}, neo4j.EagerResultTransformer)
	})
	for i, m := range []*acervo.Memory{a, b} {
		r := upsert(t, m, acervo.UpsertParams{
			Entities:  []acervo.Entity{{Name: "Kim", Type: "Persona"}, {Name: shared, Type: "Tecnologia", Attributes: map[string]any{"version": fmt.Sprint("v", i)}}},
			Relations: []acervo.Relation{{From: "Kim", To: shared, Type: "USA_TECNOLOGIA"}},
			Facts:     []acervo.Fact{{Entity: "Kim", Text: fmt.Sprint("secret ", i)}, {Entity: shared, Text: fmt.Sprint("opinion ", i)}},
		})
		if e := r.Entities[1]; !e.Reference || e.Layer != layers.Universal || e.Changed || !cmp.Equal(e.AttributeFacts, []string{fmt.Sprint("version: v", i)}) {
			t.Errorf("%+v", e)
		}
	}
	for i, m := range []*acervo.Memory{a, b} {
		other := fmt.Sprint(1 - i)
		node := one(t, m, shared)
		var facts []string
		for _, f := range node.Facts {
			facts = append(facts, f.Text)
		}
		if diff := cmp.Diff([]string{"is open source", fmt.Sprint("opinion ", i), fmt.Sprint("version: v", i)}, facts); diff != "" {
			t.Errorf("owner %d, facts (-want +got):\n%s", i, diff)
		}
		if len(node.Relations) != 1 || node.Relations[0].Neighbor.ID != "kim" || len(node.Attributes) != 0 {
			t.Errorf("owner %d: %+v", i, node)
		}
		turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Kim and " + shared})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(turn.Context, "secret "+other) || strings.Contains(turn.Context, "opinion "+other) || !strings.Contains(turn.Context, fmt.Sprint("secret ", i)) {
			t.Errorf("owner %d sees:\n%s", i, turn.Context)
		}
		neighbors, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: shared})
		if err != nil || len(neighbors.Relations) != 1 {
			t.Errorf("owner %d: %+v, %v", i, neighbors, err)
		}
		relations, err := m.Relations(t.Context(), acervo.RelationsParams{Layer: layers.Personal})
		if err != nil || len(relations.Relations) != 1 {
			t.Errorf("owner %d: %+v, %v", i, relations, err)
		}
		status, err := m.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range status.Counts {
			if c.Layer == layers.Personal && (c.Type != "Persona" || c.Nodes != 1) {
				t.Errorf("owner %d: %+v", i, c)
			}
		}
	}
	world := one(t, client.World(), shared)
	if len(world.Facts) != 1 || len(world.Relations) != 0 {
		t.Errorf("the world's own: %+v", world)
	}
	if _, err := client.World().Node(t.Context(), acervo.NodeParams{Name: "Kim"}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("the world knows Kim: %v", err)
	}
	if _, err := client.World().Turn(t.Context(), acervo.TurnParams{Message: "x"}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a turn without an owner: %v", err)
	}
	if _, err := client.World().UpsertEntities(t.Context(), acervo.UpsertParams{Layer: layers.Personal}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a PERSONAL batch without an owner: %v", err)
	}
}

func TestConcurrentUpserts(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	var batch acervo.UpsertParams
	for i := range 50 {
		batch.Entities = append(batch.Entities, acervo.Entity{Name: fmt.Sprint("E", i), Type: "Documento"})
		batch.Relations = append(batch.Relations, acervo.Relation{From: fmt.Sprint("E", i), To: fmt.Sprint("E", (i+1)%50), Type: "SIGUE_A"})
		batch.Facts = append(batch.Facts, acervo.Fact{Entity: fmt.Sprint("E", i), Text: "is there"})
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			b := acervo.UpsertParams{}
			for j := range 50 { // shuffled, the same way in each run
				k := (j*7 + i*13) % 50
				b.Entities = append(b.Entities, batch.Entities[k])
				b.Relations = append(b.Relations, batch.Relations[k])
				b.Facts = append(b.Facts, batch.Facts[k])
			}
			if _, err := client.Memory(owner).WithSession(fmt.Sprint(i)).UpsertEntities(t.Context(), b); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for text, want := range map[string]int64{
		"MATCH (n:AcervoEntity {owner: $owner}) RETURN count(n)":                 50,
		"MATCH (:AcervoEntity {owner: $owner})-[r:SIGUE_A]->() RETURN count(r)":  50,
		"MATCH (n:AcervoFact {owner: $owner}) RETURN count(n)":                   50,
		"MATCH (:AcervoEntity {owner: $owner})-[r:HAS_FACT]->() RETURN count(r)": 50,
		"MATCH (n:AcervoSession {owner: $owner}) RETURN sum(size(n.hot))":        16 * 50,
	} {
		if n := count(t, text, map[string]any{"owner": owner}); n != want {
			t.Errorf("%s: %d, want %d", text, n, want)
		}
	}
}

// TestHotInTheOrderOfTheBatch has what a batch names first first in the session.
func TestHotInTheOrderOfTheBatch(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Zeta"}, {Name: "Alfa"}, {Name: "Mu"}},
		Relations: []acervo.Relation{{From: "Omega", Type: "GUSTA_DE", To: "Beta"}},
	})
	turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "hola"})
	if err != nil || !slices.Equal(turn.Warm, []string{"zeta", "alfa", "mu", "omega", "beta"}) {
		t.Errorf("%+v, %v", turn, err)
	}
}

func TestConcurrentHomonymsAndTurns(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	types := []string{"Organizacion", "Obra", "Lugar", "Persona"}
	names := []string{"Apple", "Arena", "Atlas", "Aurora", "Avalon"}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			for _, name := range names {
				if _, err := m.UpsertEntities(t.Context(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: name, Type: types[i%4]}}}); err != nil {
					t.Error(err)
				}
			}
			if _, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Apple", TurnID: fmt.Sprint("t", i/2)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, name := range names {
		result, err := m.Node(t.Context(), acervo.NodeParams{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, n := range result.Nodes {
			seen[n.Type] = true
		}
		if len(result.Nodes) != 4 || len(seen) != 4 {
			t.Errorf("%s: %d nodes of types %v", name, len(result.Nodes), seen)
		}
	}
	if n := count(t, "MATCH (s:AcervoSession {owner: $owner}) RETURN s.turn", map[string]any{"owner": owner}); n != 20 {
		t.Errorf("20 turns, each sent twice, counted as %d", n)
	}
}

// TestTx joins the caller's own transaction, and leaves nothing when it is rolled back.
func TestTx(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	session := testDriver(t).NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j"})
	defer session.Close(t.Context())
	boom := errors.New("boom")
	work := func(fail error) func(tx neo4j.ManagedTransaction) (any, error) {
		return func(tx neo4j.ManagedTransaction) (any, error) {
			ctx := t.Context()
			if _, err := m.UpsertEntitiesTx(ctx, tx, persons("Ana")); err != nil {
				return nil, err
			}
			if _, err := m.MentionTx(ctx, tx, acervo.MentionParams{Names: []string{"Ana"}}); err != nil {
				return nil, err
			}
			if _, err := m.CycleStatusTx(ctx, tx, acervo.CycleStatusParams{}); err != nil {
				return nil, err
			}
			turn, err := m.TurnTx(ctx, tx, acervo.TurnParams{Message: "Ana"})
			if err != nil || !cmp.Equal(turn.Hot, []string{"ana"}) || turn.Turn != 2 {
				return nil, fmt.Errorf("turn %+v: %w", turn, err)
			}
			if _, err := client.RegisterRelationTx(ctx, tx, acervo.RegisterRelationParams{Name: "TX_" + owner}); err != nil {
				return nil, err
			}
			return nil, fail
		}
	}
	if _, err := session.ExecuteWrite(t.Context(), work(boom)); !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if n := count(t, "OPTIONAL MATCH (n) WHERE n.owner = $owner OR n.name = 'TX_' + $owner RETURN count(n)", map[string]any{"owner": owner}); n != 0 {
		t.Fatalf("%d nodes are left of a transaction that was rolled back", n)
	}
	if _, err := session.ExecuteWrite(t.Context(), work(nil)); err != nil {
		t.Fatal(err)
	}
	if n := one(t, m, "Ana"); n.Activation != layers.Hot {
		t.Errorf("%+v", n)
	}
}

// TestTxOfANewClient joins a transaction before the client made any call of its own.
func TestTxOfANewClient(t *testing.T) {
	owner := testOwner(t)
	id := strings.TrimPrefix(owner, "test-")
	if _, err := testClient(t).RegisterType(t.Context(), acervo.RegisterTypeParams{Name: "Nave" + id}); err != nil {
		t.Fatal(err)
	}
	m := acervo.New(testDriver(t), nil).Memory(owner)
	session := testDriver(t).NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j"})
	defer session.Close(t.Context())
	if _, err := session.ExecuteWrite(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
		return m.UpsertEntitiesTx(t.Context(), tx, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Argo", Type: "NAVE" + id}, {Name: "Argo", Type: "Persona"}}})
	}); err != nil {
		t.Fatal(err)
	}
	nodes, err := m.Node(t.Context(), acervo.NodeParams{Name: "Argo"})
	if err != nil || len(nodes.Nodes) != 2 || nodes.Nodes[0].Type != "Nave"+id {
		t.Errorf("%+v, %v", nodes, err)
	}
}

func TestOntologyLimit(t *testing.T) {
	owner := testOwner(t)
	testClient(t)
	auto := count(t, "MATCH (t:AcervoType {origin: 'auto'}) RETURN count(t)", nil)
	client := acervo.New(testDriver(t), &acervo.Options{MaxRegistered: int(auto) + 1})
	m := client.Memory(owner)
	id := strings.TrimPrefix(owner, "test-")
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "a", Type: "L1" + id}}})
	_, err := m.UpsertEntities(t.Context(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "b", Type: "L2" + id}}})
	var limit *acervo.LimitError
	if !errors.Is(err, acervo.ErrLimit) || !errors.As(err, &limit) || limit.Kind != "type" || !cmp.Equal(limit.Names, []string{"L2" + id}) {
		t.Fatalf("error %v", err)
	}
	if _, err := m.Node(t.Context(), acervo.NodeParams{Name: "b"}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("the entity was written all the same: %v", err)
	}
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "b", Type: "l1" + id}}}) // a known name still works
	if _, err := client.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: "L3" + id}); err != nil {
		t.Errorf("by hand: %v", err)
	}
}

func TestTwoClientsRegisterAtOnce(t *testing.T) {
	id := strings.TrimPrefix(testOwner(t), "test-")
	clients := []*acervo.Client{testClient(t), testClient(t)}
	var wg sync.WaitGroup
	for i, c := range clients {
		for j := range 10 {
			wg.Go(func() {
				// One name in two spellings, and one of its own.
				shared := []string{"Común" + id, "COMUN" + id}[i]
				for _, name := range []string{shared, fmt.Sprintf("Own%d_%d%s", i, j, id)} {
					if _, err := c.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: name}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	var lists [2][]string
	for i, c := range clients {
		types, err := c.Types(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, ty := range types {
			if strings.HasSuffix(ty.Name, id) {
				lists[i] = append(lists[i], ty.Name)
			}
		}
	}
	if diff := cmp.Diff(lists[0], lists[1]); diff != "" || len(lists[0]) != 21 {
		t.Errorf("%d types; the clients differ:\n%s", len(lists[0]), diff)
	}
}
