package fault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

// TestAnswerLost loses the answer to the commit, or to the statement, of one call of
// each kind. Where the statement is the whole transaction, that is the commit's.
func TestAnswerLost(t *testing.T) {
	s := testServer(t)
	w := watch(t, s)
	p := newProxy(t, hostOf(t, s.URI))
	c := open(t, s, p.uri())
	seed := firstSeed(t)
	for i, test := range []struct {
		kind, message string
	}{{"upsert", "pull"}, {"turn", "pull"}, {"merge", "commit"}, {"merge", "pull"}, {"remove", "commit"}, {"forget", "commit"}} {
		owner := fmt.Sprint("answer-", seed, "-", i)
		m, held := c.Memory(owner), newState()
		for _, one := range []call{{"upsert", 0, "s1", "Zarvok", "Quelmir"}, {"upsert", 1, "s1", "Brontax", "Zarvok"}} {
			if err := one.run(t.Context(), m, held); err != nil {
				t.Fatal(err)
			}
			held = one.apply(held)
		}
		one := call{test.kind, 2, "s1", "Zarvok", "Brontax"}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		end := p.begin(t, disturbance{kind: test.message})
		err := one.run(ctx, m, held)
		cancel()
		if !end() {
			t.Errorf("%s: no answer to a %s was lost", test.kind, test.message)
		}
		p.cut(t, 0)
		w.quiet(t)
		became := w.settle(t, owner, held, one)
		t.Logf("%s, answer to %s lost: %v, %s", test.kind, test.message, err, became)
		switch {
		case err == nil && became != whole:
			t.Errorf("%s was acknowledged and %s", test.kind, became)
		case err != nil && !errors.Is(err, acervo.ErrUnavailable):
			t.Errorf("%s: %v isn't ErrUnavailable", test.kind, err)
		}
	}
}

// late is how long after its deadline a call may come back, in make fault; elsewhere,
// where other tests may take the machine, it only mustn't hang.
const late, hung = 100 * time.Millisecond, 5 * time.Second

// TestDeadlines makes calls of a server that answers slowly or not at all: each comes
// back by its deadline, and 1,000 of them leave a client that goes on, with a pool
// that isn't used up.
func TestDeadlines(t *testing.T) {
	s := testServer(t)
	w := watch(t, s)
	p := newProxy(t, hostOf(t, s.URI))
	const pool = 4
	c, err := acervo.Open(t.Context(), acervo.Config{URI: p.uri(), Username: s.Username, Password: s.Password, MaxPoolSize: pool})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	owner := fmt.Sprint("deadline-", firstSeed(t))
	m, first := c.Memory(owner), call{"upsert", 0, "s1", "Zarvok", "Quelmir"}
	held := first.apply(newState())
	if err := first.run(t.Context(), m, newState()); err != nil {
		t.Fatal(err)
	}
	calls := []func(ctx context.Context) error{
		func(ctx context.Context) error {
			_, err := m.Materialize(ctx, acervo.MaterializeParams{Message: "Zarvok"})
			return err
		},
		func(ctx context.Context) error { return first.run(ctx, m, held) },
		func(ctx context.Context) error { _, err := m.Node(ctx, acervo.NodeParams{Name: "Zarvok"}); return err },
	}
	var over []time.Duration
	n, ended := setting(t, "ACERVO_FAULT_DEADLINES", 300), 0
	for i := range n {
		switch i {
		case 0:
			p.add(t, "latency", "downstream", map[string]int{"latency": 50})
		case n / 2:
			p.heal(t)
			p.add(t, "timeout", "downstream", nil)
		}
		within := time.Duration(5+i%20) * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), within)
		start := time.Now()
		err := calls[i%len(calls)](ctx)
		over = append(over, time.Since(start)-within)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			ended++
		} else if err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	p.heal(t)
	slices.Sort(over)
	t.Logf("%d of %d calls ended by their deadline; after it came back: half by %s, 99%% by %s, the last by %s", ended, n, over[n/2], over[n*99/100], over[n-1])
	most := hung // the times of a busy machine say nothing
	if os.Getenv("ACERVO_FAULT_DEADLINES") != "" {
		most = late
	}
	if over[n-1] > most {
		t.Errorf("a call came back %s after its deadline", over[n-1])
	}
	if ended < n/2 {
		t.Errorf("only %d calls met their deadline: nothing was slow", ended)
	}
	results := make(chan error, 2*pool)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for range cap(results) { // more than the pool holds at once
		go func() { results <- calls[0](ctx) }()
	}
	for range cap(results) {
		if err := <-results; err != nil {
			t.Errorf("after %d calls with deadlines: %v", n, err)
		}
	}
	p.cut(t, 0)
	w.quiet(t)
	if got := w.graph(t, owner); !slices.Equal(got, held.lines(owner)) {
		t.Errorf("the same upsert again and again left %q", got)
	}
}
