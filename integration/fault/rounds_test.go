package fault

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// call is one call of a round.
type call struct {
	kind    string
	number  int
	session string
	a, b    string
}

var names = []string{"Zarvok", "Quelmir", "Brontax", "Vilmaro", "Dexubi"}

// draw draws a call; the same numbers are drawn whatever the memory holds.
func draw(r *rand.Rand, number int) call {
	order := r.Perm(len(names))
	return call{
		kind:   []string{"upsert", "upsert", "upsert", "turn", "turn", "turn", "merge", "merge", "remove", "forget"}[r.IntN(10)],
		number: number, session: []string{"s1", "s2"}[r.IntN(2)], a: names[order[0]], b: names[order[1]],
	}
}

func (c call) String() string {
	return fmt.Sprintf("%s %d of %s and %s in %s", c.kind, c.number, c.a, c.b, c.session)
}

func (c call) fact() string { return fmt.Sprintf("fact number %d", c.number) }

// steps reports whether the call is several transactions, so that a part of it may
// be done.
func (c call) steps() bool { return c.kind == "remove" || c.kind == "forget" }

// possible makes a call that the memory would refuse an upsert.
func (c call) possible(s *state) call {
	switch {
	case c.kind == "merge" && (!s.has(c.a) || !s.has(c.b) || s.resolve(c.a) == s.resolve(c.b)),
		c.kind == "remove" && !s.has(c.a):
		c.kind = "upsert"
	}
	return c
}

// apply gives what the memory holds after the call.
func (c call) apply(s *state) *state {
	s = s.clone()
	switch c.kind {
	case "upsert":
		s.upsert(c)
	case "turn":
		s.turn(c)
	case "merge":
		s.merge(c)
	case "remove":
		s.remove(c)
	case "forget":
		s = newState()
	}
	return s
}

func (c call) run(ctx context.Context, m *acervo.Memory, s *state) error {
	m = m.WithSession(c.session)
	var err error
	switch c.kind {
	case "upsert":
		params := acervo.UpsertParams{Facts: []acervo.Fact{{Entity: c.a, Text: c.fact()}}}
		for _, name := range []string{c.a, c.b} {
			params.Entities = append(params.Entities, acervo.Entity{Name: name, Type: "Persona", Attributes: map[string]any{"edad": c.number}})
		}
		if s.resolve(c.a) != s.resolve(c.b) {
			params.Relations = []acervo.Relation{{From: c.a, To: c.b, Type: "GUSTA_DE"}}
		}
		_, err = m.UpsertEntities(ctx, params)
	case "turn":
		_, err = m.Turn(ctx, acervo.TurnParams{Message: c.a + ", " + c.b, TurnID: fmt.Sprint("turn-", c.number)})
	case "merge":
		_, err = m.Merge(ctx, acervo.MergeParams{Keep: acervo.EntityRef{ID: s.resolve(c.a)}, Absorb: acervo.EntityRef{ID: s.resolve(c.b)}})
	case "remove":
		_, err = m.RemoveEntity(ctx, acervo.RemoveEntityParams{Entity: acervo.EntityRef{ID: s.resolve(c.a)}, BatchSize: 1})
	case "forget":
		_, err = m.Forget(ctx, acervo.ForgetParams{BatchSize: 2})
	}
	return err
}

// rounds is what the rounds share.
type rounds struct {
	s       *provision.Server
	w       *watcher
	p       proxy
	stored  map[string][]string // what each owner's memory has to hold
	outcome map[string]int
}

// shortly is how long the rounds go on, at the most, unless their number is given.
const shortly = 30 * time.Second

// TestRounds does calls while the proxy between disturbs them. After each round the
// whole graph holds what the model says, of this owner and of all before: what was
// acknowledged, once, and of a call that failed all or nothing, or, of a removal, a
// part. The same call again then does the rest.
func TestRounds(t *testing.T) {
	s := testServer(t)
	count := setting(t, "ACERVO_FAULT_ROUNDS", 12)
	seed := firstSeed(t)
	t.Logf("%d rounds from seed %d", count, seed)
	w := watch(t, s)
	p := newProxy(t, hostOf(t, s.URI))
	w.clear(t)
	r := &rounds{s: s, w: w, p: p, stored: map[string][]string{}, outcome: map[string]int{}}
	lost.Store(0)
	start := time.Now()
	done := 0
	for i := range count {
		if os.Getenv("ACERVO_FAULT_ROUNDS") == "" && done > 0 && time.Since(start) > shortly {
			break
		}
		done++
		if !t.Run(fmt.Sprint("seed=", seed+i), func(t *testing.T) { r.round(t, seed+i) }) {
			t.Errorf("again: ACERVO_FAULT_SEED=%d ACERVO_FAULT_ROUNDS=1", seed+i)
			break // what follows would fail for what this round left
		}
	}
	t.Logf("%d rounds in %s, %d answers lost after they were asked for", done, time.Since(start).Round(time.Second), lost.Load())
	for _, what := range slices.Sorted(maps.Keys(r.outcome)) {
		t.Logf("%-28s %d", what, r.outcome[what])
	}
}

func (r *rounds) round(t *testing.T, seed int) {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	owner := fmt.Sprint("round-", seed)
	m, held := open(t, r.s, r.p.uri()).Memory(owner), newState()
	for i := range 7 {
		one := draw(random, i)
		d := disturb(random)
		again := random.IntN(2) == 0
		if i < 3 {
			one.kind, d.kind = "upsert", "none"
		}
		one = one.possible(held)
		held = r.call(t, m, owner, held, one, d, again)
		if t.Failed() {
			return
		}
	}
	r.p.cut(t, 0) // the client's idle connections
	r.w.quiet(t)
	r.stored[owner] = held.lines(owner)
	if diff := cmp.Diff(sorted(slices.Concat(slices.Collect(maps.Values(r.stored))...)), r.w.graph(t, "")); diff != "" {
		t.Errorf("the graph isn't what was acknowledged (-want +got):\n%s", diff)
	}
	r.w.healthy(t)
}

// became is what became of a call that wasn't acknowledged.
type became string

const (
	whole  became = "was done"
	absent became = "wasn't done"
	inPart became = "done in part"
)

// settle finds out what became of the last call that an owner made and that wasn't
// acknowledged. It fails if the memory holds anything but all or nothing of it, and
// what was acknowledged before.
func (w *watcher) settle(t *testing.T, owner string, held *state, one call) became {
	t.Helper()
	found, before, after := w.graph(t, owner), held.lines(owner), one.apply(held).lines(owner)
	switch {
	case slices.Equal(found, after):
		return whole
	case slices.Equal(found, before):
		return absent
	case one.steps() && between(found, before, after):
		return inPart
	}
	t.Errorf("%s wasn't acknowledged and left what is neither before it (-):\n%s\nnor after it (-):\n%s", one, cmp.Diff(before, found), cmp.Diff(after, found))
	return absent
}

// between reports whether a removal that isn't done left what it is to leave, and
// nothing that wasn't there before. Sessions change with it, and are left out.
func between(found, before, after []string) bool {
	for _, line := range after {
		if !strings.Contains(line, " session ") && !slices.Contains(found, line) {
			return false
		}
	}
	for _, line := range found {
		if !strings.Contains(line, " session ") && !slices.Contains(before, line) {
			return false
		}
	}
	return true
}

// patience is how long a disturbed call may take.
const patience = 20 * time.Second

// call does one call under a disturbance and gives what the memory holds then.
func (r *rounds) call(t *testing.T, m *acervo.Memory, owner string, held *state, one call, d disturbance, again bool) *state {
	t.Helper()
	within := patience
	if d.kind == "deadline" {
		within = time.Duration(d.amount) * time.Millisecond / 2
	}
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	end := r.p.begin(t, d)
	start := time.Now()
	err := one.run(ctx, m, held)
	took := time.Since(start)
	what := d.kind
	if end() {
		what += ", answer lost"
	}
	if os.Getenv("ACERVO_FAULT_VERBOSE") != "" {
		t.Logf("%s; %s: %s: %v", one, d, took.Round(time.Millisecond), err)
	}
	after := one.apply(held)
	if err == nil {
		r.outcome[what+": done"]++
		return after
	}
	if !errors.Is(err, acervo.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s under %s: %v", one, d, err)
	}
	// Nothing that was sent before is done later.
	r.p.cut(t, 0)
	r.w.quiet(t)
	became := r.w.settle(t, owner, held, one)
	r.outcome[what+": failed, "+string(became)]++
	if !again && became != inPart {
		if became == whole {
			return after
		}
		return held
	}
	// The same call again, as one who heard nothing would make it.
	ctx, cancel = context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	err = one.run(ctx, m, held)
	gone := one.kind == "remove" && errors.Is(err, acervo.ErrNotFound)
	merged := one.kind == "merge" && (errors.Is(err, acervo.ErrNotFound) || errors.Is(err, acervo.ErrInvalid))
	if err != nil && !(became == whole && (gone || merged)) {
		t.Errorf("%s again: %v", one, err)
	}
	r.outcome["again"]++
	return after
}
