package integration

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/acervo-graph/acervo/integration/scripts"
)

// TestScripts runs the command line's scripts that need a database, each with an
// owner of its own.
func TestScripts(t *testing.T) {
	s := testServer(t)
	testClient(t) // migrates
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/acervo").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: scripts.Commands(),
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("NEO4J_URI", s.URI)
			env.Setenv("NEO4J_USERNAME", s.Username)
			env.Setenv("NEO4J_PASSWORD", s.Password)
			env.Setenv("ACERVO_OWNER", testOwner(t))
			env.Setenv("TZ", "Asia/Kolkata")
			return nil
		},
	})
}
