package acervo

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
)

// settings gives the driver's own defaults with those of a Config applied.
func settings(t *testing.T, cfg Config) config.Config {
	t.Helper()
	var settings config.Config
	driver, err := neo4j.NewDriverWithContext("neo4j://localhost", neo4j.NoAuth(), func(c *config.Config) {
		cfg.apply(c)
		settings = *c
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close(t.Context()) })
	return settings
}

func TestConfigApplies(t *testing.T) {
	t.Parallel()
	type pool struct {
		Connect, Acquire, Lifetime, Liveness time.Duration
		Size                                 int
	}
	of := func(c config.Config) pool {
		return pool{c.SocketConnectTimeout, c.ConnectionAcquisitionTimeout, c.MaxConnectionLifetime, c.ConnectionLivenessCheckTimeout, c.MaxConnectionPoolSize}
	}
	// What the documentation of Config promises; a test of liveness after 292 years is none.
	if diff := cmp.Diff(pool{5 * time.Second, time.Minute, time.Hour, 1<<63 - 1, 100}, of(settings(t, Config{}))); diff != "" {
		t.Errorf("defaults:\n%s", diff)
	}
	given := Config{ConnectTimeout: 1, AcquireTimeout: 2, MaxConnectionLifetime: 3, LivenessCheckAfter: 4, MaxPoolSize: 5}
	if diff := cmp.Diff(pool{1, 2, 3, 4, 5}, of(settings(t, given))); diff != "" {
		t.Errorf("given:\n%s", diff)
	}
}

func TestConfigFaults(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), Config{
		URI: "neo4j://192.0.2.1", ConnectTimeout: -1, AcquireTimeout: -time.Second, MaxConnectionLifetime: -1, LivenessCheckAfter: -1, MaxPoolSize: -1,
	})
	var invalid *ValidationError
	if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) {
		t.Fatalf("error %v", err)
	}
	want := `open: max_pool_size "-1" is negative; connect_timeout "-1ns" is negative; acquire_timeout "-1s" is negative; max_connection_lifetime "-1ns" is negative; liveness_check_after "-1ns" is negative`
	if err.Error() != want {
		t.Errorf("error %v", err)
	}
}

// TestSessionConfig: reads may go to readers, and both kinds of calls chain their
// bookmarks through one manager, so that a read on another server waits for the
// client's own writes.
func TestSessionConfig(t *testing.T) {
	t.Parallel()
	c := New(nil, &Options{Database: "memory"})
	for _, mode := range []neo4j.AccessMode{neo4j.AccessModeRead, neo4j.AccessModeWrite} {
		if got := c.sessionConfig(mode); got.AccessMode != mode || got.DatabaseName != "memory" || got.BookmarkManager == nil || got.BookmarkManager != c.bookmarks {
			t.Errorf("mode %v: %+v", mode, got)
		}
	}
	c.alone = true
	if got := c.sessionConfig(neo4j.AccessModeWrite); got.BookmarkManager != nil {
		t.Errorf("one server by itself gets bookmarks: %+v", got)
	}
}

func TestForOwner(t *testing.T) {
	t.Parallel()
	other, err := neo4j.NewDriverWithContext("neo4j://localhost", neo4j.NoAuth())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(t.Context())
	places := map[string]Database{
		"own": {}, "named": {Name: "memory"}, "group": {Name: "group"}, "group too": {Name: "group"}, "server": {Driver: other},
	}
	c := New(nil, &Options{Database: "memory", MaxBatch: 7, DatabaseFor: func(owner string) Database {
		place, ok := places[owner]
		if !ok {
			t.Errorf("asked for %q", owner)
		}
		return place
	}})
	group, server := c.ForOwner("group"), c.ForOwner("server")
	for owner, want := range map[string]*Client{
		"own": c, "named": c, "group": group, "group too": group, "server": server,
		"": c, "world": c, // not allowed: each call of such a memory says so
	} {
		for _, from := range []*Client{c, group, server} {
			if got := from.ForOwner(owner); got != want {
				t.Errorf("%q is in database %q", owner, got.opts.Database)
			}
			if got := from.Memory(owner).client; got != want {
				t.Errorf("the memory of %q is in database %q", owner, got.opts.Database)
			}
		}
	}
	if group == c || server == c || group == server {
		t.Error("places aren't apart")
	}
	if server.driver != other || server.opts.Database != "memory" || group.opts.Database != "group" {
		t.Error("a place has the wrong driver or name")
	}
	if group.opts.MaxBatch != 7 || group.bookmarks == c.bookmarks || group.owned || server.World().client != server {
		t.Error("options are shared, bookmarks, worlds and drivers are not")
	}
}

func TestForOwnerAtOnce(t *testing.T) {
	t.Parallel()
	c := New(nil, &Options{DatabaseFor: func(owner string) Database { return Database{Name: owner[:1]} }})
	var mu sync.Mutex
	seen := map[*Client]bool{}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			place := c.ForOwner(string(rune('a'+i%4)) + "x")
			mu.Lock()
			defer mu.Unlock()
			seen[place] = true
		})
	}
	wg.Wait()
	if len(seen) != 4 {
		t.Errorf("%d clients of 4 databases", len(seen))
	}
}
