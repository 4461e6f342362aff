package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acervo-graph/acervo/integration/provision"
)

// TestScenarios runs every scenario once at a small size: each checks by itself
// that both its sides do the same work. How long that takes is not looked at.
func TestScenarios(t *testing.T) {
	ctx := context.Background() // also for what is removed at the end
	b := testBench(t, t.Output())
	b.rounds, b.calls, b.entities, b.large, b.hub = 1, 2, 120, 300, 200
	var names []string
	err := b.run(ctx, scenarios(), func(r *row) {
		names = append(names, r.Name)
		if r.Ratio <= 0 || r.Baseline.Calls == 0 || r.Ours.Calls == 0 {
			t.Errorf("%+v", r)
		}
	})
	if err != nil {
		t.Error(err)
	}
	for _, s := range scenarios() {
		if !slices.Contains(names, s.name) {
			t.Errorf("%s has no row", s.name)
		}
	}
	left := func() int64 {
		records, err := b.write(ctx, "MATCH (n) WHERE n.owner STARTS WITH $name OR n.owner = 'world' AND (n.id STARTS WITH $prefix OR n.about STARTS WITH 'w:' + $prefix) RETURN count(n)",
			map[string]any{"name": b.name, "prefix": b.worldPrefix()})
		if err != nil {
			t.Fatal(err)
		}
		return records[0].Values[0].(int64)
	}
	if left() == 0 {
		t.Error("nothing was made")
	}
	if err := b.clean(ctx); err != nil {
		t.Fatal(err)
	}
	if n := left(); n != 0 {
		t.Errorf("%d nodes are left", n)
	}
}

// testBench gives a bench on a real server, which the test's end ends.
func testBench(t testing.TB, log io.Writer) *bench {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a Neo4j")
	}
	ctx := context.Background()
	server, err := provision.Start(ctx, provision.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	driver, err := connect(server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close(ctx) })
	b, err := newBench(ctx, driver, "bench-"+strings.ToLower(rand.Text()[:8]), log)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// benchmarked calls what setup gives, with numbers that are different each time, and
// reports what a call costs the client, and each of its items if it stores some; the
// time is for the most part the server's.
func benchmarked(t *testing.B, items int, setup func(ctx context.Context, b *bench, owner string) (side, error)) {
	b := testBench(t, io.Discard)
	t.Cleanup(func() {
		if err := b.clean(context.Background()); err != nil {
			t.Error(err)
		}
	})
	f, err := setup(t.Context(), b, b.owner(t.Name(), "ours"))
	if err != nil {
		t.Fatal(err)
	}
	t.ReportAllocs()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for n := 0; t.Loop(); n++ {
		if err := f(t.Context(), n, nil); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if items > 0 {
		t.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(t.N*items), "allocs/item")
	}
}

func BenchmarkUpsert(t *testing.B) { benchmarkUpsert(t, triple.ours) }

// BenchmarkHandWrittenUpsert is the same by the driver alone.
func BenchmarkHandWrittenUpsert(t *testing.B) { benchmarkUpsert(t, triple.baseline) }

func benchmarkUpsert(t *testing.B, write func(_ triple, ctx context.Context, b *bench, owner, session string) error) {
	benchmarked(t, 9, func(_ context.Context, b *bench, owner string) (side, error) {
		return func(ctx context.Context, n int, _ *recorder) error {
			return write(tripleOf(n), ctx, b, owner, fmt.Sprint("s", n/20))
		}, nil
	})
}

func BenchmarkTurn(t *testing.B) { benchmarkTurn(t, (*conversation).ours) }

// BenchmarkHandWrittenTurn is the same by the driver alone.
func BenchmarkHandWrittenTurn(t *testing.B) { benchmarkTurn(t, (*conversation).baseline) }

func benchmarkTurn(t *testing.B, take func(c *conversation, session string) side) {
	benchmarked(t, 0, func(ctx context.Context, b *bench, owner string) (side, error) {
		c, err := b.talk(ctx, owner, data{entities: 500})
		if err != nil {
			return nil, err
		}
		return take(c, "s"), nil
	})
}

// TestSameGraphSees checks that a baseline which writes less, more or other
// things than the API does is found out.
func TestSameGraphSees(t *testing.T) {
	whole := []string{"a", "b", "c"}
	for name, baseline := range map[string][]string{"less": {"a", "b"}, "more": {"a", "b", "c", "d"}, "other": {"a", "b", "d"}, "twice": {"a", "b", "b"}} {
		if differ(baseline, whole) == nil {
			t.Errorf("%s isn't seen", name)
		}
	}
	if err := differ(whole, slices.Clone(whole)); err != nil {
		t.Error(err)
	}
	if differ(nil, nil) == nil {
		t.Error("two empty graphs count as the same work")
	}
}

func TestPercentile(t *testing.T) {
	var list []time.Duration
	for i := range 100 {
		list = append(list, time.Duration(100-i))
	}
	for p, want := range map[int]time.Duration{0: 1, 50: 51, 99: 100} {
		if got := percentile(list, p); got != want {
			t.Errorf("%d%% of 1 to 100: %d, not %d", p, got, want)
		}
	}
	if got := percentile(list[:1], 99); got != 100 {
		t.Errorf("of one value: %d", got)
	}
}

// TestRow checks which way round times and throughputs are compared.
func TestRow(t *testing.T) {
	side := func(times ...time.Duration) measured { return measured{rounds: times, operations: times} }
	slower := [2]measured{side(10*time.Millisecond, 10*time.Millisecond), side(20*time.Millisecond, 40*time.Millisecond)}
	r := newRow(scenario{target: target{ratio: 1.3}}, &sides{}, slower)
	if r.Min != 2 || r.Max != 4 || r.Met {
		t.Errorf("a call that takes longer: %+v", r)
	}
	r = newRow(scenario{target: target{ratio: 0.2, atLeast: true}}, &sides{items: 100}, slower)
	if r.Min != 0.25 || r.Max != 0.5 || !r.Met || r.Baseline.PerSec != 10_000 {
		t.Errorf("a load that takes longer: %+v", r)
	}
	grown := slower
	grown[0].controls, grown[1].controls = []time.Duration{time.Millisecond, time.Millisecond}, []time.Duration{2 * time.Millisecond, 4 * time.Millisecond}
	r = newRow(scenario{target: target{ratio: 1.2}, grows: true}, &sides{}, grown)
	if r.Min != 1 || r.Max != 1 || !r.Met {
		t.Errorf("calls that are as much slower as the machine: %+v", r)
	}
	r = newRow(scenario{target: target{ratio: 0.2, atLeast: true, p99: 3}}, &sides{items: 100}, slower)
	if r.Met {
		t.Errorf("the 99th percentile is four times as long: %+v", r)
	}
}

// TestGenerated checks that a graph is the same in each run, and that no two
// items of it are one.
func TestGenerated(t *testing.T) {
	t.Parallel()
	for _, each := range []int{1, 2} {
		d := data{entities: 5_000, each: each}
		entities, relations, facts, degrees := map[string]bool{}, map[[3]int]bool{}, map[string]bool{}, map[int]int{}
		for i := range d.entities {
			entities[d.entity(i).id] = true
		}
		for i := range d.relations() {
			from, to, typ := d.relation(i)
			if from == to || from < 0 || to < 0 || from >= d.entities || to >= d.entities {
				t.Fatalf("relation %d leads from %d to %d", i, from, to)
			}
			if f, o, k := d.relation(i); f != from || o != to || k != typ {
				t.Fatalf("relation %d isn't the same twice", i)
			}
			relations[[3]int{from, to, typ}] = true
			degrees[to]++
		}
		for i := range d.facts() {
			about, text := d.fact(i)
			facts[factKey("o", d.entity(about).id, text)] = true
		}
		if len(entities) != d.entities || len(relations) != d.relations() || len(facts) != d.facts() {
			t.Errorf("%d entities, %d relations and %d facts of %d, %d and %d are distinct", len(entities), len(relations), len(facts), d.entities, d.relations(), d.facts())
		}
		most := 0
		for _, n := range degrees {
			most = max(most, n)
		}
		if most < d.entities/200 || len(degrees) < d.entities/10 {
			t.Errorf("the degrees aren't those of hubs and many others: at the most %d, of %d targets", most, len(degrees))
		}
	}
}

// TestBudget checks that the hand-written turn counts tokens as the API does.
func TestBudget(t *testing.T) {
	nodes := []any{[]any{"p:a", "Año", "Persona", "PERSONAL", []any{"tipo"}, []any{[]any{"o", "el señor  viene", "user", 0.5}}, []any{}}}
	want := "Año (Persona, PERSONAL; incomplete, missing: tipo)\n- the user said (confidence 0.5): el señor viene"
	if got := composeText(nodes, 1000); got != want {
		t.Errorf("%q", got)
	}
	if got := composeText(nodes, 15); got != "Año (Persona, PERSONAL; incomplete, missing: tipo)" {
		t.Errorf("a budget of 15: %q", got)
	}
	if got := composeText(nodes, 2); got != "" {
		t.Errorf("a budget of 2: %q", got)
	}
}
