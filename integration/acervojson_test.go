package integration

import (
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// imported is what has to be there after the graph of a release was imported.
type imported struct {
	types     map[string]string // of each PERSONAL node
	relations [][3]string       // PERSONAL ones
}

func TestImportAcervoJSON(t *testing.T) {
	client := testClient(t)
	base := map[string]string{
		"sandy": "Persona", "butaco": "Proyecto", "mateo": "Persona", "quicknotes": "Proyecto",
		"altovallestudio": "Organizacion", "projectx": "Desconocido", "el_principito": "Obra",
		"la_isla_del_tesoro": "Obra", "rust": "Tecnologia", "postgresql": "Tecnologia",
	}
	relations := [][3]string{
		{"butaco", "USA_TECNOLOGIA", "angular"}, {"mateo", "FAMILIAR_DE", "sandy"}, {"mateo", "GUSTA_DE", "el_principito"},
		{"quicknotes", "USA_TECNOLOGIA", "postgresql"}, {"quicknotes", "USA_TECNOLOGIA", "rust"},
		{"sandy", "DUEÑO_DE", "butaco"}, {"sandy", "TRABAJA_EN", "altovallestudio"}, {"sandy", "VIVE_EN", "cipolletti"},
	}
	for release, want := range map[string]imported{
		"v0.2.2": {base, relations},
		"v0.5.1": {base, relations},
	} {
		t.Run(release, func(t *testing.T) { checkImport(t, client, release, want) })
	}
	t.Run("v0.1.1", func(t *testing.T) {
		// This release left some types unknown, and related what was mentioned together.
		types := maps.Clone(base)
		for _, id := range []string{"altovallestudio", "rust", "postgresql"} {
			types[id] = "Desconocido"
		}
		checkImport(t, client, "v0.1.1", imported{types: types, relations: append(relations,
			[3]string{"altovallestudio", "co_mentioned", "cipolletti"}, [3]string{"el_principito", "co_mentioned", "la_isla_del_tesoro"},
			[3]string{"mateo", "co_mentioned", "la_isla_del_tesoro"}, [3]string{"rust", "co_mentioned", "postgresql"})})
	})
}

func checkImport(t *testing.T, client *acervo.Client, release string, want imported) {
	m := client.Memory(testOwner(t))
	dir := os.DirFS("testdata/acervo-json/" + release)
	first, err := m.ImportAcervoJSON(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if first.Nodes.Read != 13 || first.Facts.Read != 8 || len(first.Implied) != 0 {
		t.Errorf("%+v", first)
	}
	own, err := m.Nodes(t.Context(), acervo.NodesParams{Layer: layers.Personal})
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for _, n := range own.Nodes {
		types[n.ID] = n.Type
		if (n.Status == layers.Incomplete) != (n.Type == "Desconocido") {
			t.Errorf("%s is %s and %s", n.ID, n.Type, n.Status)
		}
		if n.CreatedAt.Format("2006-01-02T15:04") != "2026-12-01T04:01" {
			t.Errorf("%s was created at %s", n.ID, n.CreatedAt)
		}
	}
	if diff := cmp.Diff(want.types, types); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	got := map[[3]string]bool{}
	relations, err := m.Relations(t.Context(), acervo.RelationsParams{Layer: layers.Personal})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range relations.Relations {
		got[[3]string{r.From.ID, r.Type, r.To.ID}] = true
	}
	wanted := map[[3]string]bool{}
	for _, r := range want.relations {
		wanted[r] = true
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("relations (-want +got):\n%s", diff)
	}
	sandy := one(t, m, "Sandy")
	if len(sandy.Facts) != 2 || sandy.Facts[0].Text != "Sandy es dueña de Altovallestudio" || sandy.Facts[1].Text != "Aprende Rust" ||
		sandy.Facts[0].Source != "user" || len(sandy.Facts[0].Details) != 1 || !strings.HasPrefix(sandy.Facts[0].Details[0], "user, session s_20261201_0401") ||
		!strings.HasSuffix(sandy.Facts[0].Details[0], ", 2026-12-01") || sandy.Facts[0].CreatedAt.Format("2006-01-02") != "2026-12-01" {
		t.Errorf("facts %+v", sandy.Facts)
	}
	if c := one(t, m, "Cipolletti"); c.Layer != layers.Universal || c.Type != "Lugar" {
		t.Errorf("%+v", c)
	}
	again, err := m.ImportAcervoJSON(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if again.Nodes.Created+again.Relations.Created+again.Facts.Created != 0 {
		t.Errorf("the second time: %+v", again)
	}
}

func TestImportMalformed(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	good := `[{"id":"a","label":"A","type":"Person","layer":"PERSONAL"}]`
	for name, c := range map[string]struct {
		nodes, edges string
		file         string
		line, column int
	}{
		"broken JSON":      {"[\n{\"id\":\"a\",\n\"label\":}]", "[]", "nodes.json", 3, 9},
		"cut off":          {good[:20], "[]", "nodes.json", 1, 0},
		"no array":         {`{"id":"a"}`, "[]", "nodes.json", 1, 1},
		"no object":        {"[\n 5]", "[]", "nodes.json", 2, 2},
		"no id":            {"[\n {\"label\":\"A\"}]", "[]", "nodes.json", 2, 2},
		"id twice":         {"[{\"id\":\"a\"},\n {\"id\":\"a\"}]", "[]", "nodes.json", 2, 2},
		"another owner":    {`[{"id":"a","owner":"somebody"}]`, "[]", "nodes.json", 1, 2},
		"number as a fact": {`[{"id":"a","facts":[{"fact":1}]}]`, "[]", "nodes.json", 1, 2},
		"lone surrogate":   {"[\n{\"id\":\"\\ud83d\"}]", "[]", "nodes.json", 2, 1},
		"no layer":         {`[{"id":"a","layer":"GALACTIC"}]`, "[]", "nodes.json", 1, 2},
		"broken edges":     {good, "[\n{\"source\":\"a\",\"target\":\"b\",\"relation\":\"HAS_FACT\"}]", "edges.json", 2, 1},
		"goes on":          {good + "x", "[]", "nodes.json", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := m.ImportAcervoJSON(t.Context(), fstest.MapFS{"nodes.json": {Data: []byte(c.nodes)}, "edges.json": {Data: []byte(c.edges)}})
			var file *acervo.FileError
			if !errors.Is(err, acervo.ErrInvalid) || !errors.As(err, &file) {
				t.Fatalf("error %v", err)
			}
			if file.File != c.file || file.Line != c.line || c.column != 0 && file.Column != c.column {
				t.Errorf("%v", err)
			}
		})
	}
	if n := count(t, "MATCH (n {owner: $owner}) RETURN count(n)", map[string]any{"owner": owner}); n != 0 {
		t.Errorf("%d nodes were written", n)
	}
	if _, err := m.ImportAcervoJSON(t.Context(), fstest.MapFS{}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestImportKeepsWhatItFinds(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	r, err := m.ImportAcervoJSON(t.Context(), fstest.MapFS{
		"nodes.json": {Data: []byte(`[{"id":"espana","label":"España","type":"Place","layer":"PERSONAL","status":"hot","created_at":"2024-05-06T07:08:09",
			"attributes":{"n":3,"deep":{"x":1}},"files":["a.md"],"chunk_ids":[],"owner":null,"kind":"entity","session_count":2}]`)},
		"edges.json": {Data: []byte(`[{"source":"espana","target":"ghost","relation":"located_in","weight":2.5,"layer":"UNIVERSAL","source_type":"world"},
			{"source":"espana","target":"espana","relation":"likes"}]`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	n := one(t, m, "España") // whose own id would be españa
	if n.ID != "espana" || n.Type != "Lugar" || n.CreatedAt.Format("2006-01-02T15:04:05Z07:00") != "2024-05-06T07:08:09Z" {
		t.Errorf("%+v", n)
	}
	if diff := cmp.Diff(map[string]any{"n": int64(3), "files": []any{"a.md"}, "session_count": int64(2)}, n.Attributes); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	var skipped []string
	for _, s := range r.Skipped {
		skipped = append(skipped, s.File+" "+s.Field)
	}
	if diff := cmp.Diff([]string{"nodes.json deep", "edges.json weight", "edges.json target"}, skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ghost"}, r.Implied); diff != "" {
		t.Error(diff)
	}
	if len(n.Relations) != 1 || n.Relations[0].Layer != layers.Personal || n.Relations[0].Neighbor.ID != "ghost" {
		t.Errorf("relations %+v", n.Relations)
	}
}
