package integration

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cmd/acervo/browser"
)

// TestCookbook runs every query of the guide and of docs/cookbook.md on the
// graph of the demo.
func TestCookbook(t *testing.T) {
	s := testServer(t)
	testClient(t)
	demo := exec.CommandContext(t.Context(), "go", "run", "./demo")
	demo.Env = append(os.Environ(), "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password)
	if out, err := demo.CombinedOutput(); err != nil {
		t.Fatalf("the demo: %v\n%s", err, out)
	}
	book, err := os.ReadFile("../docs/cookbook.md")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, found := range regexp.MustCompile("(?s)```cypher\n(.*?)\n```").FindAllStringSubmatch(string(book), -1) {
		texts = append(texts, found[1])
	}
	queries := browser.Queries()
	if len(queries) != len(texts) || len(queries) < 10 {
		t.Fatalf("%d queries in the guide, %d in the cookbook", len(queries), len(texts))
	}
	for i, q := range queries {
		t.Run(q.Name, func(t *testing.T) {
			if texts[i] != q.Text {
				t.Errorf("the cookbook has another text:\n%s", texts[i])
			}
			session := testDriver(t).NewSession(t.Context(), sessionConfig)
			defer session.Close(t.Context())
			result, err := session.Run(t.Context(), "EXPLAIN "+q.Text, nil)
			if err != nil {
				t.Fatal(err)
			}
			summary, err := result.Consume(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			drawn, _ := summary.Plan().Arguments()["string-representation"].(string)
			if summary.StatementType() != neo4j.StatementTypeReadOnly || strings.Contains(drawn, "NodeByLabelScan") || strings.Contains(drawn, "AllNodesScan") {
				t.Errorf("a query of the kind %v, planned as\n%s", summary.StatementType(), drawn)
			}
			if records := query(t, q.Text, nil); len(records) == 0 {
				t.Error("it finds nothing in the demo's graph")
			}
		})
	}
}
