package integration

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
)

var sessionConfig = neo4j.SessionConfig{DatabaseName: "neo4j"}

// dump lists the whole database: each node with its labels and properties, each
// relationship with both its ends, sorted. The node that registrations lock is
// left out, and so are the schema's.
func dump(t testing.TB) []string {
	t.Helper()
	return dumpOf(t, testDriver(t))
}

// dumpOf is dump of another server.
func dumpOf(t testing.TB, driver neo4j.DriverWithContext) []string {
	t.Helper()
	var lines []string
	for _, text := range []string{
		"MATCH (n) WHERE NOT n:AcervoSchema RETURN labels(n) AS kind, properties(n) AS held, null AS a, null AS b",
		"MATCH (a)-[r]->(b) RETURN type(r) AS kind, properties(r) AS held, properties(a) AS a, properties(b) AS b",
	} {
		for _, record := range queryOn(t, driver, text, nil) {
			m := record.AsMap()
			if labels, ok := m["kind"].([]any); ok {
				slices.SortFunc(labels, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			}
			line, err := json.Marshal(plain(m))
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
	}
	slices.Sort(lines)
	return lines
}

// plain makes values of the driver ones that JSON keeps apart.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = plain(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = plain(e)
		}
		return out
	case time.Time:
		return "time " + v.Format(time.RFC3339Nano)
	case float64:
		return fmt.Sprint("float ", v)
	}
	return v
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(p)) })
}

// checkGraph checks what has to hold of any graph that the memory wrote for some
// owners: what the doctor looks for.
func checkGraph(t testing.TB, owners ...string) {
	t.Helper()
	for _, s := range []cypher.Statement{
		cypher.DoctorFacts, cypher.DoctorAliases, cypher.DoctorForeign, cypher.DoctorSelves, cypher.DoctorTwins, cypher.DoctorRelations, cypher.DoctorReferences,
	} {
		if n := count(t, s.Text, map[string]any{"owners": owners}); n != 0 {
			t.Errorf("%s finds %d", s.Name, n)
		}
	}
}
