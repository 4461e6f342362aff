package integration

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// buildPack makes a pack file of items.
func buildPack(t testing.TB, name, version string, items ...string) *bytes.Reader {
	t.Helper()
	manifest := fmt.Sprintf(`{"name":%q,"version":%q,"licence":"CC0-1.0","attribution":"nobody","source":"a test",
		"ontology":{"types":[{"name":"Lugar","attributes":["altura"]}],"relations":[{"name":"PART_OF"}]}}`, name, version)
	var b bytes.Buffer
	dir := fstest.MapFS{"pack.json": {Data: []byte(manifest)}, "items.jsonl": {Data: []byte(strings.Join(items, "\n"))}}
	if _, err := acervo.BuildPack(dir, &b); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

func entityItem(id, rest string) string {
	return fmt.Sprintf(`{"entity":{"id":%q,"name":%q,"type":"Lugar"%s}}`, id, strings.ToUpper(id[:1])+id[1:], rest)
}

func partOf(from, to string) string {
	return fmt.Sprintf(`{"relation":{"from":%q,"type":"part_of","to":%q}}`, from, to)
}

func factItem(id, text string) string {
	return fmt.Sprintf(`{"fact":{"entity":%q,"text":%q}}`, id, text)
}

func TestPack(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	mark := strings.ToLower(m.Owner()[5:13])
	pack := "p" + mark
	id := func(name string) string { return name + "_" + mark }
	if _, err := client.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: "Lugar", Attributes: []string{"altura"}}); err != nil {
		t.Fatal(err)
	}
	// One entity is there with another type, one was stated by an owner.
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{ID: id("clash"), Name: "Clash", Type: "Obra"}}})
	upsert(t, m, acervo.UpsertParams{Layer: layers.Universal, NoActivation: true, Entities: []acervo.Entity{{ID: id("stated"), Name: id("stated"), Type: "Lugar", Attributes: map[string]any{"altura": 1}}}})
	t.Cleanup(func() {
		query(t, "MATCH (n) WHERE n.id CONTAINS $mark OR n.entity CONTAINS $mark OR n.about CONTAINS $mark DETACH DELETE n", map[string]any{"mark": mark})
	})
	before := dump(t)

	one1 := []string{
		entityItem(id("a"), `,"aliases":["Alpha `+mark+`"],"attributes":{"altura":3,"tipo":"x"}`), entityItem(id("b"), ""), entityItem(id("c"), ""),
		entityItem(id("clash"), ""), entityItem(id("stated"), `,"attributes":{"altura":7}`),
		partOf(id("a"), id("b")), partOf(id("b"), id("c")), partOf(id("clash"), id("c")), factItem(id("a"), "is high"), factItem(id("b"), "is low"),
	}
	first := buildPack(t, pack, "1", one1...)
	for i := range 2 {
		again := buildPack(t, pack, "1", one1...)
		text1, _ := io.ReadAll(first)
		text2, _ := io.ReadAll(again)
		if !bytes.Equal(text1, text2) {
			t.Errorf("build %d gives other bytes", i)
		}
		first = bytes.NewReader(text1)
	}
	changes, err := client.InstallPack(t.Context(), first, acervo.PackParams{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Fatalf("the dry run wrote:\n%s", diff)
	}
	_, _ = first.Seek(0, io.SeekStart)
	done, err := client.InstallPack(t.Context(), first, acervo.PackParams{})
	if err != nil {
		t.Fatal(err)
	}
	changes.DryRun = false
	if diff := cmp.Diff(changes, done); diff != "" {
		t.Errorf("the dry run and what came of it:\n%s", diff)
	}
	if d := done.Entities; d.Added != 4 || d.Changed != 1 || done.Relations.Added != 3 || done.Facts.Added != 2 {
		t.Errorf("%+v", done)
	}
	a := one(t, m, "alpha "+mark)
	if a.ID != id("a") || a.VerifiedAt == nil || a.Status != layers.Complete || a.Attributes["altura"] != int64(3) || len(a.Facts) != 1 || len(a.Relations) != 1 {
		t.Errorf("%+v", a)
	}
	if n := one(t, m, id("stated")); n.VerifiedAt == nil || n.Attributes["altura"] != int64(7) {
		t.Errorf("what an owner had stated is %+v", n)
	}
	clash, err := m.Node(t.Context(), acervo.NodeParams{ID: id("clash") + "__lugar"})
	if err != nil || len(clash.Nodes[0].Relations) != 1 {
		t.Errorf("a homonym of another type: %+v, %v", clash, err)
	}
	installed := dump(t)
	_, _ = first.Seek(0, io.SeekStart)
	if again, err := client.InstallPack(t.Context(), first, acervo.PackParams{}); err != nil || again.Entities.Same != 5 || again.Relations.Same != 3 || again.Facts.Same != 2 {
		t.Errorf("once more: %+v, %v", again, err)
	}
	if diff := cmp.Diff(installed, dump(t)); diff != "" {
		t.Errorf("installing it again changed:\n%s", diff)
	}
	if packs, err := client.Packs(t.Context()); err != nil || !slices.ContainsFunc(packs, func(p acervo.Pack) bool {
		return p.Name == pack && p.Version == "1" && p.InstalledAt != nil && p.Provides == 7
	}) {
		t.Errorf("%+v, %v", packs, err)
	}

	// An owner uses one entity; another version comes.
	upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: "Yo", Type: "VIVE_EN", To: id("b")}}})
	two := buildPack(t, pack, "2", entityItem(id("a"), `,"attributes":{"altura":4}`), entityItem(id("d"), ""), entityItem(id("c"), ""), partOf(id("a"), id("c")), factItem(id("a"), "is high"))
	if _, err := client.InstallPack(t.Context(), two, acervo.PackParams{}); !errors.Is(err, acervo.ErrConflict) {
		t.Errorf("installing another version: %v", err)
	}
	_, _ = two.Seek(0, io.SeekStart)
	using := dump(t)
	preview, err := client.UpgradePack(t.Context(), two, acervo.PackParams{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(using, dump(t)); diff != "" {
		t.Fatalf("the preview of an upgrade wrote:\n%s", diff)
	}
	_, _ = two.Seek(0, io.SeekStart)
	up, err := client.UpgradePack(t.Context(), two, acervo.PackParams{})
	if err != nil {
		t.Fatal(err)
	}
	if up.From != "1" || up.Entities.Added != 1 || up.Entities.Changed != 1 || up.Entities.Same != 1 || up.Relations.Added != 1 || up.Relations.Removed != 3 || up.Facts.Removed != 1 || up.Facts.Same != 1 {
		t.Errorf("%+v", up)
	}
	if up.Entities.Removed != 1 || up.Kept != 2 { // b is used, stated was there before
		t.Errorf("removed %d, kept %d", up.Entities.Removed, up.Kept)
	}
	if preview.Entities.Added != up.Entities.Added || preview.Entities.Changed != up.Entities.Changed || preview.Entities.Removed != up.Entities.Removed || preview.Kept != up.Kept || preview.Relations.Removed != up.Relations.Removed || preview.Facts.Removed != up.Facts.Removed {
		t.Errorf("the preview said %+v", preview)
	}
	if a := one(t, m, id("a")); a.Attributes["altura"] != int64(4) || a.Attributes["tipo"] != nil || len(a.Aliases) != 0 {
		t.Errorf("after the upgrade %+v", a)
	}
	if n := one(t, m, id("b")); n.VerifiedAt == nil || len(n.Relations) != 1 || len(n.Facts) != 0 {
		t.Errorf("what an owner uses is %+v", n)
	}
	for _, err := range []error{
		errOf(client.World().RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: acervo.EntityRef{ID: id("a")}})),
		errOf(m.RemoveRelation(t.Context(), acervo.RemoveRelationParams{RelationRef: acervo.RelationRef{From: acervo.EntityRef{ID: id("a")}, Type: "PART_OF", To: acervo.EntityRef{ID: id("c")}}})),
	} {
		if !errors.Is(err, acervo.ErrConflict) && !errors.Is(err, acervo.ErrImmutable) {
			t.Errorf("removing what a pack provides: %v", err)
		}
	}

	// Two packs share an entity.
	other := buildPack(t, pack+"-b", "1", entityItem(id("c"), `,"attributes":{"altura":9}`), entityItem(id("e"), ""), partOf(id("e"), id("c")))
	if _, err := client.InstallPack(t.Context(), other, acervo.PackParams{}); err != nil {
		t.Fatal(err)
	}
	dry, err := client.RemovePack(t.Context(), pack, acervo.PackParams{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	removed, err := client.RemovePack(t.Context(), pack, acervo.PackParams{})
	if err != nil || removed.Entities != 2 || removed.Kept != 1 || removed.Relations != 1 || removed.Facts != 1 {
		t.Errorf("%+v, %v", removed, err)
	}
	if dry.Entities != removed.Entities || dry.Kept != removed.Kept || dry.Relations != removed.Relations || dry.Facts != removed.Facts {
		t.Errorf("the dry run said %+v, it was %+v", dry, removed)
	}
	if c := one(t, m, id("c")); c.VerifiedAt == nil || c.Attributes["altura"] != int64(9) {
		t.Errorf("what another pack provides is %+v", c)
	}
	if _, err := client.RemovePack(t.Context(), pack+"-b", acervo.PackParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.RemovePack(t.Context(), pack, acervo.PackParams{}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
	if n := one(t, m, id("stated")); n.VerifiedAt != nil {
		t.Errorf("what the pack alone vouched for is %+v", n)
	}
	// What a removed pack made and somebody used goes with the next pack that brings it.
	if _, err := m.Forget(t.Context(), acervo.ForgetParams{}); err != nil {
		t.Fatal(err)
	}
	third := buildPack(t, pack, "3", entityItem(id("b"), ""))
	if again, err := client.InstallPack(t.Context(), third, acervo.PackParams{}); err != nil || again.Entities.Same != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	// An upgrade that is interrupted isn't complete, and the same call completes it.
	complete := func() bool {
		t.Helper()
		packs, err := client.Packs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(packs, func(p acervo.Pack) bool { return p.Name == pack })
		return packs[at].InstalledAt != nil
	}
	fourth := buildPack(t, pack, "4", entityItem(id("b"), ""), entityItem(id("f"), ""))
	interrupted, stop := context.WithCancel(t.Context())
	if _, err := client.UpgradePack(interrupted, fourth, acervo.PackParams{Progress: func(int64) { stop() }}); !errors.Is(err, context.Canceled) || complete() {
		t.Errorf("interrupted: %v, complete %t", err, complete())
	}
	_, _ = fourth.Seek(0, io.SeekStart)
	if again, err := client.UpgradePack(t.Context(), fourth, acervo.PackParams{}); err != nil || again.Entities.Same != 2 || !complete() {
		t.Errorf("%+v, %v, complete %t", again, err, complete())
	}
	if again, err := client.RemovePack(t.Context(), pack, acervo.PackParams{}); err != nil || again.Entities != 2 || again.Kept != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	left := count(t, "MATCH (e:AcervoEntity {owner: 'world'}) WHERE e.id ENDS WITH $mark RETURN count(e)", map[string]any{"mark": mark})
	if left != 2 { // clash and stated were there
		t.Errorf("%d entities are left", left)
	}
	checkGraph(t, m.Owner(), layers.WorldOwner)
}

func TestPackFaults(t *testing.T) {
	client := testClient(t)
	mark := strings.ToLower(testOwner(t)[5:13])
	good := []string{entityItem("a_"+mark, ""), entityItem("b_"+mark, ""), partOf("a_"+mark, "b_"+mark)}
	before := dump(t)
	for name, items := range map[string][]string{
		"a relation to nothing":    {good[0], partOf("a_"+mark, "nothing")},
		"an entity twice":          {good[0], good[0]},
		"an entity after relation": {good[0], good[1], good[2], entityItem("c", "")},
		"an empty name":            {`{"entity":{"id":"x","name":"","type":"Lugar"}}`},
		"a reserved type":          {`{"entity":{"id":"x","name":"x","type":"Universal"}}`},
		"a map as an attribute":    {`{"entity":{"id":"x","name":"x","type":"Lugar","attributes":{"a":{"b":1}}}}`},
		"no JSON":                  {`{`},
		"an unknown field":         {`{"entity":{"id":"x","name":"x","type":"Lugar","owner":"sandy"}}`},
	} {
		dir := fstest.MapFS{"pack.json": {Data: []byte(`{"name":"x","version":"1","licence":"x","attribution":"x","source":"x"}`)}, "items.jsonl": {Data: []byte(strings.Join(items, "\n"))}}
		if _, err := acervo.BuildPack(dir, io.Discard); !errors.Is(err, acervo.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	pack := buildPack(t, "f"+mark, "1", good...)
	plain, err := gzip.NewReader(pack)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	zipped := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		return b.Bytes()
	}
	whole := zipped(string(text))
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"empty":               {nil, acervo.ErrInvalid},
		"no gzip":             {[]byte("hello"), acervo.ErrInvalid},
		"cut off":             {whole[:len(whole)-20], acervo.ErrInvalid},
		"a changed item":      {zipped(strings.Replace(string(text), `"name":"B_`, `"name":"C_`, 1)), acervo.ErrInvalid},
		"a newer format":      {zipped(strings.Replace(string(text), `"format":1`, `"format":2`, 1)), acervo.ErrUnsupported},
		"too many items":      {zipped(strings.Replace(string(text), `"entities":2`, `"entities":1`, 1)), acervo.ErrInvalid},
		"too few items":       {zipped(strings.Replace(string(text), `"entities":2`, `"entities":1000000000`, 1)), acervo.ErrInvalid},
		"a name with a slash": {zipped(strings.Replace(string(text), `"name":"f`, `"name":"../f`, 1)), acervo.ErrInvalid},
		"a bomb":              {zipped(string(text) + strings.Repeat("x", 64<<20)), acervo.ErrInvalid},
	} {
		if _, err := client.InstallPack(t.Context(), bytes.NewReader(c.file), acervo.PackParams{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("a wrong pack wrote:\n%s", diff)
	}
}

// TestGeoPack installs the pack of this repository where "Vivo en Cipolletti" is
// said.
func TestGeoPack(t *testing.T) {
	t.Parallel() // beside the tests with a server of their own, since it takes long
	client := testClient(t)
	m := client.Memory(testOwner(t))
	file, err := os.Open("../packs/geo/geo.acervopack")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	done, err := client.InstallPack(t.Context(), file, acervo.PackParams{})
	if err != nil {
		t.Fatal(err)
	}
	if done.Entities.Added+done.Entities.Same+done.Entities.Changed < 30_000 {
		t.Errorf("%+v", done)
	}
	r := upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Sandy", Type: "Persona"}, {Name: "Cipolletti", Type: "Lugar"}}, NoActivation: true,
		Relations: []acervo.Relation{{From: "Sandy", Type: "VIVE_EN", To: "Cipolletti"}},
	})
	if e := r.Entities[1]; e.Layer != layers.Universal || e.Created || !e.Verified {
		t.Errorf("Cipolletti became %+v", e)
	}
	turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Vivo en Cipolletti"})
	if err != nil || !slices.Equal(turn.Mentioned, []string{"cipolletti"}) || !strings.Contains(turn.Context, "Cipolletti PART_OF Rio Negro") {
		t.Errorf("%+v, %v", turn, err)
	}
	for name, country := range map[string]string{"Río Negro": "Argentina", "argentina": "", "Alemania": "", "Córdoba": "Argentina"} {
		if n := one(t, m, name); n.VerifiedAt == nil || country != "" && n.Attributes["pais"] != country {
			t.Errorf("%s finds %+v", name, n)
		}
	}
	if turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "¿Cómo te va? No sé, como siempre."}); err != nil || len(turn.Mentioned) != 0 {
		t.Errorf("small talk mentions %q, %v", turn.Mentioned, err)
	}
	if _, err := m.Forget(t.Context(), acervo.ForgetParams{}); err != nil {
		t.Fatal(err)
	}
	removed, err := client.RemovePack(t.Context(), "geo", acervo.PackParams{})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, "MATCH (e:AcervoEntity {owner: 'world'}) WHERE e.id IN ['cipolletti', 'rio_negro', 'argentina'] RETURN count(e)", nil); n != 0 && done.Entities.Same+done.Entities.Changed == 0 {
		t.Errorf("%d are left after %+v", n, removed)
	}
}
