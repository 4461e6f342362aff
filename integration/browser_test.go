package integration

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cmd/acervo/browser"
	"github.com/acervo-graph/acervo/cmd/acervo/graph"
	"github.com/acervo-graph/acervo/integration/provision"
)

// needed leaves a test out where a program is missing, but not in CI.
func needed(t testing.TB, why string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(why, args...)
	}
	t.Skipf(why, args...)
}

// browserScript runs one of testdata/browser's scripts by Node and Chromium.
func browserScript(t testing.TB, script string, args ...string) []byte {
	t.Helper()
	chromium := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		needed(t, "no Chromium")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		needed(t, "no npm: %v", err)
	}
	dir, err := filepath.Abs("../.neo4j/browser-tests")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/browser/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "playwright-core")); err != nil {
		npm := exec.CommandContext(t.Context(), "npm", "install", "--silent", "--no-audit", "--no-fund")
		npm.Dir = dir
		if out, err := npm.CombinedOutput(); err != nil {
			needed(t, "npm install: %v\n%s", err, out)
		}
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{script}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CHROMIUM="+chromium)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderrOf(err))
	}
	return out
}

// screenshots is where pictures are kept: a folder of CI's artifacts, if there is one.
func screenshots(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ACERVO_SCREENSHOTS")
	if dir == "" {
		return t.TempDir()
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The colours that the layers have on a screen.
const (
	violet, blue = "rgb(58, 31, 92)", "rgb(26, 58, 92)" // #3a1f5c, #1a3a5c
)

// TestBrowser does what the README says: make up, the demo, and Neo4j Browser,
// where nothing is set by hand.
func TestBrowser(t *testing.T) {
	t.Parallel() // its server is its own
	if testing.Short() {
		t.Skip("needs a Neo4j")
	}
	if missing := provision.Missing(provision.DefaultVersion, "java"); missing != "" {
		needed(t, "make up by Java isn't at hand: %s", missing)
	}
	lib, err := filepath.Abs("../.neo4j/lib-" + provision.DefaultVersion)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".neo4j"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(lib); err == nil { // else up downloads it
		if err := os.Symlink(lib, filepath.Join(root, ".neo4j", filepath.Base(lib))); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(root, "server")
	for path, out := range map[string]string{"./server": bin, "./demo": filepath.Join(root, "demo")} {
		if text, err := exec.Command("go", "build", "-o", out, path).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	boltPort, httpPort := freePort(t), freePort(t)
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "NEO4J_") })
	env = append(env, "ACERVO_NEO4J=java", fmt.Sprint("NEO4J_BOLT_PORT=", boltPort), fmt.Sprint("NEO4J_HTTP_PORT=", httpPort))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Env = root, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("server %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	t.Cleanup(func() { run("down") })
	if out := run("up"); !strings.Contains(out, fmt.Sprintf("http://localhost:%d/browser/", httpPort)) {
		t.Fatalf("up says\n%s", out)
	}
	run("with", "--", filepath.Join(root, "demo"))

	out := browserScript(t, "neo4j.mjs", fmt.Sprintf("http://localhost:%d/browser/", httpPort), fmt.Sprint(boltPort), "acervo-local", filepath.Join(screenshots(t), "browser.png"))
	type node struct {
		Caption, Fill, Border string
		Radius                float64
	}
	var seen struct {
		First, Hot []node
		Relations  []string
	}
	if err := json.Unmarshal(out, &seen); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	fills := map[string]string{}
	for _, n := range append(seen.First, seen.Hot...) {
		fills[n.Caption] = n.Fill
		if border := map[string]string{violet: "rgb(124, 58, 237)", blue: "rgb(58, 122, 189)"}[n.Fill]; n.Border != border {
			t.Errorf("%s has the fill %s and the border %s", n.Caption, n.Fill, n.Border)
		}
	}
	if fills["Sandy"] != violet || fills["Cipolletti"] != blue {
		t.Errorf("the colours are %v", fills)
	}
	if len(seen.Hot) < 3 || !slices.Contains(seen.Relations, "VIVE_EN") {
		t.Errorf("the guide's first query draws %v with the relations %q", seen.Hot, seen.Relations)
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	for range 50 { // the one behind it has to be free too, for the guide
		a, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := a.Addr().(*net.TCPAddr).Port
		b, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		_ = a.Close()
		if err == nil {
			_ = b.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

// TestGraphPage draws a memory and looks at the page.
func TestGraphPage(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	place := "Ciudad " + m.Owner()
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, testClient(t).World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}})
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "</script><script>alert(1)</script>", Type: "Obra"}, {Name: "Ana", Type: "Persona", Attributes: map[string]any{"edad": 30}}},
		Relations: []acervo.Relation{{From: "Ana", Type: "VIVE_EN", To: place}, {From: "Ana", Type: "GUSTA_DE", To: "</script><script>alert(1)</script>"}},
		Facts:     []acervo.Fact{{Entity: "Ana", Text: "toca el bandoneón <b>", Source: "mail"}},
	})
	bin, env := built(t, m.Owner())
	file := filepath.Join(t.TempDir(), "memory.html")
	draw := exec.CommandContext(t.Context(), bin, "graph", "--out", file)
	draw.Env = env
	if out, err := draw.CombinedOutput(); err != nil || !strings.Contains(string(out), "3 entities, 2 relations") {
		t.Fatalf("%v\n%s", err, out)
	}
	page := look(t, file, "BANDONEON", "Ana", filepath.Join(screenshots(t), "graph.png"))
	for _, n := range page.Shown {
		want := map[bool][2]string{true: {"rgb(26,58,92)", "rgb(58,122,189)"}, false: {"rgb(58,31,92)", "rgb(124,58,237)"}}[n.Label == place]
		if n.Fill != want[0] || n.Border != want[1] {
			t.Errorf("%s has the fill %s and the border %s", n.Label, n.Fill, n.Border)
		}
	}
	if len(page.Shown) != 3 || page.Found != "1 found" || page.Note != "" || len(page.Faults) != 0 {
		t.Errorf("%+v", page)
	}
	for _, want := range []string{"Ana", "Persona, PERSONAL, complete, hot", "edad: 30", "toca el bandoneón <b> (PERSONAL, mail, since", "VIVE_EN " + place} {
		if !strings.Contains(page.Details, want) {
			t.Errorf("a click doesn't show %q:\n%s", want, page.Details)
		}
	}
}

type lookedAt struct {
	Shown []struct {
		Label, Fill, Border, Activation string
		Size                            float64
	}
	Found, Details, Note string
	Faults               []string
}

func look(t *testing.T, file, search, label, screenshot string) lookedAt {
	t.Helper()
	out := browserScript(t, "page.mjs", "file://"+file, search, label, screenshot)
	var page lookedAt
	if err := json.Unmarshal(out, &page); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return page
}

// TestLargeGraphPage shows 2,000 entities, and says that there are more.
func TestLargeGraphPage(t *testing.T) {
	data := graph.Data{Title: "large", Omitted: 17, Nodes: []graph.Node{}, Edges: []graph.Edge{}}
	for i := range 2000 {
		data.Nodes = append(data.Nodes, graph.Node{
			Key: fmt.Sprint("p:", i), Label: fmt.Sprint("entity ", i), Type: "Persona", Layer: "PERSONAL", Status: "complete", Activation: []string{"hot", "warm", "cold"}[i%3],
			Facts: []graph.Fact{{Text: fmt.Sprint("fact ", i), Layer: "PERSONAL", Sources: []string{"user"}}},
		})
		if i > 0 {
			data.Edges = append(data.Edges, graph.Edge{From: fmt.Sprint("p:", i), To: fmt.Sprint("p:", i/7), Type: "CONOCE_A", Layer: "PERSONAL"})
		}
	}
	file := filepath.Join(t.TempDir(), "large.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := graph.Write(f, data); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	page := look(t, file, "fact 1999", "entity 1999", "")
	if len(page.Shown) != 2000 || page.Found != "1 found" || !strings.Contains(page.Details, "fact 1999") || !strings.Contains(page.Note, "17 entities are left out") || len(page.Faults) != 0 {
		t.Errorf("%d shown, %q, %q, %q, %q", len(page.Shown), page.Found, page.Details, page.Note, page.Faults)
	}
	sizes := map[string]float64{}
	for _, n := range page.Shown {
		sizes[n.Activation] = n.Size
	}
	if sizes["hot"] <= sizes["warm"] || sizes["warm"] <= sizes["cold"] {
		t.Errorf("sizes by activation: %v", sizes)
	}
}

// TestEveryLabelHasAStyle styles what the database has, types of a model's included.
func TestEveryLabelHasAStyle(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "x", Type: "foo.bar"}, {Name: "y", Type: "Súper héroe"}}})
	types, err := client.Types(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, typ := range types {
		names = append(names, typ.Name)
	}
	grass := browser.GraSS(names...)
	for _, record := range query(t, "MATCH (n {owner: $owner}) UNWIND labels(n) AS label RETURN DISTINCT label", map[string]any{"owner": m.Owner()}) {
		label := record.Values[0].(string)
		if !strings.Contains(grass, "node."+strings.ReplaceAll(label, ".", `\.`)+" {") {
			t.Errorf("the label %s has no style", label)
		}
	}
}

// TestBrowserCommand serves the style and the guide until it is interrupted.
func TestBrowserCommand(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "x", Type: "Tipo de script"}}})
	bin, env := built(t, m.Owner())
	cmd := exec.CommandContext(t.Context(), bin, "browser")
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "Serving") {
		said.WriteString(lines.Text() + "\n")
	}
	for name, want := range map[string]string{"style.grass": "node.Tipo de script {", "guide.html": m.Owner()} {
		address := regexp.MustCompile(`http://localhost:\d+/` + name).FindString(said.String())
		if address == "" {
			t.Fatalf("it doesn't say where %s is:\n%s", name, said.String())
		}
		answer, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", address, err, text)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 0 { // that is its normal end
		t.Errorf("interrupted, it ends with %d", code)
	}
}
