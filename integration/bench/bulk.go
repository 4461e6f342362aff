package main

import "context"

// bulk loads a graph for an owner who has nothing, and forgets it again.
func bulk(name, about string, t loadTuning) scenario {
	return scenario{
		name: name, about: about, target: target{ratio: 0.9, atLeast: true},
		setup: func(_ context.Context, b *bench) (*sides, error) {
			d := data{entities: b.entities}
			owner, lines := b.owner(name), d.lines()
			return &sides{
				baseline: func(ctx context.Context, _ int, _ *recorder) error { return t.load(ctx, b, owner, d) },
				ours:     func(ctx context.Context, _ int, _ *recorder) error { return oursLoad(ctx, b, owner, lines) },
				calls:    1, items: d.entities + d.facts() + d.relations(),
				after: func(ctx context.Context, _ int) error { return b.forget(ctx, owner) },
				same: func(ctx context.Context) error {
					few := data{entities: min(200, b.entities)} // one batch, so that the times are the same too
					return b.sameGraph(ctx, owner,
						func() error { return t.load(ctx, b, owner, few) },
						func() error { return oursLoad(ctx, b, owner, few.lines()) })
				},
			}, nil
		},
	}
}
