package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/acervo-graph/acervo/integration/scripts"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"acervo": main})
}

// TestScripts runs what needs no database; what needs one is in the package integration.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: scripts.Commands(),
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE", "ACERVO_OWNER", "ACERVO_SESSION", "ACERVO_LOG", "ACERVO_MCP_TOKEN"} {
				env.Setenv(name, "")
			}
			return os.Chmod(env.WorkDir, 0o755)
		},
	})
}
