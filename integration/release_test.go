package integration

import (
	"os"
	"os/exec"
	"testing"

	"github.com/acervo-graph/acervo/integration/provision"
)

// newest is the newest release of Neo4j that Acervo is tested with.
const newest = "2026.05.0"

// sameOnEither are tests that the release doesn't matter for, or that start
// servers of their own.
const sameOnEither = "TestServerComesAndGoes|TestOldServer|TestGeoPack|TestBrowser|GraphPage|TestExportOriginal|TestConfirm|TestNewestRelease"

// TestNewestRelease runs this package's tests once more, on the newest release
// with Cypher 25 as the database's default language. The release needs Java 21
// or a Docker engine; a machine with Java 17 alone tests 5.26 only.
func TestNewestRelease(t *testing.T) {
	if os.Getenv("ACERVO_NEWEST") != "" {
		return // this is that run
	}
	if missing := provision.Missing(newest); missing != "" && !testing.Short() {
		t.Skipf("Neo4j %s can't be started here: %s", newest, missing)
	}
	s := ownServer(t, provision.Options{Version: newest, Config: map[string]string{"db.query.default_language": "CYPHER_25"}})
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.count=1", "-test.skip="+sameOnEither)
	cmd.Env = append(os.Environ(), "ACERVO_NEWEST=1", "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
