package main

import "context"

// bulk loads a graph for an owner who has nothing, and forgets it again.
func bulk(name, about string, t loadTuning) scenario {
	return scenario{
		name: name, about: about, target: target{ratio: 0.9, atLeast: true},
		setup: func(_ context.Context, b *bench) (*sides, error) {
			d := data{entities: b.entities}
			owner := b.owner(name)
			load := func(l loader) side {
				return func(ctx context.Context, _ int, _ *recorder) error { return l(ctx, b, owner, d) }
			}
			return &sides{
				baseline: load(t.load), ours: load(func(ctx context.Context, b *bench, owner string, d data) error { return oursLoad(ctx, b, owner, d) }),
				calls: 1, items: d.entities + d.facts() + d.relations(),
				after: func(ctx context.Context, _ int) error { return b.forget(ctx, owner) },
				same: func(ctx context.Context) error {
					// So few that the API takes them in one batch: times are then the same too.
					few := data{entities: min(200, b.entities)}
					return b.sameGraph(ctx, owner,
						func() error { return t.load(ctx, b, owner, few) },
						func() error { return oursLoad(ctx, b, owner, few) })
				},
			}, nil
		},
	}
}
