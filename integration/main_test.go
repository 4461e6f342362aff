package integration

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// server is the Neo4j of this package's tests.
var server provision.Shared

// spare is a second server, whatever NEO4J_URI says, see spareServer.
var spare = provision.Shared{Options: provision.Options{Own: true}}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range []*provision.Shared{&server, &spare} {
		if err := s.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	if binaries != "" {
		_ = os.RemoveAll(binaries)
	}
	os.Exit(code)
}

// testServer gives the server, and leaves the test out under -short.
func testServer(t testing.TB) *provision.Server {
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

// testDriver gives a driver that the test's end closes.
func testDriver(t testing.TB) neo4j.DriverWithContext {
	t.Helper()
	return driverOf(t, testServer(t))
}

// driverOf gives a driver of a server that the test's end closes.
func driverOf(t testing.TB, s *provision.Server) neo4j.DriverWithContext {
	t.Helper()
	auth := neo4j.NoAuth()
	if s.Username != "" {
		auth = neo4j.BasicAuth(s.Username, s.Password, "")
	}
	driver, err := neo4j.NewDriverWithContext(s.URI, auth, func(c *config.Config) { c.NotificationsMinSeverity = notifications.WarningLevel })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close(context.Background()) })
	return driver
}

// testClient gives a client on a prepared database.
func testClient(t testing.TB) *acervo.Client {
	t.Helper()
	return migrated(t, acervo.New(testDriver(t), nil))
}

var migrations sync.Mutex

func migrated(t testing.TB, c *acervo.Client) *acervo.Client {
	t.Helper()
	migrations.Lock()
	defer migrations.Unlock()
	if _, err := c.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// testOwner gives an owner of the test's own and removes what is theirs at its end.
func testOwner(t testing.TB) string {
	t.Helper()
	owner := "test-" + rand.Text()
	driver := testDriver(t)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		checkDigests(t, owner)
		if _, err := neo4j.ExecuteQuery(ctx, driver, `
			UNWIND ['AcervoEntity', 'AcervoFact', 'AcervoAlias', 'AcervoReference', 'AcervoSession', 'AcervoEnded', 'AcervoVector'] AS label
			CALL (label) { MATCH (n:$(label)) WHERE n.owner = $owner DETACH DELETE n }`,
			map[string]any{"owner": owner}, neo4j.EagerResultTransformer); err != nil {
			t.Error(err)
		}
	})
	return owner
}

// ownerDigest is the digest of an owner, as docs/data-model.md says it is made.
func ownerDigest(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return strconv.FormatUint(binary.BigEndian.Uint64(sum[:]), 10)
}

// checkDigests fails if something that a search has to find for an owner, or in the
// UNIVERSAL layer, hasn't the digest of its owner, or a fact has one that isn't current.
func checkDigests(t testing.TB, owner string) {
	t.Helper()
	for _, record := range query(t, `
		UNWIND keys($digests) AS space
		CALL (space) {
			MATCH (n:AcervoEntity) WHERE n.owner = space AND n.id IS NOT NULL RETURN n
			UNION ALL
			MATCH (n:AcervoAlias) WHERE n.owner = space AND n.id IS NOT NULL AND n.entity IS NOT NULL RETURN n
			UNION ALL
			MATCH (n:AcervoFact) WHERE n.owner = space AND n.about IS NOT NULL AND n.created_at IS NOT NULL RETURN n
		}
		WITH space, n WHERE coalesce(n.owner_digest, 'none') <> CASE WHEN n.valid_to IS NULL THEN $digests[space] ELSE 'none' END
		WITH space, collect(elementId(n)) AS seen
		// What another test removes meanwhile was read without its properties, and is gone now.
		MATCH (n) WHERE elementId(n) IN seen AND coalesce(n.owner_digest, 'none') <> CASE WHEN n.valid_to IS NULL THEN $digests[space] ELSE 'none' END
		RETURN space, n.id AS id, n.owner_digest AS digest, n.valid_to AS valid_to LIMIT 5`, map[string]any{"digests": map[string]any{owner: ownerDigest(owner), "world": ownerDigest("world")}}) {
		t.Errorf("digests: %v", record.AsMap())
	}
}

// begin begins a transaction, which is rolled back at the end of the test if it is
// still open.
func begin(t testing.TB) neo4j.ExplicitTransaction {
	t.Helper()
	session := testDriver(t).NewSession(t.Context(), sessionConfig)
	t.Cleanup(func() { session.Close(context.Background()) })
	tx, err := session.BeginTransaction(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// query runs plain Cypher, as a user of the database would.
func query(t testing.TB, text string, params map[string]any) []*neo4j.Record {
	t.Helper()
	return queryOn(t, testDriver(t), text, params)
}

// queryOn is query on another server.
func queryOn(t testing.TB, driver neo4j.DriverWithContext, text string, params map[string]any) []*neo4j.Record {
	t.Helper()
	result, err := neo4j.ExecuteQuery(context.WithoutCancel(t.Context()), driver, text, params, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	if err != nil {
		t.Fatal(err)
	}
	return result.Records
}

// count runs plain Cypher that returns one number.
func count(t testing.TB, text string, params map[string]any) int64 {
	t.Helper()
	n, ok := query(t, text, params)[0].Values[0].(int64)
	if !ok {
		t.Fatalf("%s returns no number", text)
	}
	return n
}

// upsert stores a batch or fails the test.
func upsert(t testing.TB, m *acervo.Memory, params acervo.UpsertParams) *acervo.UpsertResult {
	t.Helper()
	result, err := m.UpsertEntities(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// one reads the one entity of a name.
func one(t testing.TB, m *acervo.Memory, name string) acervo.Node {
	t.Helper()
	result, err := m.Node(t.Context(), acervo.NodeParams{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Nodes) != 1 {
		t.Fatalf("%q finds %d nodes", name, len(result.Nodes))
	}
	return result.Nodes[0]
}
