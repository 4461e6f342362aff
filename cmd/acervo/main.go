// Command acervo keeps what an assistant learns as a knowledge graph in Neo4j.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs one command line and gives its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{stdout: stdout, stderr: stderr}
	a.grace.Store(int64(shortGrace))
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	select {
	case err := <-done:
		return report(ctx, stderr, err)
	case <-ctx.Done():
	}
	// The driver doesn't stop waiting for an answer when a context without a
	// deadline is cancelled. What the server has not committed by now it rolls
	// back when the connection goes.
	select {
	case err := <-done:
		return report(ctx, stderr, err)
	case <-time.After(time.Duration(a.grace.Load())):
		return report(ctx, stderr, ctx.Err())
	}
}

// How long an interrupted command may take to end by itself: one that serves others
// lets them end first.
const (
	shortGrace = time.Second
	longGrace  = 10 * time.Second
)
