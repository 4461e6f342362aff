package integration

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
)

// nasty is a text that no writer of a format may take for its own syntax.
const nasty = "a\"b'c`d\\u0060e\\n<f>&g;h|i\n//j\t{k} $l ]]> ${m} ñ東京"

// nastyName is the same as a name of the ontology, which has to be printable.
var nastyName = strings.NewReplacer("\n", " ", "\t", " ").Replace(nasty)

// livelyMemory is a memory with everything in it, and the UNIVERSAL entities that
// it touches.
func livelyMemory(t *testing.T, client *acervo.Client) (m *acervo.Memory, place, tech string) {
	t.Helper()
	m = client.Memory(testOwner(t))
	place, tech = "Pueblo "+m.Owner(), "Tecno "+m.Owner()
	t.Cleanup(func() { removeWorld(t, place, tech) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}, {Name: tech, Type: "Tecnologia"}}})
	liveALife(t, m, place, tech)
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{
			{Name: nasty, Type: "T " + nastyName, Aliases: []string{"alias " + nasty}, Attributes: map[string]any{
				"int": 3, "float": 3.0, "tiny": 1e-300, "big": int64(1) << 60, "flag": true, nastyName: nasty, "list": []string{"x", nasty}, "numbers": []float64{1, 2.5}, "none": []string{},
			}},
			{Name: "desconocida"},
		},
		Relations: []acervo.Relation{{From: nasty, Type: "R " + nastyName, To: "desconocida"}, {From: nasty, Type: "R " + nastyName, To: place}},
		Facts:     []acervo.Fact{{Entity: nasty, Text: "fact " + nasty, Source: "source " + nasty}},
	})
	query(t, `MATCH (e:AcervoEntity {owner: $owner, id: 'desconocida'})
		SET e.day = date('2026-03-01'), e.clock = localtime('10:00:01.5'), e.wall = localdatetime('2026-03-01T10:00'), e.zoned = time('10:00+05:30'),
			e.long = duration('P1M2DT3.5S'), e.here = point({x: 1.5, y: 2}), e.globe = point({longitude: 1, latitude: 2, height: 3}),
			e.zone = datetime('2026-03-01T10:00[Europe/Berlin]'), e.nan = 0.0 / 0.0, e.inf = -1.0 / 0.0, e.raw = $raw`, map[string]any{"owner": m.Owner(), "raw": []byte{0, 1, 255}})
	return m, place, tech
}

func export(t testing.TB, m *acervo.Memory, format acervo.ExportFormat) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.Export(t.Context(), &b, acervo.ExportParams{Format: format}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func forget(t testing.TB, m *acervo.Memory) {
	t.Helper()
	if _, err := m.Forget(t.Context(), acervo.ForgetParams{}); err != nil {
		t.Fatal(err)
	}
}

func TestExportImport(t *testing.T) {
	client := testClient(t)
	m, place, tech := livelyMemory(t, client)
	first := export(t, m, acervo.FormatJSONLines)
	if _, err := m.Import(t.Context(), bytes.NewReader(first), acervo.ImportParams{}); err != nil { // it registers the attributes that plain Cypher set
		t.Fatal(err)
	}
	before := dump(t)
	for i := range 2 {
		r, err := m.Import(t.Context(), bytes.NewReader(first), acervo.ImportParams{})
		if err != nil || r.Entities.Created+r.Facts.Created+r.Relations.Created+r.Ended.Created+r.Sessions.Created+r.Aliases.Created != 0 {
			t.Fatalf("time %d, into what is there: %+v, %v", i, r, err)
		}
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Fatalf("an import into what is there wrote:\n%s", diff)
	}
	forget(t, m)
	removeWorld(t, tech) // one UNIVERSAL entity is missing where the import goes
	r, err := m.Import(t.Context(), io.MultiReader(bytes.NewReader(first)), acervo.ImportParams{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Shared.Created != 1 || r.Shared.Matched != 1 || r.Entities.Created == 0 || r.Facts.Created == 0 || r.Ended.Created == 0 || r.Sessions.Created != 4 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(string(first), string(export(t, m, acervo.FormatJSONLines))); diff != "" {
		t.Errorf("export, import, export isn't identical:\n%s", diff)
	}
	mine := func(lines []string) []string {
		return slices.DeleteFunc(lines, func(l string) bool { return !strings.Contains(l, m.Owner()) || strings.Contains(l, `"owner":"world"`) })
	}
	if diff := cmp.Diff(mine(before), mine(dump(t))); diff != "" {
		t.Errorf("the graph isn't as before:\n%s", diff)
	}
	checkGraph(t, m.Owner())

	// As another owner's own, once that is asked for.
	other := client.Memory(testOwner(t))
	if _, err := other.Import(t.Context(), bytes.NewReader(first), acervo.ImportParams{}); !errors.Is(err, acervo.ErrConflict) {
		t.Errorf("an export of another owner: %v", err)
	}
	if _, err := other.Import(t.Context(), bytes.NewReader(first), acervo.ImportParams{AnyOwner: true}); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(string(export(t, other, acervo.FormatJSONLines)), `"owner":"`+other.Owner()+`"`, `"owner":"`+m.Owner()+`"`)
	if diff := cmp.Diff(string(first), got); diff != "" {
		t.Errorf("as another owner's own:\n%s", diff)
	}
	checkGraph(t, m.Owner(), other.Owner())
	_ = place
}

// TestExportWorld exports the UNIVERSAL layer, verified as it is.
func TestExportWorld(t *testing.T) {
	client := testClient(t)
	m, place, tech := livelyMemory(t, client)
	if _, err := client.World().Verify(t.Context(), acervo.VerifyParams{Entities: []acervo.EntityRef{named(place)}}); err != nil {
		t.Fatal(err)
	}
	first := export(t, client.World(), acervo.FormatJSONLines)
	if bytes.Contains(first, []byte(secret)) || bytes.Contains(first, []byte(`"`+m.Owner()+`"`)) {
		t.Error("the UNIVERSAL layer's export holds what an owner said")
	}
	forget(t, m)
	removeWorld(t, place, tech)
	if _, err := client.World().Import(t.Context(), bytes.NewReader(first), acervo.ImportParams{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(first), string(export(t, client.World(), acervo.FormatJSONLines))); diff != "" {
		t.Errorf("export, import, export isn't identical:\n%s", diff)
	}
	if one(t, client.World(), place).VerifiedAt == nil {
		t.Error("what was verified isn't any more")
	}
}

func TestImportFaults(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	header := fmt.Sprintf(`{"header":{"format":1,"owner":%q}}`, m.Owner())
	good := `{"entity":{"aliases":[],"confidence_for_owner":1.0,"created_at":{"time":"2026-03-01T12:00:00Z"},"id":"ana","label":"Ana","layer":"PERSONAL","pending_fields":[],"source":"x","status":"complete","type":"Persona","updated_at":{"time":"2026-03-01T12:00:00Z"}}}`
	before := dump(t)
	for name, c := range map[string]struct {
		lines []string
		want  error
		says  string
	}{
		"nothing":            {nil, acervo.ErrInvalid, "line 1"},
		"no header":          {[]string{good}, acervo.ErrInvalid, "line 1: an export has one header"},
		"two headers":        {[]string{header, header}, acervo.ErrInvalid, "line 2"},
		"newer":              {[]string{`{"header":{"format":2,"owner":"x"}}`}, acervo.ErrUnsupported, "format 2"},
		"the world's":        {[]string{`{"header":{"format":1,"owner":"world"}}`}, acervo.ErrConflict, "world"},
		"no JSON":            {[]string{header, good, "{"}, acervo.ErrInvalid, "line 3"},
		"an unknown kind":    {[]string{header, good, `{"thing":{}}`}, acervo.ErrInvalid, "line 3"},
		"two in one":         {[]string{header, good, good[:len(good)-1] + `,"session":{"id":"x"}}`}, acervo.ErrInvalid, "line 3"},
		"another layer":      {[]string{header, strings.Replace(good, "PERSONAL", "UNIVERSAL", 1)}, acervo.ErrInvalid, "line 2: layer"},
		"no time":            {[]string{header, strings.Replace(good, `"2026-03-01T12:00:00Z"`, `"soon"`, 1)}, acervo.ErrInvalid, "line 2"},
		"a reserved type":    {[]string{header, strings.Replace(good, `"type":"Persona"`, `"type":"AcervoFact"`, 1)}, acervo.ErrInvalid, "line 2"},
		"an alias of nobody": {[]string{header, good, `{"alias":{"id":"x","entity":"p:nobody","label":"x","created_at":{"time":"2026-03-01T12:00:00Z"}}}`}, acervo.ErrInvalid, "line 3: refers to an entity"},
		"a fact of a key":    {[]string{header, good, `{"fact":{"held":{"about":"ana"}}}`}, acervo.ErrInvalid, "line 3"},
		"a long line":        {[]string{header, good + strings.Repeat(" ", 5<<20)}, acervo.ErrInvalid, "line 2: is longer"},
		"half a pair":        {[]string{header, strings.Replace(good, `"Ana"`, `"\ud83d"`, 1)}, acervo.ErrInvalid, "line 2"},
		"half a letter":      {[]string{header, strings.Replace(good, `"Ana"`, `"\xc3"`, 1)}, acervo.ErrInvalid, "line 2"},
	} {
		_, err := m.Import(t.Context(), strings.NewReader(strings.Join(c.lines, "\n")), acervo.ImportParams{})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("a wrong import wrote:\n%s", diff)
	}
}

func TestExportMermaid(t *testing.T) {
	m, _, _ := livelyMemory(t, testClient(t))
	text := string(export(t, m, acervo.FormatMermaid))
	for _, want := range []string{
		"graph LR\n  subgraph UNIVERSAL\n", "  subgraph PERSONAL\n", "classDef universal fill:#1a3a5c,stroke:#3a7abd", "classDef personal fill:#3a1f5c,stroke:#7c3aed",
		`-->|"FAMILIAR_DE"|`, `a#34;b'c#96;d#92;u0060e`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if strings.Count(text, "subgraph") != strings.Count(text, "\n  end\n") || strings.Contains(text, "<f>") {
		t.Errorf("it is no diagram:\n%s", text)
	}
}

func TestExportGraphML(t *testing.T) {
	m, _, _ := livelyMemory(t, testClient(t))
	var g struct {
		Keys []struct {
			ID   string `xml:"id,attr"`
			Name string `xml:"attr.name,attr"`
			Type string `xml:"attr.type,attr"`
		} `xml:"key"`
		Nodes []struct {
			ID   string `xml:"id,attr"`
			Data []struct {
				Key   string `xml:"key,attr"`
				Value string `xml:",chardata"`
			} `xml:"data"`
		} `xml:"graph>node"`
		Edges []struct {
			Source string `xml:"source,attr"`
			Target string `xml:"target,attr"`
		} `xml:"graph>edge"`
	}
	text := export(t, m, acervo.FormatGraphML)
	if err := xml.Unmarshal(text, &g); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	kinds, ids := map[string]string{}, map[string]bool{}
	keys := map[string]string{}
	for _, k := range g.Keys {
		kinds[k.Name], keys[k.ID] = k.Type, k.Name
	}
	if kinds["int"] != "long" || kinds["float"] != "double" || kinds["flag"] != "boolean" || kinds[nastyName] != "string" {
		t.Errorf("kinds: %v", kinds)
	}
	found := false
	for _, n := range g.Nodes {
		ids[n.ID] = true
		for _, d := range n.Data {
			if keys[d.Key] == "" {
				t.Errorf("%s has no key", d.Key)
			}
			found = found || keys[d.Key] == nastyName && d.Value == nasty
		}
	}
	for _, e := range g.Edges {
		if !ids[e.Source] || !ids[e.Target] {
			t.Errorf("an edge from %q to %q, which aren't there", e.Source, e.Target)
		}
	}
	if !found || len(g.Edges) < 10 {
		t.Errorf("%d edges, attribute found: %v\n%s", len(g.Edges), found, text)
	}
}

// TestExportCypher runs the script by cypher-shell where the memory was, and
// finds the same memory.
func TestExportCypher(t *testing.T) {
	m, _, tech := livelyMemory(t, testClient(t))
	query(t, "MATCH (e:AcervoEntity {owner: $owner}) REMOVE e.raw", map[string]any{"owner": m.Owner()}) // Cypher has no literal of bytes
	before := export(t, m, acervo.FormatJSONLines)
	file := filepath.Join(t.TempDir(), "memory.cypher")
	if err := os.WriteFile(file, export(t, m, acervo.FormatCypher), 0o600); err != nil {
		t.Fatal(err)
	}
	forget(t, m)
	removeWorld(t, tech)
	shell := cypherShell(t)
	s := testServer(t)
	for range 2 {
		cmd := exec.CommandContext(t.Context(), shell[0], append(shell[1:], "-a", s.URI, "-u", s.Username, "-p", s.Password, "--fail-fast", "-f", file)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if diff := cmp.Diff(string(before), string(export(t, m, acervo.FormatJSONLines))); diff != "" {
			t.Fatalf("the script makes another memory:\n%s", diff)
		}
	}
	checkGraph(t, m.Owner())
}

// cypherShell gives the command line of Neo4j's own shell, from Maven Central.
func cypherShell(t testing.TB) []string {
	t.Helper()
	if _, err := exec.LookPath("mvn"); err != nil {
		needed(t, "cypher-shell comes by Maven, which isn't here")
	}
	lib, err := filepath.Abs("../.neo4j/cypher-shell")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(lib, "done")); err != nil {
		if err := os.MkdirAll(lib, 0o755); err != nil {
			t.Fatal(err)
		}
		mvn := exec.CommandContext(t.Context(), "mvn", "-q", "-B", "-f", "testdata/cypher-shell/pom.xml", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory="+lib)
		if out, err := mvn.CombinedOutput(); err != nil {
			t.Fatalf("get cypher-shell: %v\n%s", err, out)
		}
		if err := os.WriteFile(filepath.Join(lib, "done"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"java", "-cp", filepath.Join(lib, "*"), "org.neo4j.shell.Main"}
}

// TestExportOriginal lets the Python original read an export, find a node by
// its name, and write it again; what it wrote is imported as before.
func TestExportOriginal(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	place := "Sitio " + m.Owner()
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}, Facts: []acervo.Fact{{Entity: place, Text: "queda lejos"}}})
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Ana", Type: "Persona", Attributes: map[string]any{"edad": 30, "list": []string{"a"}}}, {Name: "Peña " + nasty}, {Name: "東京", Type: "Superhero"}},
		Relations: []acervo.Relation{{From: "Ana", Type: "VIVE_EN", To: place}, {From: "Ana", Type: "conoce a", To: "東京"}},
		Facts:     []acervo.Fact{{Entity: "Ana", Text: "toca el bajo"}, {Entity: place, Text: "me gusta"}},
	})
	dir := t.TempDir()
	files := [2]*os.File{}
	for i, name := range []string{"nodes.json", "edges.json"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	done, err := m.ExportAcervoJSON(t.Context(), files[0], files[1])
	if err != nil || done.Entities != 3 || done.Shared != 1 || done.Relations != 2 || done.Facts != 3 {
		t.Fatalf("%+v, %v", done, err)
	}
	program := `
import json, sys
from pathlib import Path
from acervo.graph import TopicGraph
g = TopicGraph(Path(sys.argv[1]))
g._save()
ana = g.get_node("Ana")
print(json.dumps({"nodes": len(g._nodes), "edges": len(g._edges), "type": ana["type"], "facts": [f["fact"] for f in ana["facts"]], "owner": ana["owner"], "age": ana["attributes"]["edad"]}))
`
	out, err := exec.CommandContext(t.Context(), original(t), "-c", program, dir).Output()
	if err != nil {
		t.Fatalf("the original: %v %s", err, stderrOf(err))
	}
	var read struct {
		Nodes, Edges int
		Type, Owner  string
		Facts        []string
		Age          int
	}
	if err := json.Unmarshal(out, &read); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if read.Nodes != 4 || read.Edges != 2 || read.Type != "Person" || !slices.Equal(read.Facts, []string{"toca el bajo"}) || read.Owner != m.Owner() || read.Age != 30 {
		t.Errorf("the original read %+v", read)
	}
	want := export(t, m, acervo.FormatMermaid)
	forget(t, m)
	if _, err := m.ImportAcervoJSON(t.Context(), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(export(t, m, acervo.FormatMermaid))); diff != "" {
		t.Errorf("imported again, another graph:\n%s", diff)
	}
	got := texts(t, m, place)
	slices.Sort(got) // the original keeps days only
	if !slices.Equal(got, []string{"me gusta", "queda lejos"}) {
		t.Errorf("facts about the UNIVERSAL entity: %q", got)
	}
}

func stderrOf(err error) []byte {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.Stderr
	}
	return nil
}

// original gives a Python that has the original program, from PyPI.
func original(t testing.TB) string {
	t.Helper()
	venv, err := filepath.Abs("../.neo4j/python")
	if err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(venv, "bin", "python")
	if exec.CommandContext(t.Context(), python, "-c", "import acervo.graph").Run() == nil {
		return python
	}
	for _, command := range [][]string{{"python3", "-m", "venv", venv}, {python, "-m", "pip", "install", "-q", "--no-deps", "acervo==0.2.2"}} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%v: %v\n%s", command, err, out)
			}
			t.Skipf("no Python original: %v: %v\n%s", command, err, out)
		}
	}
	return python
}

// TestOriginalAgain exports to the original's files, imports them for somebody else
// and exports that: a fact's session and an entity's attributes neither change nor grow.
func TestOriginalAgain(t *testing.T) {
	client, first, second := testClient(t), testOwner(t), testOwner(t)
	upsert(t, client.Memory(first), acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Ana", Type: "Persona", Attributes: map[string]any{"edad": 30}}},
		Facts:    []acervo.Fact{{Entity: "Ana", Text: "corre"}, {Entity: "Ana", Text: "canta", Detail: "s-7"}},
	})
	export := func(owner string) map[string]any {
		t.Helper()
		var nodes, edges bytes.Buffer
		if _, err := client.Memory(owner).ExportAcervoJSON(t.Context(), &nodes, &edges); err != nil {
			t.Fatal(err)
		}
		if owner == first {
			theirs := func(b *bytes.Buffer) *fstest.MapFile {
				return &fstest.MapFile{Data: bytes.ReplaceAll(b.Bytes(), []byte(first), []byte(second))}
			}
			if _, err := client.Memory(second).ImportAcervoJSON(t.Context(), fstest.MapFS{"nodes.json": theirs(&nodes), "edges.json": theirs(&edges)}); err != nil {
				t.Fatal(err)
			}
		}
		var list []map[string]any
		if err := json.Unmarshal(nodes.Bytes(), &list); err != nil || len(list) != 1 {
			t.Fatalf("%v in %s", err, nodes.String())
		}
		return map[string]any{"attributes": list[0]["attributes"], "facts": list[0]["facts"], "session_count": list[0]["session_count"], "last_active": list[0]["last_active"]}
	}
	want := export(first)
	if diff := cmp.Diff(want, export(second)); diff != "" {
		t.Error(diff)
	}
}
