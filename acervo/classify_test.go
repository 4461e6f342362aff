package acervo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]error{
		"Neo.ClientError.Security.Unauthorized":                 ErrForbidden,
		"Neo.ClientError.Security.AuthenticationRateLimit":      ErrForbidden,
		"Neo.ClientError.Security.Forbidden":                    ErrForbidden,
		"Neo.ClientError.General.ForbiddenOnReadOnlyDatabase":   ErrForbidden,
		"Neo.ClientError.General.WriteOnReadOnlyAccessDatabase": ErrForbidden,
		"Neo.ClientError.Schema.ConstraintValidationFailed":     ErrConflict,
		"Neo.ClientError.Database.DatabaseNotFound":             ErrUnavailable,
		"Neo.TransientError.General.DatabaseUnavailable":        ErrUnavailable,
		"Neo.TransientError.Transaction.DeadlockDetected":       ErrUnavailable,
		"Neo.ClientError.Statement.SyntaxError":                 nil,
		"Neo.DatabaseError.General.UnknownError":                nil,
	} {
		err := classify(t.Context(), fmt.Errorf("statement: %w", &neo4j.Neo4jError{Code: code, Msg: "m"}))
		var database *DatabaseError
		if !errors.As(err, &database) || database.Code != code || database.Kind != want || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", code, err)
		}
		if again := classify(t.Context(), err); want != nil && again != err {
			t.Errorf("%s is wrapped twice: %v", code, again)
		}
	}
	if err := classify(t.Context(), fmt.Errorf("commit: %w", io.ErrUnexpectedEOF)); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a connection that ends within an answer: %v", err)
	}
	if err := classify(t.Context(), &neo4j.ConnectivityError{Inner: errors.New("refused")}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("no connection: %v", err)
	}
	ours := &NotFoundError{Names: []string{"x"}}
	if err := classify(t.Context(), ours); err != error(ours) {
		t.Errorf("an error of this package became %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := classify(ended, errors.New("pool closed")); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
	if err := classify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}
