package integration

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
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
// owners.
func checkGraph(t testing.TB, owners ...string) {
	t.Helper()
	for what, text := range map[string]string{
		"a current fact that hangs on no entity, or on the wrong one": `MATCH (f:AcervoFact) WHERE f.owner IN $owners AND f.about IS NOT NULL AND f.created_at IS NOT NULL AND f.valid_to IS NULL AND NOT EXISTS {
			MATCH (f)<-[:HAS_FACT]-(e:AcervoEntity) WHERE f.about = CASE e.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id AND e.owner IN [f.owner, 'world'] } RETURN count(f)`,
		"an old fact that hangs on no entity": `MATCH (f:AcervoFact) WHERE f.owner IN $owners AND f.about IS NOT NULL AND f.created_at IS NOT NULL AND f.valid_to IS NOT NULL AND NOT EXISTS {
			MATCH (f)<-[:HAD_FACT]-(e:AcervoEntity) WHERE f.about = CASE e.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id } RETURN count(f)`,
		"a fact on two entities":              "MATCH (f:AcervoFact) WHERE f.owner IN $owners AND COUNT { (f)<-[:HAS_FACT|HAD_FACT]-() } > 1 RETURN count(f)",
		"an alias of nothing":                 "MATCH (a:AcervoAlias) WHERE a.owner IN $owners AND NOT EXISTS { MATCH (e:AcervoEntity {owner: CASE WHEN a.entity STARTS WITH 'w:' THEN 'world' ELSE a.owner END, id: substring(a.entity, 2)}) } RETURN count(a)",
		"a relation that its owner can't see": "MATCH (a:AcervoEntity)-[r]->(b:AcervoEntity) WHERE r.owner IN $owners AND NOT (a.owner IN [r.owner, 'world'] AND b.owner IN [r.owner, 'world']) RETURN count(r)",
		"a relation of an entity to itself":   "MATCH (a:AcervoEntity)-[r]->(a) WHERE r.owner IN $owners RETURN count(r)",
		"a relation without its reference": `MATCH (a:AcervoEntity)-[r]->(b:AcervoEntity) WHERE r.owner IN $owners AND 'world' IN [a.owner, b.owner]
			AND NOT EXISTS { MATCH (ref:AcervoReference {owner: r.owner})-[f:REFERS {type: type(r)}]->(x) WHERE
				ref.id IN [a.id, b.id] AND x.id IN [a.id, b.id] AND ref.id <> x.id AND (f.outgoing = (ref.id = a.id)) } RETURN count(r)`,
		"a reference without its relation": `MATCH (ref:AcervoReference)-[f:REFERS]->(x) WHERE ref.owner IN $owners AND NOT EXISTS {
			MATCH (a:AcervoEntity {owner: 'world', id: ref.id})-[r]-(b:AcervoEntity {id: x.id}) WHERE r.owner = ref.owner AND type(r) = f.type AND (startNode(r) = a) = f.outgoing } RETURN count(f)`,
	} {
		if n := count(t, text, map[string]any{"owners": owners}); n != 0 {
			t.Errorf("%s: %d times", what, n)
		}
	}
}
