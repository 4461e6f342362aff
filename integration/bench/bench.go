package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
)

// bench is what the scenarios of a run share.
type bench struct {
	driver   neo4j.DriverWithContext
	client   *acervo.Client
	name     string // what the owners and the UNIVERSAL entities of this run begin with
	rounds   int
	entities int // of the bulk load and the graphs that others work on
	large    int // entities of the large graph of the growth
	hub      int // relationships of a hub
	calls    int // calls of a round, of small ones
	log      io.Writer

	mu     sync.Mutex
	frozen time.Time
	owners map[string]bool

	hubs  *hubs         // once they are made
	grows *conversation // once it is made
}

// newBench makes a client on a driver and prepares the database.
func newBench(ctx context.Context, driver neo4j.DriverWithContext, name string, log io.Writer) (*bench, error) {
	b := &bench{driver: driver, name: name, rounds: 7, entities: 10_000, large: 1_000_000, hub: 100_000, calls: 50, log: log, owners: map[string]bool{}}
	b.client = acervo.New(driver, &acervo.Options{Clock: b.now})
	_, err := b.client.Migrate(ctx)
	return b, err
}

// now is the time of writes, with an offset from UTC as the API sends it.
func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.frozen
	if t.IsZero() {
		t = time.Now()
	}
	return t.In(time.FixedZone("Offset", 0))
}

// freeze stops the clock; the zero time lets it run.
func (b *bench) freeze(t time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.frozen = t
}

// owner gives the name of an owner of this run, who is forgotten at its end.
func (b *bench) owner(parts ...any) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := b.name
	for _, p := range parts {
		name += fmt.Sprint("-", p)
	}
	b.owners[name] = true
	return name
}

func (b *bench) forget(ctx context.Context, owner string) error {
	_, err := b.client.Memory(owner).Forget(ctx, acervo.ForgetParams{BatchSize: 5_000})
	return err
}

// clean removes what the run made: its owners, then the UNIVERSAL entities whose
// ids begin with its name, with the crowd that stands around them.
func (b *bench) clean(ctx context.Context) error {
	for owner := range b.owners {
		if err := b.forget(ctx, owner); err != nil {
			return fmt.Errorf("forget %s: %w", owner, err)
		}
	}
	prefix := b.worldPrefix()
	for _, statement := range []string{
		// The relationships first, so that no transaction grows with a hub.
		`MATCH (e:AcervoEntity) WHERE e.owner = 'world' AND e.id STARTS WITH $prefix
		 MATCH (e)-[r]-() WITH DISTINCT r LIMIT 10000 DELETE r RETURN count(*)`,
		`MATCH (e:AcervoEntity) WHERE e.owner STARTS WITH $crowd AND e.id IS NOT NULL WITH e LIMIT 10000 DETACH DELETE e RETURN count(*)`,
		`MATCH (f:AcervoFact) WHERE f.owner STARTS WITH $crowd AND f.about IS NOT NULL AND f.created_at IS NOT NULL WITH f LIMIT 10000 DETACH DELETE f RETURN count(*)`,
		`MATCH (n:AcervoReference) WHERE n.owner STARTS WITH $crowd AND n.id IS NOT NULL WITH n LIMIT 10000 DETACH DELETE n RETURN count(*)`,
		`MATCH (n:AcervoReference) WHERE n.owner = 'world' AND n.id STARTS WITH $prefix WITH n LIMIT 10000 DETACH DELETE n RETURN count(*)`,
		`MATCH (f:AcervoFact) WHERE f.owner = 'world' AND f.about STARTS WITH 'w:' + $prefix AND f.created_at IS NOT NULL WITH f LIMIT 10000 DETACH DELETE f RETURN count(*)`,
		`MATCH (e:AcervoEntity) WHERE e.owner = 'world' AND e.id STARTS WITH $prefix WITH e LIMIT 10000 DETACH DELETE e RETURN count(*)`,
	} {
		for {
			records, err := b.write(ctx, statement, map[string]any{"prefix": prefix, "crowd": b.crowd("")})
			if err != nil {
				return err
			}
			if records[0].Values[0].(int64) == 0 {
				break
			}
		}
	}
	return nil
}

// crowd is the name of an owner of those that hand-written statements make.
func (b *bench) crowd(n any) string { return fmt.Sprint(b.name, "-crowd-", n) }

// scenario compares two ways to do the same work, or the same work in two places.
type scenario struct {
	name   string
	about  string
	target target
	// grows: the baseline is measured before the graph of [bench.growing] grows,
	// and ours after it, both as multiples of a control that doesn't depend on the
	// graph. Else, the two take turns, call by call.
	grows bool
	setup func(ctx context.Context, b *bench) (*sides, error)
}

// target bounds the ratio of the times of ours to those of the baseline, of a
// bulk load or of many at once that of their throughputs.
type target struct {
	ratio   float64
	atLeast bool    // of a throughput
	p99     float64 // also bounds the ratio of the 99th percentiles, unless 0
}

// sides are what a scenario measures.
type sides struct {
	baseline, ours side
	calls          int // of a round; default that of the run
	items          int // that a call writes; 0 unless the throughput counts
	// same checks that both do the same work.
	same func(ctx context.Context) error
	// after is called, not timed, after each call of a side.
	after func(ctx context.Context, n int) error
}

// side does its work once, for the n-th time.
type side func(ctx context.Context, n int, r *recorder) error

// recorder notes how long each of several operations of one call took. If
// nothing is noted, the call is one operation.
type recorder struct {
	mu    sync.Mutex
	times []time.Duration
}

func (r *recorder) note(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times = append(r.times, d)
}

// timed calls a side.
func timed(ctx context.Context, s side, n int) (took time.Duration, operations []time.Duration, err error) {
	var r recorder
	start := time.Now()
	err = s(ctx, n, &r)
	took = time.Since(start)
	if len(r.times) == 0 {
		r.times = []time.Duration{took}
	}
	return took, r.times, err
}

// measured is one side's times.
type measured struct {
	rounds     []time.Duration // the median call of each round
	controls   []time.Duration // the median control of each round, where there are any
	operations []time.Duration
}

// run measures scenarios in their order, and reports each that is done.
func (b *bench) run(ctx context.Context, list []scenario, done func(*row)) error {
	var growing []*measuring
	for _, s := range list {
		m, err := b.prepare(ctx, s)
		if err != nil {
			return err
		}
		if s.grows {
			growing = append(growing, m)
			if err := m.phase(ctx, 0); err != nil {
				return err
			}
			continue
		}
		if err := m.phase(ctx, 0, 1); err != nil {
			return err
		}
		done(m.row())
	}
	if len(growing) == 0 {
		return nil
	}
	fmt.Fprintf(b.log, "growing to %d entities\n", b.large)
	if err := b.grow(ctx); err != nil {
		return err
	}
	for _, m := range growing {
		if err := m.phase(ctx, 1); err != nil {
			return err
		}
		done(m.row())
	}
	return nil
}

// measuring is a scenario that is being measured.
type measuring struct {
	b *bench
	scenario
	*sides
	n     int // the call
	times [2]measured
}

// prepare sets a scenario up and checks that both sides do the same.
func (b *bench) prepare(ctx context.Context, s scenario) (*measuring, error) {
	fmt.Fprintf(b.log, "%s: %s\n", s.name, s.about)
	start := time.Now()
	sides, err := s.setup(ctx, b)
	if err != nil {
		return nil, fmt.Errorf("%s: set-up: %w", s.name, err)
	}
	if sides.same != nil {
		if err := sides.same(ctx); err != nil {
			return nil, fmt.Errorf("%s: not the same work: %w", s.name, err)
		}
	}
	sides.calls = cmp.Or(sides.calls, b.calls)
	fmt.Fprintf(b.log, "  set up in %s\n", time.Since(start).Round(time.Millisecond))
	return &measuring{b: b, scenario: s, sides: sides}, nil
}

// phase measures one or both sides: a round that doesn't count, then the others.
func (m *measuring) phase(ctx context.Context, which ...int) error {
	for r := range m.b.rounds + 1 {
		if err := m.round(ctx, r > 0, which); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

func (m *measuring) round(ctx context.Context, counts bool, which []int) error {
	var took, controls [2][]time.Duration
	for range m.calls {
		m.n++
		for _, i := range which {
			d, operations, err := timed(ctx, []side{m.baseline, m.ours}[i], m.n)
			if err != nil {
				return fmt.Errorf("%s: %w", []string{"baseline", "ours"}[i], err)
			}
			took[i] = append(took[i], d)
			if counts {
				m.times[i].operations = append(m.times[i].operations, operations...)
			}
			if m.after != nil {
				if err := m.after(ctx, m.n); err != nil {
					return err
				}
			}
			if m.grows {
				d, err := m.b.control(ctx)
				if err != nil {
					return err
				}
				controls[i] = append(controls[i], d)
			}
		}
		slices.Reverse(which) // neither side always comes second
	}
	for _, i := range which {
		if counts {
			m.times[i].rounds = append(m.times[i].rounds, median(took[i]))
			if m.grows {
				m.times[i].controls = append(m.times[i].controls, median(controls[i]))
			}
		}
	}
	return nil
}

func (m *measuring) row() *row {
	r := newRow(m.scenario, m.sides, m.times)
	fmt.Fprintf(m.b.log, "%s: ratio %.2f (%.2f to %.2f)\n", m.name, r.Ratio, r.Min, r.Max)
	return r
}

// worldPrefix begins the ids of the UNIVERSAL entities of this run.
func (b *bench) worldPrefix() string { return strings.ReplaceAll(b.name, "-", "_") + "_" }
