package integration

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/acervo-graph/acervo/acervo"
)

// cypher25 reports whether the server speaks Cypher 25.
func cypher25(t testing.TB) bool {
	t.Helper()
	version, _ := query(t, "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0]", nil)[0].Values[0].(string)
	return !strings.HasPrefix(version, "5.")
}

// readingTexts only read, whatever they look like.
var readingTexts = []string{
	"MATCH (n:Merge) RETURN n.delete LIMIT 1",
	"MATCH (n:CREATE {set: 'DETACH DELETE n'}) RETURN n AS remove",
	"RETURN 'CREATE (n); LOAD CSV; CALL apoc.load.json(x) USE system' AS text",
	"MATCH (`CREATE`) RETURN `CREATE` LIMIT 1 // MERGE (n)",
	"/* DELETE */ MATCH (n) RETURN count(n) AS drop",
	"MATCH (n) WHERE n.`a\n| +Create | x` = 1 RETURN n",
	"RETURN 1;",
	"RETURN 1 ; // and that's it",
	"CYPHER runtime=slotted RETURN 1",
	"CYPHER 5 MATCH (n) RETURN n LIMIT 1",
	"UNWIND range(1, 3) AS x WITH x ORDER BY x DESC SKIP 1 LIMIT 1 RETURN DISTINCT x",
	"CALL { RETURN 1 AS x UNION RETURN 2 AS x } RETURN sum(x)",
	"CALL () { MATCH (n) RETURN n LIMIT 1 } RETURN n.label",
	"MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN n, r, m LIMIT 1",
	"MATCH p = shortestPath((a:AcervoEntity)-[*..3]-(b:AcervoEntity)) WHERE a <> b RETURN p LIMIT 1",
	"MATCH p = ANY SHORTEST (a:AcervoEntity)-->{1,2}(b:AcervoEntity) RETURN p LIMIT 1",
	"MATCH (a)-[*1..2]->(b) RETURN a LIMIT 1",
	"MATCH ()-[r]->() RETURN type(r), count(*) LIMIT 3",
	"MATCH ()-[r:HAS_FACT|HAD_FACT]->() RETURN count(r)",
	"MATCH (n:AcervoEntity) WHERE EXISTS { (n)-[:HAS_FACT]->() } RETURN COUNT { (n)--() }, COLLECT { MATCH (n)-->(m) RETURN m.label } LIMIT 1",
	"MATCH (n:AcervoEntity) RETURN [x IN [1] | COLLECT { CALL db.labels() YIELD label RETURN label }] LIMIT 1",
	"MATCH (n:AcervoEntity) WHERE n.owner = 'o' AND EXISTS { (n)--() } AND n.show IS NULL RETURN n.call, n.load AS load",
	"MATCH (n:AcervoEntity|AcervoFact) WHERE n.owner = 'x' OR (n)-->() RETURN n.id, [(n)-->(m) | m.id] LIMIT 2",
	"MATCH (n) WHERE elementId(n) IN ['4:x:1'] OR id(n) = 7 RETURN n",
	"MATCH (e:AcervoEntity {owner: 'a', id: 'b'}) RETURN e",
	"MATCH (e:AcervoEntity) WHERE e.owner STARTS WITH 'zz' AND e.id > 'a' RETURN e ORDER BY e.owner",
	"MATCH (e:AcervoEntity) USING INDEX e:AcervoEntity(owner, id) WHERE e.owner = 'a' AND e.id IS NOT NULL RETURN e",
	"MATCH (a:AcervoType), (b:AcervoRelation) WHERE a.name = b.name RETURN a",
	"CALL db.labels()", "CALL db.labels", "CALL `db` . labels() YIELD label RETURN label", "CALL db.propertyKeys() YIELD propertyKey RETURN count(*)",
	"CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType",
	"CALL db.schema.visualization()", "CALL db.schema.nodeTypeProperties()", "CALL db.schema.relTypeProperties()", "CALL db.index.fulltext.listAvailableAnalyzers()",
	"RETURN date('2026-05-01'), duration('P1D'), point({x: 1, y: 2}), vector.similarity.cosine([1.0], [1.0]), rand(), datetime.realtime()",
	"MATCH (n:AcervoEntity) RETURN reduce(s = 0, x IN [1, 2] | s + x), all(x IN [1] WHERE x = 1), CASE WHEN n.x = 1 THEN 2 END, n {.*} LIMIT 1",
}

// refusedTexts are none that only read the graph.
var refusedTexts = []string{
	"CREATE (:Planted)", "INSERT (:Planted)", "MERGE (:Planted {x: 1})", "MATCH (n) DETACH DELETE n", "MATCH (n) NODETACH DELETE n", "MATCH (n) SET n.planted = 1", "MATCH (n) REMOVE n.label",
	"MATCH (n) SET n:Planted", "MATCH (n) REMOVE n:AcervoEntity", "MATCH (n) SET n = {planted: 1}", "MATCH (n) SET n += {planted: 1}", "MATCH (n) SET n[$k] = 1",
	"CREATE/**/(:Planted)", "/* MATCH (n) RETURN n */ CREATE (:Planted)", "// MATCH (n) RETURN n\nCREATE (:Planted)", "cReAtE (:Planted)", "CREATE\u00a0(:Planted)",
	"MATCH (n) RETURN n LIMIT 1 UNION CREATE (n:Planted) RETURN n", "MATCH (n) WITH n LIMIT 1 CREATE (m:Planted) RETURN m",
	"CALL { CREATE (:Planted) } RETURN 1", "CALL () { CREATE (n:Planted) RETURN n } RETURN n", "UNWIND [1] AS x CALL (x) { CREATE (:Planted {x: x}) } IN TRANSACTIONS", "MATCH (n) CALL (n) { RETURN 1 AS one } IN TRANSACTIONS RETURN one",
	"FOREACH (x IN [1] | CREATE (:Planted))", "MATCH (n) FOREACH (x IN [n] | SET x.planted = 1)",
	"LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", "LOAD CSV WITH HEADERS FROM 'http://127.0.0.1:1/x' AS line RETURN line", "CALL { LOAD CSV FROM 'file:///x' AS l RETURN l } RETURN l",
	// What is inside of an expression isn't drawn in the plan.
	"RETURN COLLECT { LOAD CSV FROM 'file:///x' AS l RETURN l }",
	"RETURN [x IN range(1, 3) | COLLECT { LOAD CSV FROM 'file:///x' AS l RETURN l }]",
	"RETURN [x IN range(1, 3) | COLLECT { LOAD/**/CSV FROM 'file:///x' AS l RETURN l }]",
	"RETURN [x IN range(1, 3) | COLLECT/**/{ LOAD // x\nCSV FROM 'file:///x' AS l RETURN l }]",
	"RETURN [x IN range(1, 3) | COLLECT { LOAD\u2003CSV FROM 'file:///x' AS l RETURN l }]",
	"RETURN [x IN range(1, 3) | COLLECT { \\u004cOAD CSV FROM 'file:///x' AS l RETURN l }]",
	"MATCH (n) RETURN CASE WHEN n.x = 1 THEN EXISTS { LOAD CSV FROM 'file:///x' AS l RETURN l } END",
	"MATCH (n) RETURN CASE WHEN n.x = 1 THEN COUNT { LOAD CSV FROM 'file:///x' AS l RETURN l } END",
	"MATCH p = (a)-[*1..3]-(b) WHERE all(x IN nodes(p) WHERE EXISTS { LOAD CSV FROM 'file:///x' AS l RETURN l }) RETURN p",
	"RETURN [x IN [1] | COLLECT { CALL dbms.listConfig() YIELD name RETURN name }]",
	"RETURN [x IN [1] | COLLECT { CALL db.info() YIELD name RETURN name }]",
	"RETURN [x IN [1] | COLLECT { CALL `db`.info() YIELD name RETURN name }]",
	"RETURN [x IN [1] | COLLECT { CALL`db`.info() YIELD name RETURN name }]",
	"RETURN [x IN [1] | COLLECT { CALL db . info() YIELD name RETURN name }]",
	"RETURN [x IN [1] | COLLECT { CALL/* CALL db.labels() */db.info() YIELD name RETURN name }]",
	"RETURN 'call /*', [x IN [1] | COLLECT { CALL db.info() YIELD name RETURN name }], '*/ db.labels()'",
	"RETURN [x IN [1] | COLLECT { TERMINATE TRANSACTIONS 'a' YIELD message RETURN message }]",
	"RETURN [x IN [1] | COLLECT { SHOW INDEXES YIELD name RETURN name }]",
	"SHOW INDEXES", "SHOW CONSTRAINTS", "SHOW FUNCTIONS", "SHOW PROCEDURES", "SHOW TRANSACTIONS", "SHOW SETTINGS", "SHOW DATABASES", "SHOW USERS", "SHOW CURRENT USER",
	"TERMINATE TRANSACTIONS 'neo4j-transaction-1'", "CREATE USER planted SET PASSWORD 'planted-planted'", "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'", "DROP USER neo4j",
	"CREATE INDEX planted FOR (n:Planted) ON (n.x)", "CREATE CONSTRAINT planted FOR (n:Planted) REQUIRE n.x IS UNIQUE", "DROP INDEX acervo_entity_type", "DROP CONSTRAINT acervo_entity_key", "CREATE DATABASE planted", "STOP DATABASE neo4j",
	"USE system SHOW USERS", "USE system CALL db.labels() YIELD label RETURN label", "USE other MATCH (n) RETURN n", "USE neo4j MATCH (n) RETURN n", "USE graph.byName('system') MATCH (n) RETURN n",
	"use`system` CALL db.labels() YIELD label RETURN label", "/* a */ CYPHER 5 runtime=slotted // b\nUSE/**/system CALL db.labels() YIELD label RETURN label", "CALL { USE system CALL db.labels() YIELD label RETURN label } RETURN label",
	"MATCH (n) RETURN n.x AS x UNION USE system CALL db.labels() YIELD label RETURN label AS x", "\\u0055SE system CALL db.labels() YIELD label RETURN label",
	"CALL dbms.components()", "CALL dbms.listConfig()", "CALL db.createLabel('Planted')", "CALL db.createProperty('planted')", "CALL db.info()", "CALL db.awaitIndexes(1)", "CALL tx.setMetaData({a: 1})", "CALL dbms.queryJmx('*:*')",
	"CALL db.labels() YIELD label CALL db.info() YIELD name RETURN name", "CALL db.info() YIELD name CALL db.labels() YIELD label RETURN name",
	"CALL apoc.load.json('file:///x') YIELD value RETURN value", "RETURN apoc.text.join(['a'], '')",
	"RETURN 1; CREATE (:Planted)", "CREATE (:Planted); RETURN 1", "RETURN 1; RETURN 2", ";", "//", " ", "EXPLAIN", "EXPLAIN RETURN 1", "EXPLAIN CREATE (:Planted)", "PROFILE RETURN 1", "PROFILE CREATE (:Planted)",
	"CYPHER 5 CREATE (:Planted)", "CYPHER 5 PROFILE CREATE (:Planted)", "CYPHER 5 EXPLAIN RETURN 1", "CYPHER runtime=slotted CREATE (:Planted)", "CYPHER planner=cost EXPLAIN CREATE (:Planted)", "EXPLAIN PROFILE CREATE (:Planted)",
	"\x00", "RETURN '\xff'", "MATCH (n", "RETURN $missing",
	"*/ CREATE (:Planted) /*", "RETURN 1 }) CREATE (:Planted) //", ") RETURN 1 UNION CREATE (:Planted) //", "\nCREATE (:Planted)", "\ufeffCREATE (:Planted)",
}

// TestQueryJudges tells statements that only read from all others, and finds the
// database as it was afterwards. Where the server speaks Cypher 25, every text is
// tried in both languages.
func TestQueryJudges(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	upsert(t, client.Memory(owner), acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}}, Relations: []acervo.Relation{{From: "Ana", To: "Acme", Type: "TRABAJA_EN"}}, Facts: []acervo.Fact{{Entity: "Ana", Text: "is here"}},
	})
	reading, refused := slices.Clone(readingTexts), slices.Clone(refusedTexts)
	if cypher25(t) {
		for _, text := range readingTexts {
			if !strings.HasPrefix(text, "CYPHER") && !strings.Contains(text, " id(") {
				reading = append(reading, "CYPHER 25 "+text)
			}
		}
		for _, text := range refusedTexts {
			if !strings.Contains(text, "CYPHER") {
				refused = append(refused, "CYPHER 25 "+text)
			}
		}
		reading = append(reading, "CYPHER 25 LET x = 1 FILTER x = 1 RETURN x", "CYPHER 25 FOR x IN [1, 2] RETURN x", "CYPHER 25 RETURN 1 AS x NEXT RETURN x + 1 AS y", "CYPHER 25 WHEN true THEN RETURN 1 AS x ELSE RETURN 2 AS x")
		refused = append(refused, "CYPHER 25 RETURN 1 AS x NEXT CREATE (:Planted)", "CYPHER 25 WHEN true THEN CREATE (:Planted) ELSE CREATE (:Planted)", "CYPHER 25 RETURN COLLECT { SHOW INDEXES YIELD name RETURN name }", "CYPHER 25 ALTER CURRENT GRAPH TYPE SET {}")
	} else {
		refused = append(refused, "CYPHER 25 RETURN 1")
	}
	for _, text := range reading {
		if _, err := client.Query(t.Context(), acervo.QueryParams{Cypher: text, Params: map[string]any{"k": "planted"}}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	schema := func() []string {
		var names []string
		for _, r := range query(t, "SHOW INDEXES YIELD name RETURN name ORDER BY name", nil) {
			names = append(names, r.Values[0].(string))
		}
		return names
	}
	before, indexes, users := dump(t), schema(), query(t, "SHOW USERS YIELD user RETURN count(*)", nil)[0].Values[0]
	for _, text := range refused {
		r, err := client.Query(t.Context(), acervo.QueryParams{Cypher: text, Params: map[string]any{"k": "planted"}})
		if !errors.Is(err, acervo.ErrForbidden) && !errors.Is(err, acervo.ErrInvalid) {
			t.Errorf("%q: %v, %v", text, r, err)
		}
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("what was refused changed something:\n%s", diff)
	}
	if diff := cmp.Diff(indexes, schema()); diff != "" {
		t.Errorf("what was refused changed the schema:\n%s", diff)
	}
	if after := query(t, "SHOW USERS YIELD user RETURN count(*)", nil)[0].Values[0]; after != users {
		t.Errorf("there were %v users and are %v", users, after)
	}
	labels := query(t, "CALL db.labels() YIELD label WHERE label = 'Planted' RETURN label", nil)
	if len(labels) != 0 {
		t.Error("what was refused left a token")
	}
}

// TestQueryReasons has each refusal say why.
func TestQueryReasons(t *testing.T) {
	client := testClient(t)
	for text, want := range map[string]string{
		"CREATE (n)": "writes", "SHOW INDEXES": "ShowIndexes", "LOAD CSV FROM 'file:///x' AS l RETURN l": "LoadCSV", "CALL db.info()": "db.info", "USE x RETURN 1": "USE",
		"RETURN [x IN [1] | COLLECT { LOAD CSV FROM 'file:///x' AS l RETURN l }]": "LOAD CSV",
		"RETURN [x IN [1] | COLLECT { CALL db.info() YIELD name RETURN name }]":   "CALL db.info",
		"MATCH (n) CALL (n) { RETURN 1 AS one } IN TRANSACTIONS RETURN one":       "TransactionApply",
		"EXPLAIN RETURN 1": "EXPLAIN", "CREATE INDEX planted FOR (n:Planted) ON (n.x)": "schema",
	} {
		_, err := client.Query(t.Context(), acervo.QueryParams{Cypher: text})
		var why *acervo.QueryRefusedError
		if !errors.As(err, &why) || !errors.Is(err, acervo.ErrForbidden) || !strings.Contains(why.Reason, want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{"RETURN 1; RETURN 2": "one statement", "MATCH (n": "Invalid input", "PROFILE RETURN 1": "execution mode", "RETURN $missing": "missing"} {
		_, err := client.Query(t.Context(), acervo.QueryParams{Cypher: text})
		var server *acervo.DatabaseError
		if !errors.Is(err, acervo.ErrInvalid) || !errors.As(err, &server) || server.Code == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for field, p := range map[string]acervo.QueryParams{
		"cypher": {}, "timeout": {Cypher: "RETURN 1", Timeout: -1}, "max_rows": {Cypher: "RETURN 1", MaxRows: 100_001}, "max_bytes": {Cypher: "RETURN 1", MaxBytes: -1},
		"params": {Cypher: "RETURN $c", Params: map[string]any{"c": make(chan int)}},
	} {
		if _, err := client.Query(t.Context(), p); !errors.Is(err, acervo.ErrInvalid) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := client.Query(t.Context(), acervo.QueryParams{Cypher: "RETURN '" + strings.Repeat("x", 64<<10) + "'"}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a long text: %v", err)
	}
}

// TestQueryCaps ends at the caps, without the server going on.
func TestQueryCaps(t *testing.T) {
	client := testClient(t)
	many := "UNWIND range(1, 1000000000) AS x RETURN x, 'a' + x AS text"
	for _, c := range []struct {
		p         acervo.QueryParams
		rows      int
		truncated string
	}{
		{acervo.QueryParams{Cypher: many}, 1000, "rows"},
		{acervo.QueryParams{Cypher: many, MaxRows: 1}, 1, "rows"},
		{acervo.QueryParams{Cypher: many, MaxRows: 250}, 250, "rows"},
		{acervo.QueryParams{Cypher: many, MaxBytes: 100}, 11, "bytes"},
		{acervo.QueryParams{Cypher: "UNWIND range(1, 3) AS x RETURN x", MaxRows: 3}, 3, ""},
		{acervo.QueryParams{Cypher: "RETURN [x IN range(1, 1000) | 'text'] AS long", MaxBytes: 1000}, 0, "bytes"},
		{acervo.QueryParams{Cypher: "MATCH (n:Nothing) RETURN n"}, 0, ""},
	} {
		start := time.Now()
		r, err := client.Query(t.Context(), c.p)
		if err != nil {
			t.Fatalf("%+v: %v", c.p, err)
		}
		if len(r.Rows) != c.rows || r.Truncated != c.truncated || len(r.Columns) == 0 {
			t.Errorf("%+v: %d rows of %q, truncated %q, want %d and %q", c.p, len(r.Rows), r.Columns, r.Truncated, c.rows, c.truncated)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%+v took %s", c.p, d)
		}
	}
}

func TestQueryTimeout(t *testing.T) {
	client := testClient(t)
	slow := "UNWIND range(1, 1000000000) AS x WITH x WHERE x % 7 = 8 RETURN count(x) AS slow_query_of_a_test"
	start := time.Now()
	_, err := client.Query(t.Context(), acervo.QueryParams{Cypher: slow, Timeout: 500 * time.Millisecond})
	if !errors.Is(err, acervo.ErrTimeout) || !strings.Contains(err.Error(), "500ms") {
		t.Errorf("error %v", err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("it took %s", d)
	}
	// The caller's own deadline is told as that.
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := client.Query(ctx, acervo.QueryParams{Cypher: slow}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, acervo.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	// The server doesn't go on, and the pool is as it was.
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		running := query(t, "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'slow_query' AND NOT currentQuery STARTS WITH 'SHOW' RETURN currentQuery", nil)
		if len(running) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("still running: %v", running)
		}
	}
	if r, err := client.Query(t.Context(), acervo.QueryParams{Cypher: "RETURN 1 AS one"}); err != nil || len(r.Rows) != 1 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestQueryValues has every kind of value as JSON.
func TestQueryValues(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	upsert(t, client.Memory(owner), acervo.UpsertParams{Relations: []acervo.Relation{{From: "Ana", To: "Roca", Type: "VIVE_EN"}}})
	values := map[string]string{
		"null": "null", "true": "true", "1": "1", "9223372036854775807": "9223372036854775807", "1.0": "1.0", "1.5e300": "1.5e+300", "'<a&b>\\n\\u0001'": `"<a&b>\n\u0001"`,
		"0.0/0": `{"float":"NaN"}`, "1.0/0": `{"float":"+Inf"}`, "-1.0/0": `{"float":"-Inf"}`,
		"[1, null, [2.0, 'x']]": `[1,null,[2.0,"x"]]`, "{a: 1, b: {c: null}}": `{"a":1,"b":{"c":null}}`, "{}": "{}", "[]": "[]",
		"{time: 'x'}": `{"map":{"time":"x"}}`, "{time: 'x', zone: 'y'}": `{"map":{"time":"x","zone":"y"}}`, "{time: 1, place: 2}": `{"place":2,"time":1}`,
		"date('2026-05-01')": `{"date":"2026-05-01"}`, "localtime('10:00:00.5')": `{"local_time":"10:00:00.5"}`, "time('10:00+02:00')": `{"offset_time":"10:00:00+02:00"}`,
		"localdatetime('2026-05-01T10:00')": `{"local_datetime":"2026-05-01T10:00:00"}`, "datetime('2026-05-01T10:00+02:00')": `{"time":"2026-05-01T10:00:00+02:00"}`, "datetime('2026-05-01T10:00Z')": `{"time":"2026-05-01T10:00:00Z"}`,
		"datetime('2026-05-01T10:00[Europe/Madrid]')": `{"time":"2026-05-01T10:00:00+02:00","zone":"Europe/Madrid"}`,
		"date('+12345-05-01')":                        `{"date":"+12345-05-01"}`, "date('-0044-03-15')": `{"date":"-0044-03-15"}`, "datetime('+12345-05-01T10:00Z')": `{"time":"+12345-05-01T10:00:00Z"}`,
		"duration('P1M2DT3.5S')": `{"duration":[1,2,3,500000000]}`, "duration({months: -1, seconds: -1.5})": `{"duration":[-1,0,-2,500000000]}`,
		"point({x: 1, y: 2.5})": `{"point":[7203,1,2.5]}`, "point({longitude: 1, latitude: 2, height: 3})": `{"point":[4979,1,2,3]}`,
		"$bytes": `{"bytes":"AAEC"}`,
	}
	for expression, want := range values {
		r, err := client.Query(t.Context(), acervo.QueryParams{Cypher: "RETURN " + expression + " AS v", Params: map[string]any{"bytes": []byte{0, 1, 2}}})
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		text, err := json.Marshal(r)
		if err != nil || !json.Valid(text) {
			t.Errorf("%s: %s, %v", expression, text, err)
		}
		row, err := r.Rows[0].MarshalJSON()
		if err != nil || string(row) != "["+want+"]" {
			t.Errorf("%s is %s, %v, want [%s]", expression, row, err, want)
		}
	}
	r, err := client.Query(t.Context(), acervo.QueryParams{
		Cypher: "MATCH p = (a:AcervoEntity {owner: $owner, id: 'ana'})-[r:VIVE_EN]->(b) RETURN a, r, p, [a, {r: r}] AS list", Params: map[string]any{"owner": owner},
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	type node struct {
		ElementID  string         `json:"element_id"`
		Labels     []string       `json:"labels"`
		Properties map[string]any `json:"properties"`
	}
	type relationship struct {
		ElementID  string `json:"element_id"`
		Type       string `json:"type"`
		Start, End string
		Properties map[string]any
	}
	var row []json.RawMessage
	var document struct {
		Columns []string
		Rows    []json.RawMessage
	}
	var n struct{ Node node }
	var rel struct{ Relationship relationship }
	var p struct {
		Path struct {
			Nodes         []node
			Relationships []relationship
		}
	}
	for _, err := range []error{
		json.Unmarshal(text, &document), json.Unmarshal(document.Rows[0], &row), json.Unmarshal(row[0], &n), json.Unmarshal(row[1], &rel), json.Unmarshal(row[2], &p),
	} {
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	slices.Sort(n.Node.Labels)
	if n.Node.ElementID == "" || !slices.Equal(n.Node.Labels, []string{"AcervoEntity", "Desconocido", "Personal"}) || n.Node.Properties["id"] != "ana" {
		t.Errorf("node %+v", n)
	}
	if at, ok := n.Node.Properties["created_at"].(map[string]any); !ok || at["time"] == nil {
		t.Errorf("created_at is %v", n.Node.Properties["created_at"])
	}
	if got := rel.Relationship; got.Type != "VIVE_EN" || got.Start != n.Node.ElementID || got.End == got.Start || got.Properties["owner"] != owner {
		t.Errorf("relationship %+v", got)
	}
	if len(p.Path.Nodes) != 2 || len(p.Path.Relationships) != 1 || p.Path.Nodes[0].ElementID != n.Node.ElementID {
		t.Errorf("path %+v", p)
	}
	if !slices.Equal(document.Columns, []string{"a", "r", "p", "list"}) {
		t.Errorf("columns %q", document.Columns)
	}
	// What is nested too deep for readers of JSON is an error and no broken document.
	if _, err := client.Query(t.Context(), acervo.QueryParams{Cypher: "RETURN reduce(l = [], x IN range(1, 600) | [l]) AS deep"}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("nested deep: %v", err)
	}
}

// TestQueryHostile gives random pieces of statements in random order: whatever is
// let through, nothing is written.
func TestQueryHostile(t *testing.T) {
	client := testClient(t)
	pieces := []string{
		"MATCH (n)", "RETURN 1", "RETURN n", "CREATE (:Planted)", "MERGE (n)", "SET n.planted = 1", "DELETE n", "CALL {", "CALL () {", "}", "{", "COLLECT {", "EXISTS {", "LOAD CSV FROM 'file:///x' AS l", "UNION",
		"//", "/*", "*/", "\n", "'", "\"", "`", "\\u0027", "\\u0060", "\\", ";", "EXPLAIN", "PROFILE", "CYPHER 5", "CYPHER 25", "USE system", "CALL db.info() YIELD name", "CALL db.createLabel('Planted')", "IN TRANSACTIONS",
		"RETURN [x IN [1] | COLLECT { LOAD CSV FROM 'file:///x' AS l RETURN l }]", ", COLLECT { LOAD CSV FROM \"file:///x\" AS l RETURN l } AS y", "RETURN '", "', ", "RETURN \"", "\\'", "\\\\",
		"WITH 1 AS x", "UNWIND [1] AS x", "[x IN [1] |", "]", "(", ")", "$p", "FOREACH (x IN [1] |", "WHERE", "AS y", "LIMIT 1", "NEXT", "WHEN true THEN", "ELSE", "\u00a0", "\u2028", "\x00", "\ufeff", "| +Create |", "$(x)",
	}
	before := dump(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(rt, "pieces"), rapid.SampledFrom([]string{" ", "", "/**/"}).Draw(rt, "between"))
		if _, err := client.Query(t.Context(), acervo.QueryParams{Cypher: text, Params: map[string]any{"p": "x"}}); err != nil &&
			!errors.Is(err, acervo.ErrForbidden) && !errors.Is(err, acervo.ErrInvalid) {
			rt.Errorf("%q: %v", text, err)
		} else if server := (*acervo.DatabaseError)(nil); errors.As(err, &server) && strings.Contains(server.Code, "External") { // the file isn't there
			rt.Errorf("%q was run: %v", text, err)
		}
	})
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("something was written:\n%s", diff)
	}
	if labels := query(t, "CALL db.labels() YIELD label WHERE label = 'Planted' RETURN label", nil); len(labels) != 0 {
		t.Error("a token was made")
	}
}

// TestQueryServerGone loses the server.
func TestQueryServerGone(t *testing.T) {
	t.Parallel() // its proxy is its own
	s := testServer(t)
	proxy := newProxy(t, s.URI)
	c, err := acervo.Open(t.Context(), acervo.Config{URI: "bolt://" + proxy.address, Username: s.Username, Password: s.Password})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if _, err := c.Query(t.Context(), acervo.QueryParams{Cypher: "RETURN 1"}); err != nil {
		t.Fatal(err)
	}
	proxy.cut()
	// The connection of the pool is dead: another one is opened.
	if r, err := c.Query(t.Context(), acervo.QueryParams{Cypher: "RETURN 1"}); err != nil || len(r.Rows) != 1 {
		t.Errorf("after a lost connection: %v, %v", r, err)
	}
	proxy.close()
	start := time.Now()
	if _, err := c.Query(t.Context(), acervo.QueryParams{Cypher: "RETURN 1", Timeout: 2 * time.Second}); !errors.Is(err, acervo.ErrUnavailable) {
		t.Errorf("without a server: %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %s", d)
	}
}

// proxy passes connections on to a server until it is told not to.
type proxy struct {
	address  string
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
}

func newProxy(t *testing.T, uri string) *proxy {
	t.Helper()
	target, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: l.Addr().String(), listener: l}
	t.Cleanup(p.close)
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target.Host)
			if err != nil {
				client.Close()
				return
			}
			p.mu.Lock()
			p.open = append(p.open, client, server)
			p.mu.Unlock()
			go io.Copy(server, client)
			go io.Copy(client, server)
		}
	}()
	return p
}

// cut ends every connection; new ones are taken.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		c.Close()
	}
	p.open = nil
}

// close ends every connection and takes no more.
func (p *proxy) close() {
	p.listener.Close()
	p.cut()
}
