package main

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// One turn a second, that is two at the peak; every second day of the owner's
// counts, and each turn adds 10,000 bytes.
var (
	testWorkload = Workload{Active: 0.5, Turns: 2, Reads: 3, Entities: 1, Relations: 10, Facts: 2, Shared: 0.5, Peak: 2, Days: 10, WorldBytes: 1e6}
	testCosts    = Costs{EntityBytes: 3000, RelationBytes: 400, SharedRelationBytes: 600, FactBytes: 1000, TurnMS: 100, UpsertMS: 150, ReadMS: 50}
	testMachine  = Machine{SmallCores: 2, Cores: 8, SmallMemory: 20e9, Memory: 100e9, Busy: 0.5, Heap: 4e9, System: 1e9}
)

func TestPlan(t *testing.T) {
	t.Parallel()
	got := plan(86400, testWorkload, testCosts, testMachine)
	got.Why = ""
	want := Need{
		Owners: 86400, Step: OneServer, Databases: 1,
		Store:     86400*10*10_000 + 1e6,
		PageCache: (86400*10*10_000 + 1e6) * 1.2,
		Turns:     2,
		Writing:   2 * 0.25 / 0.5,
		Reading:   2 * 3 * 0.05 / 0.5,
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(a) })); diff != "" {
		t.Error(diff)
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		owners int
		change func(w *Workload, m *Machine)
		step   Step
		count  [2]int // databases, readers
	}{
		"fits":                     {86400, func(*Workload, *Machine) {}, OneServer, [2]int{1, 0}},
		"more memory":              {86400, func(w *Workload, _ *Machine) { w.Days = 20 }, Larger, [2]int{1, 0}},
		"more cores":               {86400, func(w *Workload, _ *Machine) { w.Reads = 7 }, Larger, [2]int{1, 0}},
		"reads beyond one server":  {86400, func(w *Workload, _ *Machine) { w.Reads = 50 }, Readers, [2]int{1, 2}},
		"writes beyond one server": {9 * 86400, func(w *Workload, _ *Machine) { w.Reads, w.Days = 0, 1 }, Databases, [2]int{2, 0}},
		"memory beyond one server": {9 * 86400, func(w *Workload, m *Machine) { w.Days, m.Cores = 20, 64 }, Databases, [2]int{2, 0}},
		"both, and reads":          {36 * 86400, func(w *Workload, _ *Machine) { w.Reads, w.Days = 30, 1 }, Databases, [2]int{5, 6}},
	} {
		w, m := testWorkload, testMachine
		c.change(&w, &m)
		n := plan(c.owners, w, testCosts, m)
		if n.Step != c.step || n.Databases != c.count[0] || n.Readers != c.count[1] || n.Why == "" {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

// TestPlanFits: whatever is asked, each server holds what it is given, and more
// owners never need less.
func TestPlanFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := testWorkload
		w.Active = rapid.Float64Range(0, 1).Draw(t, "active")
		w.Reads = rapid.Float64Range(0, 100).Draw(t, "reads")
		w.Days = rapid.Float64Range(0, 3650).Draw(t, "days")
		m := testMachine
		fewer := rapid.IntRange(1, 10_000_000).Draw(t, "owners")
		a, b := plan(fewer, w, testCosts, m), plan(fewer+rapid.IntRange(0, 10_000_000).Draw(t, "more"), w, testCosts, m)
		if b.Store < a.Store || b.Turns < a.Turns || b.Databases < a.Databases || order(b.Step) < order(a.Step) {
			t.Fatalf("%+v\nneeds more than\n%+v", a, b)
		}
		d := float64(a.Databases)
		if memory := a.PageCache/d + m.Heap + m.System; memory > m.Memory*(1+1e-9) {
			t.Fatalf("%+v: %v bytes on each server", a, memory)
		}
		if a.Writing/d > m.Cores*(1+1e-9) || (a.Writing+a.Reading)/d > m.Cores*float64(1+a.Readers)*(1+1e-9) {
			t.Fatalf("%+v: too few cores", a)
		}
	})
}

func order(s Step) int { return slices.Index([]Step{OneServer, Larger, Readers, Databases}, s) }

func TestPrint(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	print(&b, []Need{
		{Owners: 5, Store: 3 << 20, PageCache: 4 << 30, Turns: 0.04, Writing: 1, Reading: 2, Databases: 1, Step: OneServer, Why: "it is enough"},
		{Owners: 6, Store: 3 << 40, Databases: 7, Readers: 2, Step: Databases, Why: "no"},
	})
	want := `| owners | store | page cache | turns/s at the peak | cores for writes | cores for reads | step | why |
|---|---|---|---|---|---|---|---|
| 5 | 3 MiB | 4.0 GiB | 0.0 | 1.0 | 2.0 | one server | it is enough |
| 6 | 3.0 TiB | 0 MiB | 0.0 | 0.0 | 0.0 | a database for each group: 7; readers for each: 2 | no |
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestRun: the same flags give the same table, and impossible ones are refused.
func TestRun(t *testing.T) {
	t.Parallel()
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := run(t.Context(), []string{"-owners", "10, 1000000", "-turn-ms", "5"}, b); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() || strings.Count(first.String(), "\n") != 4 {
		t.Errorf("%s\n%s", &first, &second)
	}
	for _, args := range [][]string{
		{"-owners", "0"}, {"-owners", "1,x"}, {"-turns", "-1"}, {"-turns", "NaN"}, {"-days", "Inf"}, {"-active", "2"}, {"-busy", "0"}, {"-cores", "1"}, {"-heap", "20"}, {"-world-mib", "1e9"},
	} {
		if err := run(t.Context(), args, &first); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	for _, average := range []float64{0, 0.3, 0.5, 1, 2.4} {
		sum := 0
		for i := range 1000 {
			sum += whole(average, i)
		}
		if math.Abs(float64(sum)-1000*average) > 1 {
			t.Errorf("%v: %d in 1000 calls", average, sum)
		}
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"neostore.nodestore.db": "nodes", "neostore.nodestore.db.labels": "nodes", "neostore.relationshipgroupstore.db": "relationships",
		"neostore.propertystore.db": "properties", "neostore.propertystore.db.strings": "strings", "neostore.propertystore.db.arrays.id": "arrays",
		"neostore.propertystore.db.index.keys": "other", "schema/index/range-1.0/7/index-7": "indexes", "neostore.counts.db": "other",
	} {
		if got := kindOf(path); got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
}
