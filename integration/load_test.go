package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
	"github.com/acervo-graph/acervo/layers"
)

// memoryOf is what an owner has, without times and keys.
func memoryOf(t *testing.T, owner string) map[string]any {
	t.Helper()
	g := map[string]any{}
	for name, text := range map[string]string{
		"entities":   "MATCH (n:AcervoEntity {owner: $owner}) WITH n ORDER BY n.id RETURN collect([n {.*, created_at: null, updated_at: null, owner: null, owner_digest: null}, labels(n)]) AS v",
		"relations":  "MATCH (a:AcervoEntity)-[r {owner: $owner}]->(b:AcervoEntity) WITH a, r, b ORDER BY a.id, type(r), b.id RETURN collect([a.id, type(r), b.id, r.layer, r.source, r.confidence]) AS v",
		"facts":      "MATCH (e:AcervoEntity)-[h]->(f:AcervoFact {owner: $owner}) WITH e, h, f ORDER BY e.id, f.text RETURN collect([e.id, type(h), f.about, f.text, f.source, f.sources, f.source_details, f.confidence, labels(f)]) AS v",
		"aliases":    "MATCH (a:AcervoAlias {owner: $owner}) WITH a ORDER BY a.id, a.entity RETURN collect([a.id, a.entity, a.label, a.via]) AS v",
		"ended":      "MATCH (n:AcervoEnded {owner: $owner}) WITH n ORDER BY n.from, n.to RETURN collect([n.from, n.type, n.to]) AS v",
		"references": "MATCH (n:AcervoReference {owner: $owner}) OPTIONAL MATCH (n)-[r:REFERS]->(o) WITH n, r, o ORDER BY n.id, r.type, o.id RETURN collect([n.id, r.type, r.outgoing, o.id]) AS v",
	} {
		g[name] = query(t, text, map[string]any{"owner": owner})[0].AsMap()["v"]
	}
	return g
}

// manyItems is a batch in which everything occurs that a batch can say.
func manyItems(world string, n int) acervo.UpsertParams {
	half := 0.5
	p := acervo.UpsertParams{NoActivation: true}
	types := []string{"Persona", "Lugar", "", "Superhero", "organization"}
	for i := range n {
		e := acervo.Entity{Name: fmt.Sprint("Cosa ", i), Type: types[i%len(types)]}
		switch i % 9 {
		case 1:
			e.Attributes = map[string]any{"edad": i, "tags": []string{"a", "b"}, "nada": nil}
		case 2:
			e.Aliases = []string{fmt.Sprint("La ", i), fmt.Sprint("la  ", i)}
		case 3:
			e.ID = fmt.Sprint("explicit-", i)
		case 4:
			e.Confidence = &half
		}
		p.Entities = append(p.Entities, e)
		p.Relations = append(p.Relations,
			acervo.Relation{From: e.Name, FromID: e.ID, To: fmt.Sprint("Cosa ", (i*7+1)%n), Type: []string{"GUSTA_DE", "works_at", "non-compliant"}[i%3]},
			acervo.Relation{From: e.Name, FromID: e.ID, To: fmt.Sprint("Implied ", i%50), Type: "GUSTA_DE"},
		)
		p.Facts = append(p.Facts, acervo.Fact{Entity: e.Name, EntityID: e.ID, Text: fmt.Sprint("dato ", i), Detail: "d"}, acervo.Fact{Entity: fmt.Sprint("Implied ", i%50), Text: "the same", Source: fmt.Sprint("s", i%2)})
	}
	// Homonyms, a UNIVERSAL entity, one that is there with an alias, names of each other.
	p.Entities = append(p.Entities, acervo.Entity{Name: "Apple", Type: "Organizacion"}, acervo.Entity{Name: "Apple", Type: "Lugar"}, acervo.Entity{Name: "Apple", Type: "Superhero"},
		acervo.Entity{Name: "Known", Type: "Persona", Attributes: map[string]any{"edad": 3}}, acervo.Entity{Name: "K.", Type: "Persona"})
	p.Relations = append(p.Relations, acervo.Relation{From: "Known", Type: "VIVE_EN", To: world, ValidFrom: time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)}, acervo.Relation{From: "Known", Type: "VIVE_EN", To: "Cosa 1"},
		acervo.Relation{From: "Apple", FromType: "Lugar", Type: "ALIAS_OF", To: "Cosa 6"}, acervo.Relation{From: "Known", Type: "GUSTA_DE", To: "Cosa 0"})
	p.Facts = append(p.Facts, acervo.Fact{Entity: world, Text: "is far"}, acervo.Fact{Entity: "K.", Text: "is known"}, acervo.Fact{Entity: "Known", Text: "Is known!", Source: "mail"})
	return p
}

// inPieces gives a batch as several ones of so many items of a kind.
func inPieces(p acervo.UpsertParams, size int) []acervo.UpsertParams {
	var pieces []acervo.UpsertParams
	cut := func(n int, add func(piece *acervo.UpsertParams, from, to int)) {
		for from := 0; from < n; from += size {
			piece := acervo.UpsertParams{NoActivation: true}
			add(&piece, from, min(from+size, n))
			pieces = append(pieces, piece)
		}
	}
	cut(len(p.Entities), func(piece *acervo.UpsertParams, from, to int) { piece.Entities = p.Entities[from:to] })
	cut(len(p.Relations), func(piece *acervo.UpsertParams, from, to int) { piece.Relations = p.Relations[from:to] })
	cut(len(p.Facts), func(piece *acervo.UpsertParams, from, to int) { piece.Facts = p.Facts[from:to] })
	return pieces
}

// beforehand is what an owner has before a batch.
func beforehand(t *testing.T, m *acervo.Memory) {
	t.Helper()
	upsert(t, m, acervo.UpsertParams{
		NoActivation: true,
		Entities:     []acervo.Entity{{Name: "Known", Type: "Persona", Aliases: []string{"K."}}, {Name: "Cosa 5", Type: "Persona"}, {Name: "Cosa 7"}},
		Relations:    []acervo.Relation{{From: "Known", Type: "VIVE_EN", To: "Roca"}, {From: "Known", Type: "GUSTA_DE", To: "Cosa 0"}},
		Facts:        []acervo.Fact{{Entity: "Known", Text: "is known"}},
	})
}

// TestBulk stores one batch at once, in small pieces, and by a load: all give
// the same graph, also if it is done again.
func TestBulk(t *testing.T) {
	client := testClient(t)
	world := "Mundo " + testOwner(t)
	t.Cleanup(func() { removeWorld(t, world) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: world, Type: "Lugar"}}})
	batch := manyItems(world, 450)
	pieces, whole, loaded := client.Memory(testOwner(t)), client.Memory(testOwner(t)), client.Memory(testOwner(t))
	for _, m := range []*acervo.Memory{pieces, whole, loaded} {
		beforehand(t, m)
	}
	for range 2 {
		for _, piece := range inPieces(batch, 90) {
			upsert(t, pieces, piece)
		}
		result := upsert(t, whole, batch)
		if n := len(result.Entities); n != len(batch.Entities) || result.Entities[0].ID != "cosa_0" {
			t.Errorf("%d entities, the first %+v", n, result.Entities[0])
		}
		done, err := client.Load(t.Context(), documents(t, batch, 7), acervo.LoadParams{Owner: loaded.Owner(), Parallel: 3, BatchSize: 60})
		if err != nil || done.Rejected != 0 || done.Facts.Read != len(batch.Facts) || done.Relations.Read != len(batch.Relations) {
			t.Fatalf("%+v, %v", done, err)
		}
		want := memoryOf(t, pieces.Owner())
		if len(want["ended"].([]any)) != 2 { // also when it is done again
			t.Errorf("ended: %v", want["ended"])
		}
		for what, m := range map[string]*acervo.Memory{"at once": whole, "loaded": loaded} {
			if diff := cmp.Diff(want, memoryOf(t, m.Owner())); diff != "" {
				t.Fatalf("%s (-in pieces +):\n%s", what, diff)
			}
		}
	}
	checkGraph(t, pieces.Owner(), whole.Owner(), loaded.Owner())
}

// documents writes a batch as documents of some items each.
func documents(t *testing.T, p acervo.UpsertParams, size int) *strings.Reader {
	t.Helper()
	var b strings.Builder
	for _, piece := range inPieces(p, size) {
		doc := map[string]any{}
		var entities, relations, facts []map[string]any
		for _, e := range piece.Entities {
			entities = append(entities, map[string]any{"name": e.Name, "type": e.Type, "id": e.ID, "aliases": e.Aliases, "attributes": e.Attributes, "confidence": e.Confidence})
		}
		for _, r := range piece.Relations {
			relation := map[string]any{"from": r.From, "from_id": r.FromID, "from_type": r.FromType, "to": r.To, "type": r.Type}
			if !r.ValidFrom.IsZero() {
				relation["valid_from"] = r.ValidFrom
			}
			relations = append(relations, relation)
		}
		for _, f := range piece.Facts {
			facts = append(facts, map[string]any{"entity": f.Entity, "entity_id": f.EntityID, "text": f.Text, "source": f.Source, "detail": f.Detail})
		}
		doc["entities"], doc["relations"], doc["facts"] = entities, relations, facts
		line, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return strings.NewReader(b.String())
}

// TestLoadRejects leaves wrong lines out, says why, and ends at the first one if
// that is wanted.
func TestLoadRejects(t *testing.T) {
	client := testClient(t)
	owner, other := testOwner(t), testOwner(t)
	lines := []string{
		`{"entities":[["Ana","Persona"]]}`,
		`{"entities":[["","Persona"]]}`,
		``,
		`not json`,
		`{"owner":` + fmt.Sprintf("%q", other) + `,"facts":[["Beto","canta"]]}`,
		`{"owner":"world","entities":[["Ana","Persona"]]}`,
		`{"relations":[["Ana","GUSTA_DE"]]}`,
		`{"relations":[["Ana","Anita","GUSTA_DE"]]}`,
		`{"entities":[{"name":"Ana","aliases":["Anita"]}]}`,
		`{"entities":[{"name":"Ana","unknown":1}]}`,
		`{"facts":[["Ana","vive lejos"],["Ana",""]]}`,
		"{\"facts\":[[\"Ana\",\"\xff\"]]}",
		`{"facts":[["Ana","vive cerca"]]}`,
	}
	text := strings.Join(lines, "\n")
	var rejects bytes.Buffer
	done, err := client.Load(t.Context(), strings.NewReader(text), acervo.LoadParams{Owner: owner, Rejects: &rejects, Name: "in.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	want := &acervo.LoadResult{
		Lines: 13, Bytes: int64(len(text)) + 1, Rejected: 8,
		Entities: acervo.ImportCounts{Read: 2, Created: 2}, Facts: acervo.ImportCounts{Read: 2, Created: 2},
	}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var got []string
	for line := range strings.Lines(rejects.String()) {
		var r struct {
			Input, Reason, Text string
			Line                int
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Input != "in.jsonl" {
			t.Errorf("%s: %v", line, err)
		}
		got = append(got, fmt.Sprint(r.Line, " ", r.Reason))
	}
	for i, reason := range []string{"2 entity 0: name", "4 invalid character", "6 owner", "7 relation 0: is an array of 2", "8 relation 0: to", `10 entity 0: json: unknown field "unknown"`, "11 fact 1: text", "12 is not valid UTF-8"} {
		if i >= len(got) || !strings.HasPrefix(got[i], reason) {
			t.Errorf("reject %d is %q, not %q", i, got[min(i, len(got)-1)], reason)
		}
	}
	if n := one(t, client.Memory(owner), "Anita"); n.ID != "ana" || len(n.Facts) != 1 {
		t.Errorf("%+v", n)
	}
	if n := one(t, client.Memory(other), "Beto"); len(n.Facts) != 1 {
		t.Errorf("%+v", n)
	}

	strict := testOwner(t)
	var wrong *acervo.LineError
	done, err = client.Load(t.Context(), strings.NewReader(text), acervo.LoadParams{Owner: strict, Strict: true})
	if !errors.Is(err, acervo.ErrInvalid) || !errors.As(err, &wrong) || wrong.Line != 2 || done.Lines != 1 || done.Entities.Created != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	for _, params := range []acervo.LoadParams{{Owner: "world"}, {Parallel: 65}, {BatchSize: 1}, {BatchSize: 20001}} {
		if _, err := client.Load(t.Context(), strings.NewReader(text), params); !errors.Is(err, acervo.ErrInvalid) {
			t.Errorf("%+v: %v", params, err)
		}
	}
	if done, err := client.Load(t.Context(), strings.NewReader(""), acervo.LoadParams{}); err != nil || *done != (acervo.LoadResult{}) {
		t.Errorf("of nothing: %+v, %v", done, err)
	}
	if done, err := client.Load(t.Context(), strings.NewReader(`{"entities":[["Ana","Persona"]]}`), acervo.LoadParams{}); err != nil || done.Rejected != 1 {
		t.Errorf("nobody's: %+v, %v", done, err)
	}
}

// TestLoadInterrupted completes a load that was interrupted, however often.
func TestLoadInterrupted(t *testing.T) {
	client := testClient(t)
	batch := manyItems("Implied 1", 1500)
	m, whole := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	at := time.Now()
	for i := 0; ; i++ {
		ctx, stop := context.WithTimeout(t.Context(), time.Duration(i+1)*400*time.Millisecond)
		done, err := client.Load(ctx, documents(t, batch, 50), acervo.LoadParams{Owner: m.Owner(), BatchSize: 100})
		stop()
		if err == nil {
			t.Logf("complete after %d interruptions, %s: %+v", i, time.Since(at), done)
			if i == 0 || done.Entities.Matched == 0 {
				t.Errorf("it wasn't interrupted: %+v", done)
			}
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	if _, err := client.Load(t.Context(), documents(t, batch, 50), acervo.LoadParams{Owner: whole.Owner()}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memoryOf(t, whole.Owner()), memoryOf(t, m.Owner())); diff != "" {
		t.Errorf("(-at once +interrupted):\n%s", diff)
	}
	checkGraph(t, m.Owner())
	if n := count(t, "MATCH (s:AcervoSession {owner: $owner}) RETURN count(s)", map[string]any{"owner": m.Owner()}); n != 0 {
		t.Errorf("%d sessions were made", n)
	}
}

// TestLoadUniversal loads world knowledge, which names no owner.
func TestLoadUniversal(t *testing.T) {
	client := testClient(t)
	name := "Mundo " + testOwner(t)
	t.Cleanup(func() { removeWorld(t, name); removeWorld(t, name+" B") })
	text := fmt.Sprintf(`{"layer":"UNIVERSAL","source":"world","entities":[[%q,"Lugar"]],"relations":[[%q,%q,"PART_OF"]],"facts":[[%q,"is far"]]}`, name, name, name+" B", name)
	done, err := client.Load(t.Context(), strings.NewReader(text), acervo.LoadParams{})
	if err != nil || done.Entities.Created != 2 || done.Relations.Created != 1 || done.Facts.Created != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	n := one(t, client.World(), name)
	if n.Layer != layers.Universal || n.Status != layers.Complete || len(n.Facts) != 1 || len(n.Relations) != 1 {
		t.Errorf("%+v", n)
	}
}

// TestLoadLittleMemory makes transactions smaller on a server that gives them
// little memory.
func TestLoadLittleMemory(t *testing.T) {
	t.Parallel() // its server is its own
	s := ownServer(t, provision.Options{Config: map[string]string{"db.memory.transaction.max": "12m"}})
	client := open(t, s)
	if _, err := client.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := client.Memory(testOwner(t))
	batch := manyItems("Implied 1", 3000)
	driver, err := neo4j.NewDriverWithContext(s.URI, neo4j.BasicAuth(s.Username, s.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close(t.Context())
	session := driver.NewSession(t.Context(), neo4j.SessionConfig{})
	defer session.Close(t.Context())
	tx, err := session.BeginTransaction(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.UpsertEntitiesTx(t.Context(), tx, batch); err == nil || !strings.Contains(err.Error(), "OutOfMemory") {
		t.Fatalf("at once: %v; if the server has memory enough, this tests nothing", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	done, err := client.Load(t.Context(), documents(t, batch, 50), acervo.LoadParams{Owner: m.Owner()})
	if err != nil || done.Rejected != 0 || done.Facts.Created < 1000 {
		t.Fatalf("%+v, %v", done, err)
	}
	if n := one(t, m, "Cosa 1"); len(n.Facts) == 0 {
		t.Errorf("%+v", n)
	}
}
