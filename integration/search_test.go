package integration

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cypher"
)

// search gives the ids that a search finds.
func search(t testing.TB, m *acervo.Memory, text string) []string {
	t.Helper()
	r, err := m.Search(t.Context(), acervo.SearchParams{Text: text, Limit: 100})
	if err != nil {
		t.Errorf("%q: %v", text, err)
		return nil
	}
	ids := []string{}
	for _, h := range r.Hits {
		ids = append(ids, h.Node.ID)
	}
	return ids
}

func TestSearch(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	params := acervo.UpsertParams{}
	add := func(name, fact string, aliases ...string) {
		params.Entities = append(params.Entities, acervo.Entity{Name: name, Type: "Proyecto", Aliases: aliases})
		if fact != "" {
			params.Facts = append(params.Facts, acervo.Fact{Entity: name, Text: fact})
		}
	}
	add("Zoë Muñoz", "escribió una canción para el verano")
	add("tb-foo", "uses two instruments", "the ERP")
	add("snake_case", "runs on node.js 22")
	add("C", "")
	add("C++", "")
	add("C#", "")
	add(".NET", "")
	add("The Who", "")
	add("And", "")
	add("x probe", "started the probe at /x")
	add("Nodo", "speaks node:http")
	add("首都", "北京是首都")
	add("Дом", "Москва слезам не верит")
	add("شركة", "مرحبا بالعالم")
	add("도서관", "한국어를 공부한다")
	add("タワー", "東京タワーへ行く")
	add("วัด", "ภาษาไทยยาก")
	add("Æbelø", "in der Straße")
	add("Guitarra", "Instrumento que el usuario toca")
	upsert(t, m, params)

	for text, want := range map[string]string{
		"zoe munoz": "zoe_muñoz", "ZOË MUÑOZ": "zoe_muñoz", "canciones": "zoe_muñoz", "cancion": "zoe_muñoz", "¿qué canciones?": "zoe_muñoz",
		"instrument": "guitarra tb_foo", "¿qué instrumentos toco?": "guitarra tb_foo", "erp": "tb_foo", "tb-": "tb_foo", "tb": "tb_foo", "tb-foo": "tb_foo",
		"snake_case": "snake_case", "snake-case": "snake_case", "node.js": "nodo snake_case", "node": "nodo snake_case", "node:": "nodo snake_case",
		"C": "c", "C++": "c_plus_plus", "C#": "c_sharp", ".NET": "dot_net", "c++ y .net": "dot_net c_plus_plus", "que": "guitarra",
		"The Who": "the_who", "the who": "the_who", "who": "the_who", "AND": "and", "and": "and",
		"/x probe": "x_probe", "(x": "x_probe", "\"x": "x_probe", "x*": "x_probe", "x^2": "x_probe", "x\\": "x_probe", "~x": "x_probe", "+x -probe": "x_probe",
		"label:x": "x_probe", "owner_digest:x": "x_probe", "x/": "x_probe", "[x TO y]": "x_probe", "x && y || !z": "x_probe", "x\" OR *:* \"": "x_probe",
		"北京": "首都", "京": "首都", "首都": "首都", "москва": "дом", "МОСКВА": "дом", "مرحبا": "شركة", "한국어": "도서관", "東京": "タワー", "東京タワー": "タワー", "ภาษา": "วัด",
		"aebelo": "æbelø", "strasse": "æbelø", "STRASSE": "æbelø",
		strings.Repeat("palabra extraña ", 310) + "zoe": "zoe_muñoz", strings.Repeat("x", 5000) + " muñoz": "zoe_muñoz",
		strings.Repeat("\"(", 2500) + "muñoz": "zoe_muñoz", strings.Repeat("muñoz ", 9000): "zoe_muñoz",
	} {
		got := search(t, m, text)
		wanted := strings.Fields(want)
		if len(got) < len(wanted) || !slices.Equal(got[:len(wanted)], wanted) {
			t.Errorf("%.60q finds %q, not first %q", text, got, wanted)
		}
	}
	for _, text := range []string{"\"", "*", "~", "\\", "^", "(", "?", "|", "it", "*:*", "zz top", "AND NOT"} {
		got := search(t, m, text)
		if text == "AND NOT" {
			got = slices.DeleteFunc(got, func(id string) bool { return id == "and" }) // its name is there
		}
		if len(got) > 0 {
			t.Errorf("%q finds %q", text, got)
		}
	}
}

// TestSearchForms finds words by other forms of them, and nothing that only looks like
// one.
func TestSearchForms(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	var params acervo.UpsertParams
	for name, fact := range map[string]string{
		"Atlas": "recorrió un país", "Terminal": "salen dos autobuses", "Sierra": "they went hiking", "Pan": "she used flour",
		"Bandoneón": "lo toca cada domingo", "Roma": "ya viajé allí", "Edificio": "está en casa", "Animal": "tiene una gata",
		"Atenas": "στην Ελλάδα", "Jaifa": "עיר יפה", "Delhi": "हिन्दी भाषा",
		"Diario": "she wrote it every day", "Nido": "two children and their wives",
	} {
		params.Facts = append(params.Facts, acervo.Fact{Entity: name, Text: fact})
	}
	upsert(t, m, params)
	for text, want := range map[string]string{
		"países": "atlas", "autobús": "terminal", "hike": "sierra", "use": "pan", "using": "pan",
		"toco": "bandoneon", "tocaba": "bandoneon", "tocar": "bandoneon", "viajar": "roma", "viajo": "roma",
		"caso": "", "gato": "", "ελλαδα": "atenas", "ΕΛΛΑΔΑ": "atenas", "Ελλάδα": "atenas", "יפה": "jaifa", "हिन्दी": "delhi",
		"write": "diario", "writing": "diario", "child": "nido", "wife": "nido", "wive": "nido", "life": "",
	} {
		r, err := m.Search(t.Context(), acervo.SearchParams{Text: text})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var got []string
		for _, h := range r.Hits {
			got = append(got, h.Node.ID)
			if len(h.Highlights) != 1 {
				t.Errorf("%q marks %+v", text, h.Highlights)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, not %q", text, got, want)
		}
	}
}

func TestSearchHit(t *testing.T) {
	m := testClient(t).Memory(testOwner(t)).WithSession("s")
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Lighthouse", Type: "Proyecto", Aliases: []string{"the canción ERP"}}, {Name: "Disco", Type: "Obra"}},
		Facts: []acervo.Fact{
			{Entity: "Lighthouse", Text: "Sus canciones gustan"}, {Entity: "Lighthouse", Text: "Tiene una canción, disco y canción"},
			{Entity: "Lighthouse", Text: "Goes live in May"}, {Entity: "Disco", Text: "la canción de todos los que hay en el norte del país"},
		},
	})
	r, err := m.Search(t.Context(), acervo.SearchParams{Text: "canción disco"})
	if err != nil || len(r.Hits) != 2 || r.More {
		t.Fatalf("%+v, %v", r, err)
	}
	named, hit := r.Hits[0], r.Hits[1]
	if named.Node.ID != "disco" || !named.Named || named.Score <= 1 || named.Score >= 2 || hit.Named || hit.Score <= 0 || hit.Score >= 1 {
		t.Errorf("%+v", r.Hits)
	}
	if hit.Node.ID != "lighthouse" || hit.Node.Activation != "hot" || len(hit.Node.Facts) != 3 {
		t.Errorf("the node is %+v", hit.Node)
	}
	var facts, marked []string
	for _, f := range hit.Facts {
		facts = append(facts, f.Text)
	}
	if want := []string{"Tiene una canción, disco y canción", "Sus canciones gustan"}; !slices.Equal(facts, want) {
		t.Errorf("it was found by %q", facts)
	}
	for _, h := range hit.Highlights {
		text, at := h.Field+": ", 0
		for _, r := range h.Ranges {
			text += h.Text[at:r.Start] + "[" + h.Text[r.Start:r.End] + "]"
			at = r.End
		}
		marked = append(marked, text+h.Text[at:])
	}
	want := []string{"alias: the [canción] ERP", "fact: Tiene una [canción], [disco] y [canción]", "fact: Sus [canciones] gustan"}
	if diff := cmp.Diff(want, marked); diff != "" {
		t.Errorf("highlights (-want +got):\n%s", diff)
	}
}

// TestSearchFollows has what is found follow what is known.
func TestSearchFollows(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Ana", Text: "toca el violín"}, {Entity: "Ana", Text: "vive en Roca"}, {Entity: "Beto", Text: "pinta"}}})
	finds := func(text string, want ...string) {
		t.Helper()
		if got := search(t, m, text); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%q finds %q, not %q", text, got, want)
		}
	}
	do := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	finds("violin", "ana")
	do(m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Ana"), Text: "toca el violín", Correction: "toca la viola"}))
	finds("violin")
	finds("viola", "ana")
	do(m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Ana"), Text: "toca la viola", Correction: "toca el violín"}))
	finds("violin", "ana")
	do(m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named("Ana"), Text: "vive en Roca"}))
	finds("roca")
	do(m.Rename(t.Context(), acervo.RenameParams{Entity: named("Ana"), Name: "Anastasia Fiel"}))
	finds("fiel", "ana")
	do(m.AddAlias(t.Context(), acervo.AliasParams{Entity: named("Beto"), Aliases: []string{"el pintor"}}))
	finds("pintores", "beto")
	do(m.RemoveAlias(t.Context(), acervo.AliasParams{Entity: named("Beto"), Aliases: []string{"el pintor"}}))
	finds("pintores")
	do(m.Merge(t.Context(), acervo.MergeParams{Keep: named("Ana"), Absorb: named("Beto")}))
	finds("pinta", "ana")
	finds("beto", "ana")
	do(m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named("Ana")}))
	finds("fiel")
	finds("violin")
}

// TestSearchOwners has 10,000 nearer hits of another owner cost and hide nothing, and
// so those that were corrected.
func TestSearchOwners(t *testing.T) {
	client := testClient(t)
	owner, other := testOwner(t), testOwner(t)
	m := client.Memory(owner)
	var own acervo.UpsertParams
	var want []string
	for i := range 5 {
		name := fmt.Sprint("Objeto ", i)
		want = append(want, fmt.Sprint("objeto_", i))
		own.Facts = append(own.Facts, acervo.Fact{Entity: name, Text: "cada tanto alguien que pasa por acá dice que es una maravilla entre las que hay"})
	}
	own.Facts = append(own.Facts, acervo.Fact{Entity: "Objeto 9", Text: "maravilla"})
	upsert(t, m, own)
	if _, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Objeto 9"), Text: "maravilla", Correction: "común"}); err != nil {
		t.Fatal(err)
	}
	hits := func(m *acervo.Memory, found int) int64 {
		return hitsOf(t, func(tx acervo.Tx) {
			if r, err := m.SearchTx(t.Context(), tx, acervo.SearchParams{Text: "maravillas"}); err != nil || len(r.Hits) != found {
				t.Fatalf("%+v, %v", r, err)
			}
		})
	}
	before := hits(m, 5)
	query(t, `UNWIND range(1, 10000) AS i
		CREATE (:AcervoEntity:Personal:Cosa {owner: $owner, owner_digest: $digest, id: 'maravilla_' + i, label: 'Maravilla', type: 'Cosa', layer: 'PERSONAL', aliases: []})
		       -[:HAS_FACT]->(:AcervoFact:Personal {owner: $owner, owner_digest: $digest, key: $owner + i, about: 'p:maravilla_' + i, text: 'maravilla', created_at: datetime()})
		CREATE (:AcervoFact:Personal {owner: $self, key: $self + '@' + i, about: 'p:objeto_9', text: 'maravilla', created_at: datetime(), valid_to: datetime()})`,
		map[string]any{"owner": other, "self": owner, "digest": ownerDigest(other)})
	got := search(t, m, "maravillas")
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("found %q", got)
	}
	if after := hits(m, 5); after != before {
		t.Errorf("a search takes %d database accesses, %d without those of another owner", after, before)
	}
	if n := hits(client.Memory(other), 10); n > cypher.SearchFind.Hits || n < cypher.SearchFind.Hits/2 {
		t.Errorf("a search that finds too much takes %d database accesses, its header says up to %d", n, cypher.SearchFind.Hits)
	}
	if got := search(t, client.Memory(other), "maravillas"); len(got) != 100 || !strings.HasPrefix(got[0], "maravilla_") {
		t.Errorf("the other one finds %d", len(got))
	}
	if _, err := client.Memory(other).Forget(t.Context(), acervo.ForgetParams{}); err != nil {
		t.Fatal(err)
	}
	if got := search(t, client.Memory(other), "maravillas"); len(got) != 0 {
		t.Errorf("after all was forgotten, %d are found", len(got))
	}
}

// TestSearchWorld finds what is shared for every owner, and what one of them said of
// it for that one.
func TestSearchWorld(t *testing.T) {
	client := testClient(t)
	a, b := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	place := "Villa" + strings.ToLower(a.Owner()[5:])
	id := strings.ToLower(place)
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: place, Type: "Lugar", Aliases: []string{place + "ito"}}},
		Facts:    []acervo.Fact{{Entity: place, Text: "tiene " + place + "nas"}},
	})
	upsert(t, a, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: place, Text: "la visité con xilofonistas"}}})
	if _, err := a.AddAlias(t.Context(), acervo.AliasParams{Entity: named(place), Aliases: []string{"mi quebracho"}}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][3]bool{
		place: {true, true, true}, place + "ito": {true, true, true}, place + "nas": {true, true, true},
		"xilofonista": {true, false, false}, "quebrachos": {true, false, false},
	} {
		for i, m := range []*acervo.Memory{a, b, client.World()} {
			if got := search(t, m, text); slices.Contains(got, id) != want[i] || !want[i] && len(got) > 0 {
				t.Errorf("%q of %s finds %q", text, m.Owner(), got)
			}
		}
	}
}

func TestSearchPages(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	var params acervo.UpsertParams
	for i := range 25 {
		params.Entities = append(params.Entities, acervo.Entity{Name: fmt.Sprint("Ficha ", i), Type: "Obra"})
	}
	upsert(t, m, params)
	all := search(t, m, "fichas")
	if sorted := slices.Sorted(slices.Values(all)); len(all) != 25 || !slices.Equal(all, sorted) {
		t.Errorf("those of one score are in the order %q", all)
	}
	var paged []string
	for offset, more := 0, true; more; offset += 10 {
		r, err := m.Search(t.Context(), acervo.SearchParams{Text: "fichas", Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			paged = append(paged, h.Node.ID)
		}
		more = r.More
	}
	if !slices.Equal(paged, all) {
		t.Errorf("pages give %q", paged)
	}

	var faults *acervo.ValidationError
	_, err := m.AsOf(time.Now()).Search(t.Context(), acervo.SearchParams{Text: "a\x00", Limit: 101, Offset: -1})
	if !errors.As(err, &faults) || len(faults.Faults) != 3 {
		t.Errorf("%v", err)
	}
	for field, p := range map[string]acervo.SearchParams{
		"offset": {Text: "a", Offset: 491}, "text": {Text: strings.Repeat("a", 64<<10+1)}, "limit": {Text: "a", Limit: 101},
	} {
		if _, err := m.Search(t.Context(), p); !errors.Is(err, acervo.ErrInvalid) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, text := range []string{"", " ", "\xff"} {
		if _, err := m.Search(t.Context(), acervo.SearchParams{Text: text}); !errors.Is(err, acervo.ErrInvalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSearchTx(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	tx := begin(t)
	if _, err := m.UpsertEntitiesTx(t.Context(), tx, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Ana", Text: "colecciona relojes"}}}); err != nil {
		t.Fatal(err)
	}
	if r, err := m.SearchTx(t.Context(), tx, acervo.SearchParams{Text: "reloj de Ana"}); err != nil || len(r.Hits) != 1 || !r.Hits[0].Named {
		t.Errorf("%+v, %v", r, err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := search(t, m, "relojes de Ana"); len(got) != 0 {
		t.Errorf("what was rolled back is found: %q", got)
	}
	// What is committed is found at once, though the index is written after it.
	for i := range 20 {
		upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: fmt.Sprint("Ana ", i), Text: fmt.Sprintf("colecciona relojes%d", i)}}})
		if got := search(t, m, fmt.Sprintf("relojes%d", i)); len(got) != 1 {
			t.Fatalf("%d: %q", i, got)
		}
	}
}

// TestSearchMigration brings a graph of the release before to full-text search.
func TestSearchMigration(t *testing.T) {
	if os.Getenv("ACERVO_NEWEST") != "" {
		t.Skip("one release is enough; it starts a server")
	}
	s := spareServer(t)
	driver := driverOf(t, s)
	c := migrated(t, open(t, s))
	m := c.Memory("ana")
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Guitarra", Type: "Obra", Aliases: []string{"la criolla"}}},
		Facts:    []acervo.Fact{{Entity: "Guitarra", Text: "suena bien"}, {Entity: "Guitarra", Text: "era azul"}},
	})
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named("Guitarra"), Text: "era azul"}); err != nil {
		t.Fatal(err)
	}
	upsert(t, c.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Roca", Type: "Lugar"}}})
	want := dumpOf(t, driver)
	for _, text := range []string{
		"MATCH (m:AcervoSchema {name: '0003_search'}) DELETE m", "DROP INDEX acervo_search", "MATCH (n) REMOVE n.owner_digest",
		`UNWIND range(1, 12000) AS i CREATE (:AcervoEntity:Personal:Obra {owner: 'o' + i % 7, id: 'obra_' + i, label: 'Vasija ' + i, type: 'Obra', layer: 'PERSONAL', aliases: []})
		 CREATE (:AcervoAlias {owner: 'o' + i % 7, id: 'pote_' + i, entity: 'p:obra_' + i, label: 'Pote ' + i})`,
	} {
		queryOn(t, driver, text, nil)
	}
	fresh := open(t, s)
	if _, err := fresh.Memory("ana").Search(t.Context(), acervo.SearchParams{Text: "criolla"}); !errors.Is(err, acervo.ErrSchemaOutdated) {
		t.Fatalf("before the migration: %v", err)
	}
	// Ended when the first page is done, it goes on from there.
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			r, err := neo4j.ExecuteQuery(t.Context(), driver, "MATCH (n:AcervoEntity) WHERE n.owner_digest IS NOT NULL RETURN count(n)", nil, neo4j.EagerResultTransformer)
			if err != nil || r.Records[0].Values[0].(int64) > 0 {
				return
			}
		}
	}()
	_, err := fresh.Migrate(ctx)
	t.Logf("interrupted: %v", err)
	result, err := fresh.Migrate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("then: %+v", result)
	for text, want := range map[string]string{"criolla": "guitarra", "suena": "guitarra", "roca": "roca", "azul": ""} {
		if got := search(t, fresh.Memory("ana"), text); strings.Join(got, " ") != want {
			t.Errorf("%q finds %q", text, got)
		}
	}
	for i := range 7 {
		if got := search(t, fresh.Memory(fmt.Sprint("o", i)), "vasija 9 pote"); len(got) != 100 {
			t.Errorf("o%d finds %d", i, len(got))
		}
	}
	queryOn(t, driver, "MATCH (n) WHERE n.owner =~ 'o[0-9]' DETACH DELETE n", nil)
	if diff := cmp.Diff(want, dumpOf(t, driver)); diff != "" {
		t.Errorf("the graph (-before +after):\n%s", diff)
	}
}
