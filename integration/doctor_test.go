package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

// found gives what a diagnosis found, each with its severity, its count and how many
// were mended.
func found(r *acervo.DiagnoseResult) []string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%s %s %d %d", f.Check, f.Severity, f.Count, f.Fixed))
	}
	return list
}

// mends is what the advice on each finding has to hold: a command, or Cypher, where
// there is one.
var mends = map[string]string{
	"schema": "acervo migrate", "indexes": "acervo doctor --fix", "doubles": "acervo doctor --fix, after this Cypher, which keeps one of each: MATCH (n:",
	"permissions": "GRANT WRITE ON GRAPH `neo4j` TO ", "clock": "NTP", "names": "egister", // acervo register, Options.MaxRegistered
	"facts": "acervo doctor --fix", "relations": "acervo doctor --fix", "references": "acervo doctor --fix", "gone": "acervo doctor --fix", "aliases": "acervo doctor --fix",
	"vectors": "acervo doctor --fix", "sessions": "acervo doctor --fix", "ended": "acervo upsert", "foreign": "acervo query 'MATCH ",
	"selves": "acervo remove-relation ", "twins": "acervo remove-relation ",
}

// mendingCypher is the Cypher at the end of the advice on a finding.
func mendingCypher(t testing.TB, r *acervo.DiagnoseResult, check string) string {
	t.Helper()
	for _, f := range r.Findings {
		if _, text, ok := strings.Cut(f.Mend, ": MATCH "); ok && f.Check == check {
			return "MATCH " + text
		}
	}
	t.Fatalf("no Cypher mends %s: %+v", check, r.Findings)
	return ""
}

// TestDoctor plants each fault on a server of its own, sees it found, and mended
// where it is said to be. A database that can't be written to is one of
// [TestServerComesAndGoes].
func TestDoctor(t *testing.T) {
	s := spareServer(t)
	driver := driverOf(t, s)
	c := open(t, s)
	diagnose := func(fix bool) *acervo.DiagnoseResult {
		t.Helper()
		r, err := c.Diagnose(t.Context(), acervo.DiagnoseParams{Fix: fix})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	expect := func(what string, r *acervo.DiagnoseResult, want ...string) {
		t.Helper()
		if got := found(r); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q\n%+v", what, got, want, r.Findings)
		}
		for _, f := range r.Findings {
			if mend := mends[f.Check]; f.Message == "" || mend == "" || !strings.Contains(f.Mend, mend) && !strings.HasPrefix(f.Mend, "DROP INDEX ") {
				t.Errorf("%s: %+v says too little, %q", what, f, mend)
			}
		}
	}

	// A database that nobody prepared.
	expect("an empty database", diagnose(false), "schema error 1 0")
	expect("an empty database, mended", diagnose(true), "schema error 1 1")

	// A healthy graph of two owners and the world, with history and a pack's kind of relations.
	world := c.World()
	upsert(t, world, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Roca", Type: "Lugar"}, {Name: "Argentina", Type: "Lugar", Aliases: []string{"AR"}}},
		Relations: []acervo.Relation{{From: "Roca", To: "Argentina", Type: "PART_OF"}}, Facts: []acervo.Fact{{Entity: "Roca", Text: "is a city"}},
	})
	for _, owner := range []string{"ana", "bea"} {
		m := c.Memory(owner)
		upsert(t, m, acervo.UpsertParams{
			Entities:  []acervo.Entity{{Name: "Kim", Type: "Persona", Aliases: []string{"Kimmy"}}, {Name: "Roca", Type: "Lugar", Aliases: []string{owner + " town"}}},
			Relations: []acervo.Relation{{From: "Kim", To: "Acme", Type: "TRABAJA_EN"}, {From: "Kim", To: "Roca", Type: "VIVE_EN"}, {From: "Argentina", To: "Kim", Type: "GUSTA_DE"}, {From: "Roca", To: "Argentina", Type: "GUSTA_DE"}},
			Facts:     []acervo.Fact{{Entity: "Kim", Text: "sings"}, {Entity: "Kim", Text: "dances"}, {Entity: "Roca", Text: "is nice"}},
		})
		if _, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Kim"), Text: "sings", Correction: "hums"}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: acervo.RelationRef{From: named("Kim"), Type: "TRABAJA_EN", To: named("Acme")}}); err != nil {
			t.Fatal(err)
		}
	}
	// Somebody's own data beside ours is nobody's fault.
	queryOn(t, driver, "MATCH (e:AcervoEntity {owner: 'ana', id: 'kim'}), (f:AcervoEntity {owner: 'bea', id: 'kim'}) CREATE (e)-[:TEAM {owner: 'x'}]->(f), (e)-[:TEAM]->(e), (:Ticket)-[:CONCERNS]->(e)", nil)
	healthy := diagnose(false)
	expect("a healthy graph", healthy)
	if !healthy.Healthy() || healthy.Version == "" || healthy.Edition != "community" || healthy.Labels == 0 || healthy.Relations == 0 || healthy.PropertyKeys == 0 || len(healthy.Checks) < 15 {
		t.Errorf("%+v", healthy)
	}
	sound := dumpOf(t, driver)

	// Each fault, what is found of it, and what is left after --fix.
	for i, f := range []struct {
		plant string
		want  string // found
		left  string // "": nothing
		undo  string // of what is left; "": the Cypher of the advice
	}{
		{"MATCH (:AcervoEntity {owner: 'ana'})-[r:HAS_FACT]->(:AcervoFact {text: 'hums'}) DELETE r", "facts error 1", "", ""},
		{"MATCH (e:AcervoEntity {owner: 'ana'})-[r:HAD_FACT]->(f) DELETE r CREATE (e)-[:HAS_FACT]->(f)", "facts error 1", "", ""},
		{"MATCH (f:AcervoFact {owner: 'ana', text: 'hums'}), (e:AcervoEntity {owner: 'ana', id: 'acme'}) CREATE (e)-[:HAS_FACT]->(f)", "facts error 1", "", ""},
		{"MATCH (f:AcervoFact {owner: 'ana', text: 'hums'})<-[:HAS_FACT]-(e) CREATE (e)-[:HAS_FACT]->(f)", "facts error 1", "", ""},
		{"MATCH (f:AcervoFact {owner: 'ana', text: 'is nice'})<-[r]-(), (e:AcervoEntity {owner: 'bea', id: 'kim'}) DELETE r CREATE (e)-[:HAS_FACT]->(f)", "facts error 1", "", ""},
		{"CREATE (:AcervoFact:Personal {owner: 'ana', about: 'p:nobody', key: 'planted', text: 'x', created_at: datetime()})", "facts error 1", "facts error 1", "MATCH (f:AcervoFact {key: 'planted'}) DELETE f"},
		{"CREATE (:AcervoAlias {owner: 'ana', id: 'x', entity: 'p:nobody', label: 'X'}), (:AcervoAlias {owner: 'ana', id: 'y', entity: 'w:nobody', label: 'Y'})", "aliases warning 2", "", ""},
		{"CREATE (:AcervoVector {owner: 'ana', id: 'nobody'}), (:AcervoVector {owner: 'world', id: 'nowhere'})", "vectors warning 2", "", ""},
		{"MATCH (s:AcervoSession {owner: 'ana'}) SET s.hot = ['p:nobody'] + s.hot, s.warm = s.warm + ['w:nobody']", "sessions warning 1", "", ""},
		{"CREATE (:AcervoReference {owner: 'ana', id: 'nowhere'})", "gone warning 1", "", ""},
		{"MATCH (:AcervoReference {owner: 'ana', id: 'roca'})-[r:REFERS {type: 'VIVE_EN'}]->() DELETE r", "relations error 1", "", ""},
		{"MATCH (:AcervoReference {owner: 'ana'})-[r:REFERS {type: 'GUSTA_DE'}]->() DELETE r", "relations error 2", "", ""},
		{"MATCH (:AcervoReference {owner: 'world'})-[r:REFERS]->() DELETE r", "relations error 1", "", ""},
		{"MATCH (a:AcervoReference {owner: 'ana', id: 'roca'}), (b:AcervoEntity {owner: 'ana', id: 'acme'}) CREATE (a)-[:REFERS {type: 'VIVE_EN', outgoing: false}]->(b)", "references warning 1", "", ""},
		{"CREATE (:AcervoEnded {owner: 'ana', key: 'planted', `from`: 'p:kim', `to`: 'p:nobody', type: 'X'})", "ended warning 1", "ended warning 1", "MATCH (n:AcervoEnded {key: 'planted'}) DELETE n"},
		{"MATCH (a:AcervoEntity {owner: 'ana', id: 'kim'}), (b:AcervoEntity {owner: 'bea', id: 'kim'}) CREATE (a)-[:LEAK {owner: 'ana', layer: 'PERSONAL'}]->(b)", "foreign error 1", "foreign error 1", ""},
		{"MATCH (a:AcervoEntity {owner: 'ana', id: 'kim'}) CREATE (a)-[:SELF {owner: 'ana', layer: 'PERSONAL'}]->(a)", "selves warning 1", "selves warning 1", "MATCH ()-[r:SELF]->() DELETE r"},
		{"MATCH (a:AcervoEntity {owner: 'ana', id: 'kim'}), (b:AcervoEntity {owner: 'ana', id: 'acme'}) UNWIND [1, 2, 3] AS x CREATE (a)-[:TWIN {owner: 'ana', layer: 'PERSONAL'}]->(b)", "twins error 2", "twins error 2", "MATCH ()-[r:TWIN]->() DELETE r"},
		{"DROP INDEX acervo_fact_about", "indexes error 1", "", ""},
		{"DROP CONSTRAINT acervo_session_key", "indexes error 1", "", ""},
	} {
		queryOn(t, driver, f.plant, nil)
		if i == 0 { // without --fix, nothing is mended
			if r := diagnose(false); r.Healthy() {
				t.Errorf("%s: it is called healthy", f.plant)
			} else {
				expect(f.plant, r, f.want+" 0")
			}
		}
		fixed := diagnose(true)
		if f.left == "" {
			expect(f.plant, fixed, f.want+f.want[strings.LastIndex(f.want, " "):])
			if !fixed.Healthy() {
				t.Errorf("%s: it isn't called mended", f.plant)
			}
		} else {
			expect(f.plant, fixed, f.left+" 0")
			if f.undo == "" {
				check, _, _ := strings.Cut(f.left, " ")
				f.undo = mendingCypher(t, fixed, check)
			}
			queryOn(t, driver, f.undo, nil)
		}
		if after := dumpOf(t, driver); !slices.Equal(sound, after) {
			t.Fatalf("%s: the graph isn't as before:\n%q\n%q", f.plant, missing(sound, after), missing(after, sound))
		}
	}

	expect("everything mended", diagnose(false))

	// A fact whose entity is gone hangs again when the entity is stated again.
	queryOn(t, driver, "MATCH (e:AcervoEntity {owner: 'bea', id: 'kim'}) DETACH DELETE e", nil)
	if r := diagnose(true); r.Healthy() {
		t.Errorf("facts of an entity that is gone: %+v", r)
	}
	upsert(t, c.Memory("bea"), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Kim", Type: "Persona"}}})
	diagnose(true)
	expect("stated again", diagnose(false))
	if n := one(t, c.Memory("bea"), "Kim"); len(n.Facts) != 2 {
		t.Errorf("%+v", n.Facts)
	}

	// Two nodes of one key, where the constraint was gone.
	queryOn(t, driver, "DROP CONSTRAINT acervo_entity_key", nil)
	queryOn(t, driver, "CREATE (:AcervoEntity:Personal {owner: 'ana', id: 'twice', planted: 1}), (:AcervoEntity:Personal {owner: 'ana', id: 'twice', planted: 2})", nil)
	queryOn(t, driver, "MATCH (e:AcervoEntity {planted: 2}) CREATE (e)-[:HAS_FACT]->(:AcervoFact:Personal {owner: 'ana', about: 'p:twice', key: 'planted', text: 'x', created_at: datetime()})", nil)
	r := diagnose(true)
	expect("doubles", r, "doubles error 1 0", "indexes error 1 0")
	queryOn(t, driver, mendingCypher(t, r, "doubles"), nil)
	if kept := queryOn(t, driver, "MATCH (e:AcervoEntity {id: 'twice'}) RETURN e.planted", nil); len(kept) != 1 || kept[0].Values[0] != int64(2) {
		t.Errorf("of the doubles, %v are kept", kept)
	}
	queryOn(t, driver, "MATCH (e:AcervoEntity {id: 'twice'}) OPTIONAL MATCH (e)-->(f) DETACH DELETE e, f", nil)
	diagnose(true)
	expect("doubles removed", diagnose(false))

	// An index without its constraint.
	queryOn(t, driver, "DROP CONSTRAINT acervo_alias_key", nil)
	queryOn(t, driver, "CREATE INDEX acervo_alias_key FOR (n:AcervoAlias) ON (n.owner, n.id, n.entity)", nil)
	queryOn(t, driver, "CALL db.awaitIndexes(60)", nil)
	expect("no constraint", diagnose(true), "indexes error 1 0")
	queryOn(t, driver, "DROP INDEX acervo_alias_key", nil)
	diagnose(true)

	// An index that can't be filled.
	queryOn(t, driver, "DROP INDEX acervo_fact_about", nil)
	queryOn(t, driver, "CREATE (:AcervoFact {owner: 'ana', about: $about, key: 'planted', text: 'x', created_at: datetime(), valid_to: datetime()})", map[string]any{"about": "p:" + strings.Repeat("x", 20_000)})
	queryOn(t, driver, "CREATE INDEX acervo_fact_about FOR (f:AcervoFact) ON (f.owner, f.about, f.created_at)", nil)
	for ended := time.Now().Add(time.Minute); len(queryOn(t, driver, "SHOW INDEXES YIELD name, state WHERE name = 'acervo_fact_about' AND state = 'FAILED' RETURN name", nil)) == 0; {
		if time.Now().After(ended) {
			t.Fatal("an index with a key that is too large doesn't fail")
		}
		time.Sleep(50 * time.Millisecond)
	}
	failed := diagnose(true)
	expect("an index that failed", failed, "indexes error 1 0", "facts error 1 0")
	if f := failed.Findings[0]; !strings.HasPrefix(f.Message, "acervo_fact_about is FAILED: ") || f.Mend != "DROP INDEX acervo_fact_about, then acervo doctor --fix" {
		t.Errorf("%+v", f)
	}
	queryOn(t, driver, "DROP INDEX acervo_fact_about", nil)
	queryOn(t, driver, "MATCH (f:AcervoFact {key: 'planted'}) DELETE f", nil)
	expect("after its advice", diagnose(true), "indexes error 1 1")

	// Nodes can't be found by their labels but by looking at all nodes.
	lookup := queryOn(t, driver, "SHOW INDEXES YIELD name, type, entityType WHERE type = 'LOOKUP' AND entityType = 'NODE' RETURN name", nil)[0].Values[0]
	queryOn(t, driver, fmt.Sprint("DROP INDEX ", lookup), nil)
	blind := diagnose(false)
	if !slices.Equal(found(blind), []string{"indexes error 1 0"}) || slices.Contains(blind.Checks, "facts") {
		t.Errorf("no lookup of labels: %+v", blind)
	}
	create, _, _ := strings.Cut(blind.Findings[0].Mend, ", wait")
	queryOn(t, driver, create, nil)
	queryOn(t, driver, "CALL db.awaitIndexes(60)", nil)
	expect("after its advice", diagnose(false))

	// Clocks, and names near their limit.
	for ahead, want := range map[time.Duration][]string{-time.Minute: {"clock warning 1 0"}, time.Hour: {"clock error 1 0"}, time.Second: nil} {
		other := acervo.New(driver, &acervo.Options{Clock: func() time.Time { return time.Now().Add(ahead) }})
		r, err := other.Diagnose(t.Context(), acervo.DiagnoseParams{})
		if err != nil {
			t.Fatal(err)
		}
		expect(fmt.Sprint("a clock ahead by ", ahead), r, want...)
		if got := time.Duration(r.ClockSkew) * time.Millisecond; (got + ahead).Abs() > 3*time.Second {
			t.Errorf("a clock ahead by %s: skew %s", ahead, got)
		}
	}
	upsert(t, c.Memory("ana"), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Z", Type: "Zeppelin"}}})
	few := acervo.New(driver, &acervo.Options{MaxRegistered: 1})
	r, err := few.Diagnose(t.Context(), acervo.DiagnoseParams{})
	if err != nil {
		t.Fatal(err)
	}
	expect("few names", r, "names warning 1 0")
	upsert(t, c.Memory("ana"), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Kim", Type: "Persona", Attributes: map[string]any{"altura": 180, "edad": 30}}}})
	two := acervo.New(driver, &acervo.Options{MaxRegistered: 2})
	if r, err = two.Diagnose(t.Context(), acervo.DiagnoseParams{}); err != nil {
		t.Fatal(err)
	}
	expect("names of attributes, of which two are known", r)
	upsert(t, c.Memory("ana"), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Kim", Type: "Persona", Attributes: map[string]any{"peso": 70}}}})
	if r, err = two.Diagnose(t.Context(), acervo.DiagnoseParams{}); err != nil {
		t.Fatal(err)
	}
	expect("names of attributes", r, "names warning 1 0")
	if !r.Healthy() || r.Findings[0].Message != "2 names of attributes, of 2" {
		t.Errorf("%+v", r)
	}

	// The command line.
	run := func(args ...string) (string, string, int) {
		cmd := processOn(t, s, args...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run() // the exit code tells
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	if out, errs, code := run("doctor"); code != 0 || !strings.Contains(out, "everything is as it should be") {
		t.Errorf("doctor: %d\n%s%s", code, out, errs)
	}
	queryOn(t, driver, "CREATE (:AcervoAlias {owner: 'ana', id: 'x', entity: 'p:nobody', label: 'X'})", nil)
	if out, errs, code := run("doctor"); code != 0 || !strings.Contains(out, "aliases: acervo doctor --fix") {
		t.Errorf("doctor: %d\n%s%s", code, out, errs)
	}
	queryOn(t, driver, "MATCH (:AcervoEntity {owner: 'ana'})-[r:HAS_FACT]->(:AcervoFact {text: 'hums'}) DELETE r", nil)
	if out, errs, code := run("doctor"); code != 1 || !strings.Contains(out, "facts: acervo doctor --fix") || !strings.Contains(errs, "errors are left") {
		t.Errorf("doctor: %d\n%s%s", code, out, errs)
	}
	out, errs, code := run("doctor", "--fix", "--json")
	var document acervo.DiagnoseResult
	if err := json.Unmarshal([]byte(out), &document); err != nil || code != 0 || !document.Healthy() || len(document.Findings) != 2 {
		t.Errorf("doctor --fix --json: %d, %v\n%s%s", code, err, out, errs)
	}

	// A migration of a newer release.
	queryOn(t, driver, "CREATE (:AcervoSchema {name: '9999_later', checksum: 'x'})", nil)
	if r := diagnose(true); !slices.Equal(found(r), []string{"schema error 1 0"}) {
		t.Errorf("a newer schema: %q", found(r))
	}
}

// missing gives the lines of one list that the other lacks.
func missing(from, in []string) []string {
	return slices.DeleteFunc(slices.Clone(from), func(line string) bool { return slices.Contains(in, line) })
}
