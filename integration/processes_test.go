package integration

import (
	"fmt"
	"os/exec"
	"sync"
	"testing"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// processOn is the program with the settings of a server, as a process that ends with
// the test.
func processOn(t testing.TB, s *provision.Server, args ...string) *exec.Cmd {
	t.Helper()
	bin, err := acervoBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Env = append(cmd.Environ(), "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password)
	return cmd
}

// TestProcessesMigrateAtOnce has ten goroutines, each with a client of its own, and
// three processes prepare an empty database.
func TestProcessesMigrateAtOnce(t *testing.T) {
	s := spareServer(t)
	var wg sync.WaitGroup
	for range 10 {
		c := acervo.New(driverOf(t, s), nil)
		wg.Go(func() {
			if _, err := c.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 {
		cmd := processOn(t, s, "migrate")
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	client := acervo.New(driverOf(t, s), nil)
	again, err := client.Migrate(t.Context())
	if err != nil || len(again.Applied) != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	for _, record := range queryOn(t, driverOf(t, s), "MATCH (m:AcervoSchema) WITH m.name AS name, count(m) AS times WHERE times <> 1 RETURN name, times", nil) {
		t.Errorf("applied %v", record.AsMap())
	}
	found, err := client.Diagnose(t.Context(), acervo.DiagnoseParams{})
	if err != nil || len(found.Findings) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestProcessesUpsertAtOnce has eight processes state the same twenty entities and
// relations, in another order each, with fifty facts of their own.
func TestProcessesUpsertAtOnce(t *testing.T) {
	s := testServer(t)
	testClient(t) // migrates
	owner := testOwner(t)
	var wg sync.WaitGroup
	for p := range 8 {
		var batch acervo.UpsertParams
		for j := range 20 {
			k := (j*7 + p*3) % 20
			batch.Entities = append(batch.Entities, acervo.Entity{Name: fmt.Sprint("Común ", k), Type: "Documento"})
			batch.Relations = append(batch.Relations, acervo.Relation{From: fmt.Sprint("Común ", k), To: fmt.Sprint("Común ", (k+1)%20), Type: "SIGUE_A"})
		}
		for f := range 50 {
			batch.Facts = append(batch.Facts, acervo.Fact{Entity: fmt.Sprint("Común ", f%20), Text: fmt.Sprintf("dato %d del proceso %d", f, p)})
		}
		cmd := processOn(t, s, "upsert", "--owner", owner, "--session", fmt.Sprint("s", p), "-")
		cmd.Stdin = documents(t, batch, 1000)
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	for text, want := range map[string]int64{
		"MATCH (n:AcervoEntity {owner: $owner}) RETURN count(n)":                 20,
		"MATCH (:AcervoEntity {owner: $owner})-[r:SIGUE_A]->() RETURN count(r)":  20,
		"MATCH (n:AcervoFact {owner: $owner}) RETURN count(n)":                   400,
		"MATCH (:AcervoEntity {owner: $owner})-[r:HAS_FACT]->() RETURN count(r)": 400,
		"MATCH (n:AcervoSession {owner: $owner}) RETURN count(n)":                8,
	} {
		if n := count(t, text, map[string]any{"owner": owner}); n != want {
			t.Errorf("%s: %d, want %d", text, n, want)
		}
	}
}
