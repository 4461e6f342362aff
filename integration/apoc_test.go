package integration

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// apoc gives the jars of APOC as files of a server.
func apoc(t *testing.T) map[string]string {
	t.Helper()
	if _, err := exec.LookPath("mvn"); err != nil && os.Getenv("CI") == "" {
		t.Skip("needs Maven to get APOC")
	}
	folder := t.TempDir()
	mvn := exec.CommandContext(t.Context(), "mvn", "-q", "-B", "--no-transfer-progress", "-f", filepath.Join("testdata", "apoc", "pom.xml"),
		"dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory="+folder)
	if out, err := mvn.CombinedOutput(); err != nil {
		t.Fatalf("download APOC: %v\n%s", err, out)
	}
	jars, err := filepath.Glob(filepath.Join(folder, "*.jar"))
	if err != nil || len(jars) == 0 {
		t.Fatalf("no jars: %v", err)
	}
	files := map[string]string{}
	for _, jar := range jars {
		content, err := os.ReadFile(jar)
		if err != nil {
			t.Fatal(err)
		}
		files["plugins/"+filepath.Base(jar)] = string(content)
	}
	return files
}

// TestQueryRefusesAPOC asks a server that has APOC, whose procedures reach files and
// the network and run statements of their own.
func TestQueryRefusesAPOC(t *testing.T) {
	s := ownServer(t, provision.Options{Version: provision.DefaultVersion, Files: apoc(t), Config: map[string]string{"dbms.security.procedures.unrestricted": "apoc.*"}})
	driver := driverOf(t, s)
	// What is refused is there and works.
	if got := queryOn(t, driver, "RETURN apoc.text.join(['a', 'b'], '-')", nil)[0].Values[0]; got != "a-b" {
		t.Fatalf("APOC joins to %v", got)
	}
	client := migrated(t, acervo.New(driver, nil))
	for _, text := range []string{
		"CALL apoc.load.json('file:///x') YIELD value RETURN value",
		"CALL apoc.cypher.doIt('CREATE (:Planted)', {}) YIELD value RETURN value",
		"CALL apoc.cypher.run('MATCH (n) RETURN n', {}) YIELD value RETURN value",
		"CALL `apoc`.`create`.`node`(['Planted'], {}) YIELD node RETURN node",
		"CALL apoc.help('load') YIELD name RETURN name",
		"RETURN [x IN [1] | COLLECT { CALL apoc.cypher.doIt('CREATE (:Planted)', {}) YIELD value RETURN value }]",
		"RETURN [x IN [1] | COLLECT { CALL apoc.help('load') YIELD name RETURN name }]",
		"RETURN apoc.text.join(['a'], '')",
		"RETURN APOC.text . `join`(['a'], '')",
		"RETURN [x IN [1] | COLLECT { RETURN apoc.text.join(['a'], '') AS y }]",
		"MATCH (n) WHERE apoc.text.join([n.label], '') = 'a' RETURN n",
		"RETURN ap\\u006fc.text.join(['a'], '')",
		"RETURN apoc.cypher.runFirstColumnSingle('RETURN 1', {})",
	} {
		if r, err := client.Query(t.Context(), acervo.QueryParams{Cypher: text}); !errors.Is(err, acervo.ErrForbidden) {
			t.Errorf("%q: %v, %v", text, r, err)
		}
	}
	for _, text := range []string{
		"MATCH (n) RETURN count(n)", "RETURN 'apoc.text.join', \"apoc.load.json\" // apoc.text.join", "RETURN date('2026-05-01'), toUpper('load') AS text, size([1]) AS join",
		"MATCH (n) RETURN COUNT { (n)--() }, 'call apoc.help' LIMIT 1", "CALL db.labels() YIELD label RETURN label", "RETURN point({x: 1, y: 2}), datetime.transaction()",
	} {
		if _, err := client.Query(t.Context(), acervo.QueryParams{Cypher: text}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if n := queryOn(t, driver, "MATCH (n:Planted) RETURN count(n)", nil)[0].Values[0]; n != int64(0) {
		t.Errorf("%v nodes were made", n)
	}
}
