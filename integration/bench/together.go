package main

import (
	"context"
	"sync"
)

// together runs work at once and gives the first error, which ends the others.
type together struct {
	wg    sync.WaitGroup
	limit chan struct{}
	stop  context.CancelCauseFunc
	once  sync.Once
	err   error
}

// atOnce runs no more than limit at once.
func atOnce(ctx context.Context, limit int) (*together, context.Context) {
	ctx, stop := context.WithCancelCause(ctx)
	return &together{limit: make(chan struct{}, limit), stop: stop}, ctx
}

// do starts work as soon as there is room for it.
func (t *together) do(work func() error) {
	t.limit <- struct{}{}
	t.wg.Go(func() {
		defer func() { <-t.limit }()
		if err := work(); err != nil {
			t.once.Do(func() { t.err = err; t.stop(err) })
		}
	})
}

func (t *together) wait() error {
	t.wg.Wait()
	t.stop(nil)
	return t.err
}
