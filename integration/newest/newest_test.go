// Package newest runs the tests of package integration once more, on the newest
// release of Neo4j. It is a package of its own so that both runs go on at once.
package newest

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/integration/provision"
)

// release is the newest release of Neo4j that Acervo is tested with.
const release = "2026.05.0"

// sameOnEither are tests that the release doesn't matter for, or that start
// servers of their own.
const sameOnEither = "TestServerComesAndGoes|TestDatabaseForEachGroup|TestLoadLittleMemory|TestOldServer|TestGeoPack|TestBrowser|GraphPage|TestExportOriginal|TestConfirm|TestMCPPython|TestMCPInspector|TestDoctor|TestExample|TestTLS|TestProcessesMigrateAtOnce|TestQueryRefusesAPOC"

// TestNewestRelease has Cypher 25 as the database's default language. The release
// needs Java 21 or a Docker engine; a machine with Java 17 alone tests 5.26 only,
// but not in CI.
func TestNewestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a Neo4j")
	}
	if missing := provision.Missing(release, os.Getenv("ACERVO_NEO4J")); missing != "" && os.Getenv("CI") == "" {
		t.Skipf("Neo4j %s can't be started here: %s", release, missing)
	}
	// A password of its own, so that no run that was left behind by a killed one
	// takes this server for its own: engines give the same ports again.
	s, err := provision.Start(t.Context(), provision.Options{Own: true, Version: release, Password: rand.Text(), Config: map[string]string{"db.query.default_language": "CYPHER_25"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	checkRelease(t, s)
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-timeout=45m", "-skip="+sameOnEither, "github.com/acervo-graph/acervo/integration")
	cmd.Env = append(os.Environ(), "ACERVO_NEWEST="+release, "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// checkRelease fails if the server is another one than the test is about.
func checkRelease(t *testing.T, s *provision.Server) {
	t.Helper()
	driver, err := neo4j.NewDriverWithContext(s.URI, neo4j.BasicAuth(s.Username, s.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close(t.Context())
	for query, want := range map[string]string{
		"CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0]": release,
		"SHOW DATABASE neo4j YIELD defaultLanguage":                                                  "CYPHER 25",
	} {
		result, err := neo4j.ExecuteQuery(t.Context(), driver, query, nil, neo4j.EagerResultTransformer)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Records) != 1 || result.Records[0].Values[0] != want {
			t.Fatalf("%s: %v, want %s", query, result.Records, want)
		}
	}
}
