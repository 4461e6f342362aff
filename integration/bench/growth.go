package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

// small is how many entities a graph has before it grows.
const small = 10_000

// growing gives an owner with a small graph, which grow makes a large one.
func (b *bench) growing(ctx context.Context) (*conversation, error) {
	if b.grows != nil {
		return b.grows, nil
	}
	c, err := b.talk(ctx, b.owner("growth"), data{entities: min(small, b.large/2), each: 1})
	b.grows = c
	return c, err
}

// grow adds what lacks to the large graph, with one fact and one relation for
// each entity.
func (b *bench) grow(ctx context.Context) error {
	if b.grows == nil {
		return errors.New("there is nothing that could grow")
	}
	more := data{prefix: "Otra", entities: b.large - b.grows.d.entities, each: 1}
	return loadTuning{}.load(ctx, b, b.grows.owner, more)
}

// control is work of the server that has nothing to do with the graph, but takes
// about as long as a call.
func (b *bench) control(ctx context.Context) (time.Duration, error) {
	start := time.Now()
	_, err := b.write(ctx, "UNWIND range(1, 20000) AS i RETURN sum(i % 7)", nil)
	return time.Since(start), err
}

// grown does the same before and after the graph grows.
func grown(name, about string, work func(ctx context.Context, b *bench, c *conversation) (do, after side, err error)) scenario {
	return scenario{name: name, about: about, target: target{ratio: 1.2}, grows: true, setup: func(ctx context.Context, b *bench) (*sides, error) {
		c, err := b.growing(ctx)
		if err != nil {
			return nil, err
		}
		do, after, err := work(ctx, b, c)
		if err != nil {
			return nil, err
		}
		s := &sides{baseline: do, ours: do}
		if after != nil {
			s.after = func(ctx context.Context, n int) error { return after(ctx, n, nil) }
		}
		return s, nil
	}}
}

func growthScenarios() []scenario {
	return []scenario{
		grown("growth-turn", "one turn, before and after the graph grew", func(_ context.Context, _ *bench, c *conversation) (side, side, error) {
			return c.ours("turns"), nil, nil
		}),
		grown("growth-upsert", "3 new entities, relations and facts, before and after the graph grew", func(_ context.Context, b *bench, c *conversation) (side, side, error) {
			return func(ctx context.Context, n int, _ *recorder) error {
				return tripleOf(n).ours(ctx, b, c.owner, fmt.Sprint("s", n/20))
			}, nil, nil
		}),
		grown("growth-cycle", "CycleStatus with 50 active nodes, before and after the graph grew", func(ctx context.Context, b *bench, c *conversation) (side, side, error) {
			m := b.client.Memory(c.owner).WithSession("cycle")
			var names []string
			for i := range min(50, c.d.entities) {
				names = append(names, c.d.label(i))
			}
			mention := func(ctx context.Context, _ int, _ *recorder) error {
				_, err := m.Mention(ctx, acervo.MentionParams{Names: names})
				return err
			}
			cycle := func(ctx context.Context, _ int, _ *recorder) error {
				r, err := m.CycleStatus(ctx, acervo.CycleStatusParams{})
				if err == nil && len(r.Warm) != len(names) {
					err = fmt.Errorf("%d of %d nodes were hot", len(r.Warm), len(names))
				}
				return err
			}
			return cycle, mention, mention(ctx, 0, nil)
		}),
	}
}
