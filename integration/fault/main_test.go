package fault

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// server is the Neo4j of this package, whatever NEO4J_URI says, since it is killed
// and its whole graph is compared.
var server = provision.Shared{Options: provision.Options{Own: true}}

func TestMain(m *testing.M) {
	if owner := os.Getenv("ACERVO_FAULT_CHILD"); owner != "" {
		os.Exit(child(owner))
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func testServer(t *testing.T) *provision.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a Neo4j")
	}
	s, err := server.Server()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// setting is a number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s=%q is no number", name, text)
	}
	return n
}

// firstSeed is the seed of the first round, another one each time unless it is given.
func firstSeed(t *testing.T) int {
	t.Helper()
	return setting(t, "ACERVO_FAULT_SEED", int(time.Now().UnixNano()%1_000_000_000))
}

// hostOf is the host and port of a URI.
func hostOf(t *testing.T, uri string) string {
	t.Helper()
	u, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// open opens a client that the test's end closes.
func open(t *testing.T, s *provision.Server, uri string) *acervo.Client {
	t.Helper()
	c, err := acervo.Open(t.Context(), acervo.Config{URI: uri, Username: s.Username, Password: s.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// watcher looks at the server by connections that no fault meets.
type watcher struct {
	driver neo4j.DriverWithContext
	client *acervo.Client
}

const watcherAgent = "fault-watcher"

func watch(t *testing.T, s *provision.Server) *watcher {
	t.Helper()
	driver, err := neo4j.NewDriverWithContext("bolt://"+hostOf(t, s.URI), neo4j.BasicAuth(s.Username, s.Password, ""), func(c *config.Config) {
		c.UserAgent = watcherAgent
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close(context.Background()) })
	w := &watcher{driver: driver, client: acervo.New(driver, nil)}
	if _, err := w.client.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *watcher) query(t *testing.T, text string, params map[string]any) []*neo4j.Record {
	t.Helper()
	result, err := neo4j.ExecuteQuery(t.Context(), w.driver, text, params, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	if err != nil {
		t.Fatal(err)
	}
	return result.Records
}

// clear takes out what earlier tests stored.
func (w *watcher) clear(t *testing.T) {
	t.Helper()
	w.query(t, "MATCH (n) WHERE n.owner IS NOT NULL DETACH DELETE n", nil)
}

// quiet waits until nobody but the watcher is connected and nothing runs: from then
// on nothing changes that was sent before.
func (w *watcher) quiet(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		connected := w.query(t, "CALL dbms.listConnections() YIELD connector, userAgent WHERE connector = 'bolt' AND coalesce(userAgent, '') <> $agent RETURN count(*)", map[string]any{"agent": watcherAgent})
		running := w.query(t, "SHOW TRANSACTIONS YIELD currentQuery WHERE NOT currentQuery STARTS WITH 'SHOW TRANSACTIONS' RETURN count(*)", nil)
		if connected[0].Values[0] == int64(0) && running[0].Values[0] == int64(0) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v connections and %v transactions are still there", connected[0].Values[0], running[0].Values[0])
		}
	}
}

// healthy fails if the graph doesn't agree with itself.
func (w *watcher) healthy(t *testing.T) {
	t.Helper()
	r, err := w.client.Diagnose(t.Context(), acervo.DiagnoseParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Severity == acervo.Fault {
			t.Errorf("doctor: %s: %d: %s", f.Check, f.Count, f.Message)
		}
	}
}
