package acervo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// DatabaseError is an error of the driver or the server, classified by its code.
type DatabaseError struct {
	// Kind is the sentinel that the error belongs to; nil for one that none fits.
	Kind error
	// Code is the server's status code, for example
	// "Neo.ClientError.Security.Unauthorized"; empty if the server sent none.
	Code string
	// Err is the driver's error.
	Err error
}

// Error gives the kind and what the driver said.
func (e *DatabaseError) Error() string {
	if e.Kind == nil {
		return e.Err.Error()
	}
	return fmt.Sprintf("%v: %v", e.Kind, e.Err)
}

// Unwrap returns the kind and the driver's error.
func (e *DatabaseError) Unwrap() []error {
	if e.Kind == nil {
		return []error{e.Err}
	}
	return []error{e.Kind, e.Err}
}

// classify wraps an error of the driver once. Errors of the context and errors
// of this package pass through; what the driver says after the context ended is
// an error of the context, which the driver doesn't always keep.
func classify(ctx context.Context, err error) error {
	if ended := ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) && !ours(err) {
		return fmt.Errorf("%w: %w", ended, err)
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || ours(err) {
		return err
	}
	var server *neo4j.Neo4jError
	if errors.As(err, &server) {
		return &DatabaseError{Kind: kindOf(server.Code), Code: server.Code, Err: err}
	}
	var (
		connectivity *neo4j.ConnectivityError
		limit        *neo4j.TransactionExecutionLimit
		token        *neo4j.TokenExpiredError
	)
	switch {
	case errors.As(err, &token):
		return &DatabaseError{Kind: ErrForbidden, Code: token.Code, Err: err}
	case errors.As(err, &connectivity), errors.As(err, &limit), errors.Is(err, io.ErrUnexpectedEOF):
		return &DatabaseError{Kind: ErrUnavailable, Err: err}
	}
	return &DatabaseError{Err: err}
}

// sentinels are the kinds of this package's errors, each with the class that spans
// and metrics give it. One that is also of another kind comes before that one.
var sentinels = []struct {
	err   error
	class string
}{
	{ErrLimit, "limit"},
	{ErrInvalid, "invalid"},
	{ErrNotFound, "not_found"},
	{ErrConflict, "conflict"},
	{ErrImmutable, "immutable"},
	{ErrForbidden, "forbidden"},
	{ErrSchemaOutdated, "schema_outdated"},
	{ErrEmbedder, "embedder"},
	{ErrTimeout, "timeout"},
	{ErrUnavailable, "unavailable"},
	{ErrUnsupported, "unsupported"},
}

// ours reports whether the error was made by this package.
func ours(err error) bool {
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			return true
		}
	}
	return false
}

// kindOf gives the sentinel of a status code, see
// https://neo4j.com/docs/status-codes/5/errors/all-errors/.
func kindOf(code string) error {
	switch code {
	case "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
		"Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
		"Neo.ClientError.Statement.AccessMode":
		return ErrForbidden
	case "Neo.ClientError.Schema.ConstraintValidationFailed":
		return ErrConflict
	case "Neo.ClientError.Database.DatabaseNotFound",
		"Neo.ClientError.Cluster.NotALeader":
		return ErrUnavailable
	}
	switch {
	case strings.HasPrefix(code, "Neo.ClientError.Security."):
		return ErrForbidden
	case strings.HasPrefix(code, "Neo.TransientError."):
		return ErrUnavailable
	}
	return nil
}

// codeOf gives the server's status code of an error, "" if it has none.
func codeOf(err error) string {
	var server *neo4j.Neo4jError
	if errors.As(err, &server) {
		return server.Code
	}
	return ""
}
