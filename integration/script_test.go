package integration

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
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
	endpoint := embeddings(t)
	t.Cleanup(func() { removeVectors(t) })
	bin, err := acervoBinary()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: scripts.Commands(),
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(bin)+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("NEO4J_URI", s.URI)
			env.Setenv("NEO4J_USERNAME", s.Username)
			env.Setenv("NEO4J_PASSWORD", s.Password)
			env.Setenv("ACERVO_OWNER", testOwner(t))
			env.Setenv("TZ", "Asia/Kolkata")
			env.Setenv("EMBEDDINGS", endpoint) // for scripts that configure an embedder
			return nil
		},
	})
}

// embeddings is a local endpoint as OpenAI's is, whose model is a bag of words. It
// refuses the key "wrong", and repeats it.
func embeddings(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer wrong" {
			http.Error(w, `{"error":{"message":"no such key: wrong"}}`, http.StatusUnauthorized)
			return
		}
		var request struct {
			Input      []string
			Dimensions int
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		vectors, err := (&bag{dimensions: request.Dimensions}).Embed(r.Context(), request.Input)
		if err != nil {
			t.Error(err)
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		items := []item{}
		for i, v := range vectors {
			items = append(items, item{i, v})
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"data": items}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}
