package integration

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// bag is an embedder without a model: each word counts in one dimension, and words of
// one meaning in the same.
type bag struct {
	model      string
	dimensions int
	calls      int
	texts      []string
	before     func(texts []string) error            // what happens meanwhile
	after      func(vectors [][]float32) [][]float32 // what is wrong with them
}

var meanings = map[string]string{"guitarra": "music", "violin": "music", "piano": "music", "melodies": "music", "perro": "animal", "gato": "animal", "pets": "animal"}

func (b *bag) Model() string { return b.model }

func (b *bag) Embed(_ context.Context, texts []string) ([][]float32, error) {
	b.calls++
	b.texts = append(b.texts, texts...)
	if b.before != nil {
		if err := b.before(texts); err != nil {
			return nil, err
		}
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, b.dimensions)
		vectors[i][0] = 0.01 // none is zero
		for _, word := range strings.FieldsFunc(ontology.Fold(text), func(r rune) bool { return strings.ContainsRune(" \n_(),.:?¿", r) }) {
			if meaning, ok := meanings[word]; ok {
				word = meaning
			}
			h := fnv.New32a()
			h.Write([]byte(word))
			vectors[i][1+h.Sum32()%uint32(b.dimensions-1)]++
		}
	}
	if b.after != nil {
		vectors = b.after(vectors)
	}
	return vectors, nil
}

// embedding gives a client with an embedder, and removes every vector and the vector
// index at the end of the test.
func embedding(t testing.TB) (*acervo.Client, *bag) {
	t.Helper()
	b := &bag{model: "bag", dimensions: 512}
	client := migrated(t, acervo.New(testDriver(t), &acervo.Options{Embedder: b}))
	t.Cleanup(func() { removeVectors(t) })
	removeVectors(t)
	return client, b
}

func removeVectors(t testing.TB) {
	t.Helper()
	query(t, "DROP INDEX acervo_vectors IF EXISTS", nil)
	query(t, "MATCH (v:AcervoVector) DETACH DELETE v", nil)
}

func reembed(t testing.TB, m *acervo.Memory) *acervo.ReembedResult {
	t.Helper()
	r, err := m.Reembed(t.Context(), acervo.ReembedParams{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hybrid gives the result of a search, and the ids that it finds.
func hybrid(t testing.TB, m *acervo.Memory, params acervo.SearchParams) (*acervo.SearchResult, []string) {
	t.Helper()
	r, err := m.Search(t.Context(), params)
	if err != nil {
		t.Fatalf("%+v: %v", params, err)
	}
	ids := []string{}
	for _, h := range r.Hits {
		ids = append(ids, h.Node.ID)
	}
	return r, ids
}

func vectorsOf(t testing.TB, owner string) int64 {
	t.Helper()
	return count(t, "MATCH (v:AcervoVector) WHERE v.owner = $owner RETURN count(v)", map[string]any{"owner": owner})
}

func TestVectors(t *testing.T) {
	client, b := embedding(t)
	m, other := client.Memory(testOwner(t)).WithSession("s"), client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{
			{Name: "Fender", Type: "Documento", Attributes: map[string]any{"tipo": "guitarra"}}, {Name: "Rex", Type: "Personaje", Aliases: []string{"el perro"}},
			{Name: "Ana", Type: "Persona"}, {Name: "Misterio"},
		},
		Facts: []acervo.Fact{{Entity: "Ana", Text: "toca el piano"}, {Entity: "Ana", Text: "nació en Roca"}},
	})
	upsert(t, other, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Beto", Text: "melodies melodies"}}})
	ways := []acervo.SearchWay{acervo.ByText, acervo.ByVectors, acervo.ByGraph}

	// Without vectors, it is a search by text, and says so.
	if r, ids := hybrid(t, m, acervo.SearchParams{Text: "piano"}); !slices.Equal(ids, []string{"ana"}) || !slices.Equal(r.Ways, ways[:1]) || r.VectorError != "" || r.Hits[0].Ranks[acervo.ByText] != 1 {
		t.Errorf("before: %q, %+v", ids, r)
	}
	if r := reembed(t, m); r.Entities != 4 || r.Embedded != 4 || r.Dimensions != 512 || r.Model != "bag" {
		t.Errorf("%+v", r)
	}
	want := []string{"Fender (Documento)\ntipo: guitarra", "Rex (Personaje)\nel perro", "Ana (Persona)\nnació en Roca\ntoca el piano", "Misterio"}
	if got := slices.DeleteFunc(slices.Clone(b.texts), func(s string) bool { return s == "piano" }); !cmp.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the texts are %q", got)
	}
	for range 2 { // what is as it should be is left alone
		if r := reembed(t, m); r.Embedded != 0 || r.Entities != 4 {
			t.Errorf("again: %+v", r)
		}
	}
	reembed(t, other)

	// By meaning, where no word is the same; another's nearer ones aren't seen.
	r, ids := hybrid(t, m, acervo.SearchParams{Text: "melodies", Ways: []acervo.SearchWay{acervo.ByVectors}})
	if len(ids) != 4 || !slices.Contains(ids[:2], "fender") || !slices.Contains(ids[:2], "ana") || r.Hits[0].Ranks[acervo.ByVectors] != 1 || len(r.Hits[0].Ranks) != 1 || r.More {
		t.Errorf("by meaning: %q, %+v", ids, r)
	}
	// By all ways: what two find comes before what one does.
	r, ids = hybrid(t, m, acervo.SearchParams{Text: "Roca melodies"})
	if ids[0] != "ana" || !slices.Equal(r.Ways, ways) || r.Hits[0].Ranks[acervo.ByText] != 1 || r.Hits[0].Ranks[acervo.ByVectors] == 0 || r.Hits[0].Named {
		t.Errorf("by all ways: %q, %+v", ids, r.Hits)
	}
	if h := r.Hits[0]; len(h.Facts) != 1 || h.Facts[0].Text != "nació en Roca" || len(h.Highlights) != 1 || len(h.Node.Facts) != 2 {
		t.Errorf("the hit is %+v", h)
	}
	// What is named comes first, wherever the vectors put it.
	if r, ids := hybrid(t, m, acervo.SearchParams{Text: "Misterio guitarra piano"}); ids[0] != "misterio" || !r.Hits[0].Named || r.Hits[0].Score <= 1 {
		t.Errorf("named: %q", ids)
	}
	// An entity without a vector is found by name and by text.
	upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Nuevo", Text: "sabe a canela"}}})
	for _, text := range []string{"Nuevo", "canela"} {
		r, ids := hybrid(t, m, acervo.SearchParams{Text: text})
		i := slices.Index(ids, "nuevo")
		if i < 0 || i > 1 || r.Hits[i].Ranks[acervo.ByText] != 1 || r.Hits[i].Ranks[acervo.ByVectors] != 0 {
			t.Errorf("%q finds %q", text, ids)
		}
	}
	// What changes is embedded anew, and nothing else.
	if _, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Ana"), Text: "toca el piano", Correction: "cría un gato"}); err != nil {
		t.Fatal(err)
	}
	if r := reembed(t, m); r.Embedded != 2 || r.Entities != 5 {
		t.Errorf("after a correction: %+v", r)
	}
	if _, ids := hybrid(t, m, acervo.SearchParams{Text: "pets", Limit: 2}); !slices.Contains(ids, "ana") || !slices.Contains(ids, "rex") {
		t.Errorf("after a correction: %q", ids)
	}
	// Of what is gone, nothing is left.
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named("Ana"), Text: "cría un gato", Remove: true}); err != nil {
		t.Fatal(err)
	}
	if n := vectorsOf(t, m.Owner()); n != 4 {
		t.Errorf("a removed fact leaves %d vectors", n)
	}
	if _, err := m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named("Rex")}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Merge(t.Context(), acervo.MergeParams{Keep: named("Fender"), Absorb: named("Misterio")}); err != nil {
		t.Fatal(err)
	}
	if n := vectorsOf(t, m.Owner()); n != 2 {
		t.Errorf("two entities are left, and %d vectors", n)
	}
	if r, err := m.Forget(t.Context(), acervo.ForgetParams{}); err != nil || r.Nodes["AcervoVector"] != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if n := vectorsOf(t, m.Owner()); n != 0 {
		t.Errorf("a forgotten owner leaves %d vectors", n)
	}
	if n := vectorsOf(t, other.Owner()); n != 1 {
		t.Errorf("the other one has %d", n)
	}
}

// TestVectorsGraph ranks what is near what is named, or hot, before what isn't.
func TestVectorsGraph(t *testing.T) {
	client, _ := embedding(t)
	m := client.Memory(testOwner(t)).WithSession("s")
	place := "Villa" + strings.ToLower(m.Owner()[5:])
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}})
	var params acervo.UpsertParams
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		params.Facts = append(params.Facts, acervo.Fact{Entity: "Item " + name, Text: "canela"})
	}
	params.Entities = []acervo.Entity{{Name: place, Type: "Lugar"}}
	params.Relations = []acervo.Relation{{From: "Item D", To: "Item E", Type: "RELACIONADO_CON"}, {From: "Item D", To: place, Type: "VIVE_EN"}, {From: "Item B", To: place, Type: "VIVE_EN"}}
	upsert(t, m.WithSession("elsewhere"), params)
	reembed(t, m)
	graph := func(m *acervo.Memory, text string) []string {
		var got []string
		r, _ := hybrid(t, m, acervo.SearchParams{Text: text, Ways: []acervo.SearchWay{acervo.ByText, acervo.ByVectors, acervo.ByGraph}})
		for _, h := range r.Hits {
			if rank := h.Ranks[acervo.ByGraph]; rank > 0 {
				got = append(got, fmt.Sprint(h.Node.ID, " ", rank))
			}
		}
		slices.Sort(got)
		return got
	}
	if got := graph(m, "canela"); got != nil {
		t.Errorf("nothing is hot or named: %q", got)
	}
	// E is named: D is one relation away, the place, UNIVERSAL and not found, two.
	if got := graph(m, "Item E canela"); !slices.Equal(got, []string{"item_d 2", "item_e 1"}) {
		t.Errorf("named: %q", got)
	}
	// The UNIVERSAL place is hot: B and D are one relation away, E is two.
	if _, err := m.Mention(t.Context(), acervo.MentionParams{Names: []string{place}}); err != nil {
		t.Fatal(err)
	}
	if got := graph(m, "canela"); !slices.Equal(got, []string{"item_b 1", "item_d 1", "item_e 3"}) {
		t.Errorf("hot: %q", got)
	}
	_, ids := hybrid(t, m, acervo.SearchParams{Text: "canela"})
	for range 3 {
		if _, again := hybrid(t, m, acervo.SearchParams{Text: "canela"}); !slices.Equal(ids, again) {
			t.Fatalf("%q, then %q", ids, again)
		}
	}
	if !slices.Equal(ids, []string{"item_b", "item_d", "item_e", "item_a", "item_c"}) {
		t.Errorf("in the order %q", ids)
	}
	var paged []string
	for offset := 0; offset < 6; offset += 2 {
		r, page := hybrid(t, m, acervo.SearchParams{Text: "canela", Limit: 2, Offset: offset})
		if paged = append(paged, page...); r.More != (offset < 4) {
			t.Errorf("after %d: more is %v", offset, r.More)
		}
	}
	if !slices.Equal(paged, ids) {
		t.Errorf("pages give %q", paged)
	}
}

// TestVectorsOwners has 10,000 nearer ones of another owner hide nothing: neither of
// few, which are compared one by one, nor of many, for which the index is asked.
func TestVectorsOwners(t *testing.T) {
	client, b := embedding(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{
		{Entity: "A", Text: "guitarra y otra cosa"}, {Entity: "B", Text: "otra cosa más"}, {Entity: "C", Text: "nada"}, {Entity: "D", Text: "nada de nada"}, {Entity: "E", Text: "todo"},
	}})
	reembed(t, m)
	vectors, err := b.Embed(t.Context(), []string{"melodies"})
	if err != nil {
		t.Fatal(err)
	}
	plant := func(owner, prefix string, n int, shift float32) {
		t.Helper()
		vector := slices.Clone(vectors[0])
		vector[1] += shift
		query(t, `UNWIND range(1, $n) AS i
			CALL (i) {
				CREATE (:AcervoEntity:Personal:Obra {owner: $owner, id: $prefix + i, label: 'x', type: 'Obra', layer: 'PERSONAL', aliases: [], owner_digest: $digest})
				CREATE (v:AcervoVector {owner: $owner, id: $prefix + i, model: 'bag', dimensions: 512, digest: ''})
				WITH v, i
				CALL db.create.setNodeVectorProperty(v, 'embedding', [x IN range(0, 511) | $vector[x] + CASE x WHEN i % 400 THEN 0.001 ELSE 0.0 END])
			}`, map[string]any{"n": n, "owner": owner, "prefix": prefix, "vector": vector, "digest": ownerDigest(owner)})
	}
	plant(other.Owner(), "n", 10_000, 0.5)
	query(t, "CALL db.awaitIndexes(300)", nil)
	byVectors := acervo.SearchParams{Text: "melodies", Ways: []acervo.SearchWay{acervo.ByVectors}, Limit: 100}
	few := []string{"a", "c", "e", "b", "d"} // the longer a text that has nothing of it, the farther
	if _, ids := hybrid(t, m, byVectors); !slices.Equal(ids, few) {
		t.Errorf("of few: %q", ids)
	}
	if _, ids := hybrid(t, other, byVectors); len(ids) != 100 || !strings.HasPrefix(ids[0], "n") {
		t.Errorf("of the other one: %d", len(ids))
	}
	// Now there are many, farther than those of the other one, and the three nearest of
	// all, at the end of the ids, where only the index finds them.
	plant(m.Owner(), "m", 5_200, 3)
	plant(m.Owner(), "z", 3, 0)
	query(t, "CALL db.awaitIndexes(300)", nil)
	_, ids := hybrid(t, m, byVectors)
	if len(ids) != 100 {
		t.Errorf("of many: %d", len(ids))
	}
	for _, id := range []string{"z1", "z2", "z3"} {
		if !slices.Contains(ids[:min(len(ids), 3)], id) {
			t.Errorf("of many, %s isn't among the first: %q", id, ids[:min(len(ids), 10)])
		}
	}
}

func TestReembedFaults(t *testing.T) {
	client, b := embedding(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}, {Name: "Beto", Type: "Persona"}, {Name: "Ciro", Type: "Persona"}}})
	broken := errors.New("nobody answers")
	for name, set := range map[string]func(){
		"an error":     func() { b.before = func([]string) error { return broken } },
		"too few":      func() { b.after = func(v [][]float32) [][]float32 { return v[1:] } },
		"another size": func() { b.after = func(v [][]float32) [][]float32 { v[1] = v[1][1:]; return v } },
		"no size":      func() { b.after = func([][]float32) [][]float32 { return make([][]float32, 3) } },
		"too large": func() {
			b.after = func([][]float32) [][]float32 { v := make([]float32, 4097); v[0] = 1; return [][]float32{v, v, v} }
		},
		"zero":             func() { b.after = func(v [][]float32) [][]float32 { v[2] = make([]float32, 512); return v } },
		"not a number":     func() { b.after = func(v [][]float32) [][]float32 { v[2][0] = float32(math.NaN()); return v } },
		"not a finite one": func() { b.after = func(v [][]float32) [][]float32 { v[2][0] = float32(math.Inf(1)); return v } },
		"longer than it is": func() {
			b.after = func(v [][]float32) [][]float32 { v[2][0], v[2][1] = math.MaxFloat32, math.MaxFloat32; return v }
		},
	} {
		b.before, b.after = nil, nil
		set()
		var fault *acervo.EmbedderError
		if _, err := m.Reembed(t.Context(), acervo.ReembedParams{}); !errors.Is(err, acervo.ErrEmbedder) || !errors.As(err, &fault) || fault.Model != "bag" || name == "an error" && !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := vectorsOf(t, m.Owner()); n != 0 {
		t.Errorf("%d vectors were written", n)
	}
	// One batch after the other: what was done stays, and the next call goes on.
	b.after = nil
	b.before = func(texts []string) error {
		if strings.HasPrefix(texts[0], "Ciro") {
			return broken
		}
		return nil
	}
	var progress []int64
	if _, err := m.Reembed(t.Context(), acervo.ReembedParams{Batch: 1, Progress: func(r acervo.ReembedResult) { progress = append(progress, r.Embedded) }}); !errors.Is(err, broken) || vectorsOf(t, m.Owner()) != 2 || !slices.Equal(progress, []int64{1, 2}) {
		t.Errorf("interrupted: %v, progress %v", err, progress)
	}
	// Searches go on without vectors, unless they were asked for.
	b.before = func([]string) error { return broken }
	if r, ids := hybrid(t, m, acervo.SearchParams{Text: "Ana"}); !slices.Equal(ids, []string{"ana"}) || !strings.Contains(r.VectorError, "nobody answers") || !slices.Equal(r.Ways, []acervo.SearchWay{acervo.ByText}) {
		t.Errorf("%q, %+v", ids, r)
	}
	if _, err := m.Search(t.Context(), acervo.SearchParams{Text: "Ana", Ways: []acervo.SearchWay{acervo.ByText, acervo.ByVectors}}); !errors.Is(err, broken) || !errors.Is(err, acervo.ErrEmbedder) {
		t.Errorf("%v", err)
	}
	// What is removed while the embedder works gets no vector.
	b.before = func([]string) error {
		_, err := m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named("Ciro")})
		return err
	}
	if r := reembed(t, m); r.Embedded != 0 || vectorsOf(t, m.Owner()) != 2 {
		t.Errorf("removed meanwhile: %+v, %d vectors", r, vectorsOf(t, m.Owner()))
	}
	b.before = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Reembed(ctx, acervo.ReembedParams{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}

	plain := testClient(t).Memory(m.Owner())
	var faults *acervo.ValidationError
	for _, err := range []error{
		second(plain.Reembed(t.Context(), acervo.ReembedParams{})), second(m.Reembed(t.Context(), acervo.ReembedParams{Batch: 1001})),
		second(plain.Search(t.Context(), acervo.SearchParams{Text: "a", Ways: []acervo.SearchWay{acervo.ByVectors}})),
		second(m.Search(t.Context(), acervo.SearchParams{Text: "a", Ways: []acervo.SearchWay{acervo.ByGraph}})),
		second(m.Search(t.Context(), acervo.SearchParams{Text: "a", Ways: []acervo.SearchWay{"words"}})),
		second(m.Search(t.Context(), acervo.SearchParams{Text: "a", Ways: []acervo.SearchWay{acervo.ByText, acervo.ByText}})),
	} {
		if !errors.Is(err, acervo.ErrInvalid) || !errors.As(err, &faults) || len(faults.Faults) != 1 {
			t.Errorf("%v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestReembedModels changes the model, then the dimensions.
func TestReembedModels(t *testing.T) {
	client, b := embedding(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	for _, m := range []*acervo.Memory{m, other} {
		upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}, {Name: "Beto", Type: "Persona"}}})
		reembed(t, m)
	}
	byVectors := acervo.SearchParams{Text: "Ana", Ways: []acervo.SearchWay{acervo.ByVectors}}
	// Vectors of another model aren't compared, and are made anew.
	b.model = "another"
	if _, ids := hybrid(t, m, byVectors); len(ids) != 0 {
		t.Errorf("vectors of another model are compared: %q", ids)
	}
	if r := reembed(t, m); r.Embedded != 2 {
		t.Errorf("another model: %+v", r)
	}
	if _, ids := hybrid(t, m, byVectors); len(ids) != 2 {
		t.Errorf("another model: %q", ids)
	}
	// Other dimensions need All, of everything.
	b.dimensions = 256
	var size *acervo.VectorIndexError
	for _, err := range []error{
		second(m.Reembed(t.Context(), acervo.ReembedParams{All: true})), second(m.Search(t.Context(), byVectors)),
	} {
		if !errors.Is(err, acervo.ErrConflict) || !errors.As(err, &size) || size.Stored != 512 || size.Dimensions != 256 || !strings.Contains(err.Error(), "acervo reembed --all") {
			t.Errorf("%v", err)
		}
	}
	if n := count(t, "MATCH (v:AcervoVector) WHERE size(v.embedding) <> 512 OR v.dimensions <> 512 RETURN count(v)", nil); n != 0 {
		t.Errorf("%d vectors of other dimensions were written", n)
	}
	if r, ids := hybrid(t, m, acervo.SearchParams{Text: "Ana"}); !slices.Equal(ids, []string{"ana"}) || !strings.Contains(r.VectorError, "256") {
		t.Errorf("%q, %+v", ids, r)
	}
	if _, err := client.Reembed(t.Context(), acervo.ReembedParams{All: true}); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*acervo.Memory{m, other} {
		if r, ids := hybrid(t, m, acervo.SearchParams{Text: "Ana"}); ids[0] != "ana" || !slices.Contains(ids, "beto") || r.Hits[0].Ranks[acervo.ByVectors] == 0 || r.VectorError != "" {
			t.Errorf("%q, %+v", ids, r)
		}
		if r := reembed(t, m); r.Embedded != 0 {
			t.Errorf("%+v", r)
		}
	}
	if n := count(t, "MATCH (e:AcervoEntity) WHERE NOT EXISTS { MATCH (v:AcervoVector {owner: e.owner, id: e.id}) WHERE v.dimensions = 256 AND size(v.embedding) = 256 } RETURN count(e)", nil); n != 0 {
		t.Errorf("%d entities have no vector of the new model", n)
	}
	if r := query(t, "SHOW INDEXES YIELD name, state, options WHERE name = 'acervo_vectors' RETURN state, options.indexConfig.`vector.dimensions`", nil); len(r) != 1 || r[0].Values[0] != "ONLINE" || r[0].Values[1] != int64(256) {
		t.Errorf("the index is %v", r)
	}
}

// TestVectorsWorld finds what is shared for every owner, of whose own facts its text
// has none.
func TestVectorsWorld(t *testing.T) {
	client, b := embedding(t)
	a, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	place := "Villa" + strings.ToLower(a.Owner()[5:])
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}, Facts: []acervo.Fact{{Entity: place, Text: "tiene piano"}}})
	upsert(t, a, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: place, Text: "mi secreto"}}})
	reembed(t, client.World())
	if i := slices.IndexFunc(b.texts, func(text string) bool { return strings.HasPrefix(text, place) }); i < 0 || b.texts[i] != place+" (Lugar)\ntiene piano" {
		t.Errorf("the texts are %q", b.texts)
	}
	for _, m := range []*acervo.Memory{a, other, client.World()} {
		r, ids := hybrid(t, m, acervo.SearchParams{Text: "melodies", Limit: 100})
		if i := slices.Index(ids, strings.ToLower(place)); i < 0 || r.Hits[i].Node.Layer != layers.Universal {
			t.Errorf("%s finds %q", m.Owner(), ids)
		}
	}
	// What is written in a transaction is found in it.
	tx := begin(t)
	r, err := a.SearchTx(t.Context(), tx, acervo.SearchParams{Text: "melodies"})
	if err != nil || len(r.Hits) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestVectorsDoctor has a doctor miss vectors once there is an index for them.
func TestVectorsDoctor(t *testing.T) {
	client, _ := embedding(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}, {Name: "Beto", Type: "Persona"}}})
	missing := func() (looked bool, n int64, mend string) {
		t.Helper()
		r, err := client.Diagnose(t.Context(), acervo.DiagnoseParams{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Check == "embeddings" {
				n, mend = n+f.Count, f.Mend
			}
		}
		return slices.Contains(r.Checks, "embeddings"), n, mend
	}
	if looked, n, _ := missing(); looked || n != 0 {
		t.Errorf("without an index, %d are missed", n)
	}
	if _, err := client.Reembed(t.Context(), acervo.ReembedParams{}); err != nil {
		t.Fatal(err)
	}
	if looked, n, _ := missing(); !looked || n != 0 {
		t.Errorf("after everything was embedded, %d are missed", n)
	}
	query(t, "MATCH (v:AcervoVector {owner: $owner, id: 'ana'}) DELETE v", map[string]any{"owner": m.Owner()})
	if _, n, mend := missing(); n != 1 || !strings.Contains(mend, "acervo reembed") {
		t.Errorf("%d are missed; %q", n, mend)
	}
	if r := reembed(t, m); r.Embedded != 1 {
		t.Errorf("%+v", r)
	}
	if _, n, _ := missing(); n != 0 {
		t.Errorf("after it was embedded again, %d are missed", n)
	}
}

// TestVectorsStayHere has exports hold no vectors, which can be made again.
func TestVectorsStayHere(t *testing.T) {
	client, _ := embedding(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}}, Facts: []acervo.Fact{{Entity: "Ana", Text: "canta"}}})
	reembed(t, m)
	before := export(t, m, acervo.FormatJSONLines)
	if strings.Contains(string(before), "embedding") || strings.Contains(string(before), "AcervoVector") {
		t.Errorf("vectors are exported: %s", before)
	}
	forget(t, m)
	if _, err := m.Import(t.Context(), strings.NewReader(string(before)), acervo.ImportParams{}); err != nil {
		t.Fatal(err)
	}
	if r := reembed(t, m); r.Embedded != 1 {
		t.Errorf("after an import: %+v", r)
	}
}
