package integration

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/rs/zerolog"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// ownServer starts a server of the test's own.
func ownServer(t *testing.T, opts provision.Options) *provision.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a Neo4j")
	}
	opts.Own = true
	s, err := provision.Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// spareServer gives a server with an empty database that nobody prepared, for a test
// that isn't parallel, and so has it for itself. A start takes longer than most tests.
func spareServer(t *testing.T) *provision.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a Neo4j")
	}
	s, err := spare.Server()
	if err != nil {
		t.Fatal(err)
	}
	driver := driverOf(t, s)
	queryOn(t, driver, "MATCH (n) DETACH DELETE n", nil)
	for _, record := range queryOn(t, driver, "SHOW CONSTRAINTS YIELD name", nil) {
		queryOn(t, driver, fmt.Sprint("DROP CONSTRAINT ", record.Values[0]), nil)
	}
	for _, record := range queryOn(t, driver, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name", nil) {
		queryOn(t, driver, fmt.Sprint("DROP INDEX ", record.Values[0]), nil)
	}
	return s
}

func open(t *testing.T, s *provision.Server) *acervo.Client {
	t.Helper()
	c, err := acervo.Open(t.Context(), acervo.Config{URI: s.URI, Username: s.Username, Password: s.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// TestServerComesAndGoes follows one server from an empty store through many
// migrations at once, a crash and a restart, to a read-only database.
func TestServerComesAndGoes(t *testing.T) {
	t.Parallel() // its server is its own
	s := ownServer(t, provision.Options{})
	c := open(t, s)
	var schema *acervo.SchemaError
	if _, err := c.Memory("ana").UpsertEntities(t.Context(), persons("Ana")); !errors.Is(err, acervo.ErrSchemaOutdated) || !errors.As(err, &schema) || len(schema.Missing) == 0 {
		t.Fatalf("before the first migration: %v", err)
	}

	var wg sync.WaitGroup
	for range 10 {
		client := open(t, s)
		wg.Go(func() {
			if _, err := client.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	again, err := c.Migrate(t.Context())
	if err != nil || len(again.Applied) != 0 {
		t.Fatalf("once more: %+v, %v", again, err)
	}
	upsert(t, c.Memory("ana"), persons("Ana"))

	if err := s.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	start := time.Now()
	if _, err := c.Memory("ana").Node(ctx, acervo.NodeParams{Name: "Ana"}); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, acervo.ErrUnavailable) {
		t.Errorf("without a server: %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("a call with a deadline of 2s came back after %s", d)
	}
	if err := s.Restart(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	c = open(t, s)
	if n := one(t, c.Memory("ana"), "Ana"); n.Type != "Persona" {
		t.Errorf("after the crash: %+v", n)
	}

	if err := s.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(t.Context(), map[string]string{"server.databases.read_only": "neo4j"}); err != nil {
		t.Fatal(err)
	}
	c = open(t, s)
	if _, err := c.Memory("ana").UpsertEntities(t.Context(), persons("Beto")); !errors.Is(err, acervo.ErrForbidden) {
		t.Errorf("a read-only database: %v", err)
	}
	if _, err := c.Memory("ana").Materialize(t.Context(), acervo.MaterializeParams{Message: "Ana"}); err != nil {
		t.Errorf("reading a read-only database: %v", err)
	}
	r, err := c.Diagnose(t.Context(), acervo.DiagnoseParams{})
	if err != nil {
		t.Fatal(err)
	}
	if got := found(r); !slices.Equal(got, []string{"permissions error 1 0"}) {
		t.Errorf("doctor on a read-only database: %q", got)
	} else if mend := r.Findings[0].Mend; !strings.Contains(mend, mends["permissions"]) || !strings.Contains(mend, "server.databases.read_only") {
		t.Errorf("doctor on a read-only database: %s", mend)
	}
}

// TestOldServer meets a release below the oldest that is supported: one clear
// error at open, and at the first call of a client on a driver of the caller's.
func TestOldServer(t *testing.T) {
	t.Parallel() // its server is its own
	s := ownServer(t, provision.Options{Version: "5.20.0"})
	_, err := acervo.Open(t.Context(), acervo.Config{URI: s.URI, Username: s.Username, Password: s.Password})
	want := "open: the server is Neo4j 5.20.0; Acervo needs 5.26 or newer: unsupported server"
	if !errors.Is(err, acervo.ErrUnsupported) || err.Error() != want {
		t.Errorf("error %v", err)
	}
	driver, err := neo4j.NewDriverWithContext(s.URI, neo4j.BasicAuth(s.Username, s.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close(t.Context())
	c := acervo.New(driver, nil)
	if _, err := c.Memory("ana").UpsertEntities(t.Context(), persons("Ana")); !errors.Is(err, acervo.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
	if _, err := c.Migrate(t.Context()); !errors.Is(err, acervo.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}

func TestWrongPassword(t *testing.T) {
	s := testServer(t)
	if s.Username == "" {
		t.Fatal("the server of NEO4J_URI asks for no password; this test needs one that does")
	}
	for _, password := range []string{"", "wrong-password"} {
		_, err := acervo.Open(t.Context(), acervo.Config{URI: s.URI, Username: "somebody", Password: password})
		if !errors.Is(err, acervo.ErrForbidden) {
			t.Errorf("password %q: %v", password, err)
		}
		if password != "" && strings.Contains(err.Error(), password) {
			t.Errorf("the error tells the password: %v", err)
		}
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close() // nobody listens there now
	if _, err := acervo.Open(t.Context(), acervo.Config{URI: "bolt://" + address}); !errors.Is(err, acervo.ErrUnavailable) {
		t.Errorf("nobody listens: %v", err)
	}
	for _, uri := range []string{"http://localhost", "neo4j://", "localhost:7687", "neo4j://user:hunter2@localhost:7687/x"} {
		_, err := acervo.Open(t.Context(), acervo.Config{URI: uri, ConnectTimeout: time.Second})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

// TestBlackHole connects to a server that accepts and never answers.
func TestBlackHole(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := acervo.Open(ctx, acervo.Config{URI: "bolt://" + l.Addr().String()}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("it took %s", d)
	}
}

func TestCancelledCallsLeaveThePoolIntact(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	upsert(t, m, persons("Ana"))
	for range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Microsecond)
		if _, err := m.Turn(ctx, acervo.TurnParams{Message: "Ana"}); err == nil {
			t.Log("a call was faster than its deadline")
		}
		cancel()
	}
	if n := one(t, m, "Ana"); n.ID != "ana" {
		t.Errorf("%+v", n)
	}
}

// lockedBuffer is a log's end; the driver closes its connections, and logs that,
// after Close has returned.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestLog(t *testing.T) {
	owner := testOwner(t)
	testClient(t)
	s := testServer(t)
	for _, level := range []zerolog.Level{zerolog.DebugLevel, zerolog.TraceLevel} {
		var text lockedBuffer
		logger := zerolog.New(&text).Level(level)
		c, err := acervo.Open(t.Context(), acervo.Config{URI: s.URI, Username: s.Username, Password: s.Password, Options: &acervo.Options{Logger: &logger}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		upsert(t, c.Memory(owner), acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Ana", Text: "a secret"}}})
		if _, err := c.Memory(owner).CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Ana"), Text: "a secret", Correction: "a secret of hers"}); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		log := text.String()
		for _, want := range []string{`"statement":"entity/upsert_plain"`, `"statement":"fact/upsert"`, `"nodes_created"`, `"ms"`, `"attempt":1`, `"message":"driver: `} {
			if !strings.Contains(log, want) {
				t.Errorf("%s: the log lacks %s", level, want)
			}
		}
		if s.Password != "" && strings.Contains(log, s.Password) {
			t.Errorf("%s: the log tells the password", level)
		}
		if got, want := strings.Contains(log, "a secret"), level == zerolog.TraceLevel; got != want {
			t.Errorf("%s: the log holds parameters: %v", level, got)
		}
		if strings.Contains(log, `"level":"warn"`) || strings.Contains(log, `"level":"error"`) {
			t.Errorf("%s: preparing a prepared database warns:\n%s", level, log)
		}
	}
}

// TestForeignData has somebody else's nodes of the same names beside ours.
func TestForeignData(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	mark := "foreign-" + owner
	query(t, `CREATE (:Entity {owner: $m, id: 'ana'})-[:KNOWS {m: $m}]->(:Persona {m: $m, owner: $owner, id: 'ana'}), (:Session {m: $m, owner: $owner}), (:Fact {m: $m, owner: $owner})`, map[string]any{"m": mark, "owner": owner})
	t.Cleanup(func() {
		query(t, "MATCH (n) WHERE n.m = $m OR n.owner = $m DETACH DELETE n", map[string]any{"m": mark})
	})
	dump := func() string {
		rows := query(t, "MATCH (n) WHERE n.m = $m OR n.owner = $m OPTIONAL MATCH (n)-[r]-() RETURN labels(n), properties(n), type(r), properties(r) ORDER BY labels(n)[0]", map[string]any{"m": mark})
		var b strings.Builder
		for _, r := range rows {
			fmt.Fprintln(&b, r.Values...)
		}
		return b.String()
	}
	before := dump()
	m := client.Memory(owner)
	upsert(t, m, persons("Ana"))
	if _, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Ana"}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump()); diff != "" {
		t.Errorf("somebody else's data changed:\n%s", diff)
	}
}
