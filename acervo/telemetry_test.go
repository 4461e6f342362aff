package acervo

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// TestUnobserved: what isn't observed costs no allocation.
func TestUnobserved(t *testing.T) {
	c := New(nil, nil)
	ctx, err := t.Context(), errors.New("some error")
	if n := testing.AllocsPerRun(100, func() {
		o := c.telemetry.operation(ctx, "entity/upsert")
		o.attempt(ctx, 2)
		o.statement(ctx, "entity/upsert", 2).end(ctx, err)
		c.telemetry.joined().statement(ctx, "entity/upsert", 1).end(ctx, nil)
		o.end(ctx, err)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestErrorClass(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx         context.Context
		err         error
		class, code string
	}{
		{t.Context(), &LimitError{Kind: "type", Names: []string{"x"}}, "limit", ""},
		{t.Context(), &FieldError{Rule: "is empty"}, "invalid", ""},
		{t.Context(), fmt.Errorf("entity/get: %w", &NotFoundError{}), "not_found", ""},
		{t.Context(), errRaced, "conflict", ""},
		{t.Context(), &SchemaError{}, "schema_outdated", ""},
		{t.Context(), &neo4j.ConnectivityError{Inner: errors.New("dial")}, "unavailable", ""},
		{t.Context(), fmt.Errorf("x: %w", &neo4j.Neo4jError{Code: "Neo.ClientError.Statement.SyntaxError"}), "Neo.ClientError.Statement.SyntaxError", "Neo.ClientError.Statement.SyntaxError"},
		{t.Context(), context.DeadlineExceeded, "deadline_exceeded", ""},
		{ended, &neo4j.ConnectivityError{Inner: errors.New("closed")}, "canceled", ""},
		{t.Context(), errors.New("what Ada said"), "_OTHER", ""},
	} {
		if class, code := errorClass(test.ctx, test.err); class != test.class || code != test.code {
			t.Errorf("%v is %q, %q", test.err, class, code)
		}
	}
}
