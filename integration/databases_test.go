package integration

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// TestDatabaseForEachGroup keeps owners on two servers: each owner's memory is on
// one of them, and nothing of it on the other.
func TestDatabaseForEachGroup(t *testing.T) {
	far := ownServer(t, provision.Options{})
	here, there := testDriver(t), driverOf(t, far)
	mark := strings.ToLower(rand.Text()[:8])
	client := acervo.New(here, &acervo.Options{DatabaseFor: func(owner string) acervo.Database {
		if strings.HasPrefix(owner, "far-") {
			return acervo.Database{Driver: there}
		}
		return acervo.Database{}
	}})
	near := []string{testOwner(t), testOwner(t)}
	away := []string{"far-a-" + mark, "far-b-" + mark}
	migrated(t, client)

	// Each database has a schema of its own, and an ontology.
	if _, err := client.Memory(away[0]).UpsertEntities(t.Context(), persons("Ana")); !errors.Is(err, acervo.ErrSchemaOutdated) {
		t.Fatalf("before the other database was migrated: %v", err)
	}
	farther := client.ForOwner(away[0])
	if client.ForOwner(away[1]) != farther || client.ForOwner(near[0]) != client {
		t.Fatal("owners of one database have different clients")
	}
	migrated(t, farther)
	kind := "Faro" + mark
	if _, err := farther.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: kind}); err != nil {
		t.Fatal(err)
	}
	for c, want := range map[*acervo.Client]bool{client: false, farther: true} {
		types, err := c.Types(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := false
		for _, typ := range types {
			got = got || typ.Name == kind
		}
		if got != want {
			t.Errorf("a type registered in one database is in another: %v, want %v", got, want)
		}
	}

	// Many owners of both at once, by a client of each kind.
	owners := slices.Concat(near, away)
	var wg sync.WaitGroup
	for i := range 24 {
		from := client
		if i%2 == 1 {
			from = farther
		}
		m := from.Memory(owners[i%len(owners)]).WithSession(fmt.Sprint(i))
		wg.Go(func() {
			_, err := m.UpsertEntities(t.Context(), acervo.UpsertParams{
				Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}},
				Facts:    []acervo.Fact{{Entity: "Ana", Text: "is known to " + m.Owner()}},
			})
			if err != nil {
				t.Error(err)
				return
			}
			if turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "Ana?"}); err != nil || !strings.Contains(turn.Context, m.Owner()) {
				t.Errorf("%s: %+v, %v", m.Owner(), turn, err)
			}
		})
	}
	wg.Wait()
	landed := func() {
		t.Helper()
		kept, elsewhere := strings.Join(dump(t), "\n"), strings.Join(dumpOf(t, there), "\n")
		for _, owner := range near {
			if !strings.Contains(kept, owner) || strings.Contains(elsewhere, owner) {
				t.Errorf("%s isn't in the first database alone", owner)
			}
		}
		for _, owner := range away {
			if strings.Contains(kept, owner) || !strings.Contains(elsewhere, owner) {
				t.Errorf("%s isn't in the second database alone", owner)
			}
		}
	}
	landed()

	// One load for all of them, with a type that is new to both databases.
	var lines strings.Builder
	for _, owner := range owners {
		fmt.Fprintf(&lines, `{"owner":%q,"entities":[["Bea","Boya%s"],["Ana","Persona"]],"relations":[["Ana","Bea","VIVE_EN"]],"facts":[["Bea","loaded for %s"]]}`+"\n", owner, mark, owner)
	}
	loaded, err := client.Load(t.Context(), strings.NewReader(lines.String()), acervo.LoadParams{})
	if err != nil || loaded.Rejected != 0 || loaded.Entities.Created != len(owners) || loaded.Relations.Created != len(owners) {
		t.Errorf("load: %+v, %v", loaded, err)
	}
	for _, owner := range owners {
		if n := one(t, client.Memory(owner), "Bea"); n.Type != "Boya"+mark || len(n.Facts) != 1 {
			t.Errorf("%s loaded %+v", owner, n)
		}
	}
	landed()

	// UNIVERSAL knowledge is in the databases that a pack was installed in.
	pack, lake := "far"+mark, "lago_"+mark
	t.Cleanup(func() {
		if _, err := client.RemovePack(context.WithoutCancel(t.Context()), pack, acervo.PackParams{}); err != nil {
			t.Error(err)
		}
		query(t, "MATCH (n) WHERE n.id CONTAINS $mark OR n.about CONTAINS $mark DETACH DELETE n", map[string]any{"mark": mark})
	})
	for i, c := range []*acervo.Client{client, farther} {
		sees := func(owner string) bool {
			result, err := client.Memory(owner).Node(t.Context(), acervo.NodeParams{Name: lake})
			if err != nil && !errors.Is(err, acervo.ErrNotFound) {
				t.Fatal(err)
			}
			return err == nil && len(result.Nodes) == 1
		}
		if _, err := c.InstallPack(t.Context(), buildPack(t, pack, "1", entityItem(lake, ""), factItem(lake, "is deep")), acervo.PackParams{}); err != nil {
			t.Fatal(err)
		}
		if a, b := sees(near[0]), sees(away[0]); !a || b != (i == 1) {
			t.Errorf("after %d installations: the first database has it: %v, the second: %v", i+1, a, b)
		}
	}
	for _, owner := range owners {
		result := upsert(t, client.Memory(owner), acervo.UpsertParams{Relations: []acervo.Relation{{From: "Ana", To: lake, Type: "VIVE_EN"}}})
		for _, e := range result.Implied {
			if e.Created {
				t.Errorf("%s: made again: %+v", owner, e)
			}
		}
	}
	landed()
	for c, want := range map[*acervo.Client][]string{client: near, farther: away} {
		var b strings.Builder
		if _, err := c.World().Export(t.Context(), &b, acervo.ExportParams{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), lake) {
			t.Errorf("the world of %v lacks what the pack brought", want)
		}
	}

	// One server that is down takes its own owners along, and no others.
	if err := far.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := client.Memory(away[0]).Turn(ctx, acervo.TurnParams{Message: "Ana?"}); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, acervo.ErrUnavailable) {
		t.Errorf("on the server that is down: %v", err)
	}
	for _, owner := range near {
		if turn, err := client.Memory(owner).Turn(t.Context(), acervo.TurnParams{Message: "Ana?"}); err != nil || !strings.Contains(turn.Context, owner) {
			t.Errorf("on the server that is up: %+v, %v", turn, err)
		}
	}

	// The drivers stay their owner's.
	if err := client.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := here.VerifyConnectivity(t.Context()); err != nil {
		t.Errorf("after Close: %v", err)
	}
}
