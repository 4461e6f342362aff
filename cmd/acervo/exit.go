package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/acervo-graph/acervo/acervo"
)

// The exit codes, as the help tells them.
const (
	exitDone        = 0
	exitFailure     = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitUnavailable = 4
	exitRefused     = 5
	exitInterrupted = 130
)

const exitHelp = `Exit codes:
  0    done
  1    failure
  2    wrong use or invalid input
  3    not found
  4    database unavailable, unsupported or not prepared
  5    refused: immutable, or forbidden by the server
  130  interrupted`

// usageError is a wrong command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// report prints an error once and gives its exit code.
func report(ctx context.Context, stderr io.Writer, err error) int {
	code := exitCode(ctx, err)
	switch code {
	case exitDone:
	case exitInterrupted:
		fmt.Fprintln(stderr, "acervo: interrupted")
	default:
		fmt.Fprintln(stderr, "acervo:", err)
	}
	return code
}

func exitCode(ctx context.Context, err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil: // only a signal ends it
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, acervo.ErrInvalid), errors.Is(err, acervo.ErrLimit):
		return exitUsage
	case errors.Is(err, acervo.ErrNotFound):
		return exitNotFound
	case errors.Is(err, acervo.ErrUnavailable), errors.Is(err, acervo.ErrUnsupported), errors.Is(err, acervo.ErrSchemaOutdated),
		errors.Is(err, context.DeadlineExceeded):
		return exitUnavailable
	case errors.Is(err, acervo.ErrImmutable), errors.Is(err, acervo.ErrForbidden):
		return exitRefused
	}
	return exitFailure
}
