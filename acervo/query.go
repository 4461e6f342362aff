package acervo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/rs/zerolog"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

// The most that a query may ask for.
const (
	maxQueryTimeout = 10 * time.Minute
	maxQueryRows    = 100_000
	maxQueryBytes   = 64 << 20
)

// QueryParams is a statement of the caller's own.
type QueryParams struct {
	// Cypher is the text of one statement, up to 64 KiB.
	Cypher string
	// Params are its parameters, of the kinds that the driver takes; a json.Number is
	// an integer if it is written as one, else a float. What isn't part of the
	// statement belongs here: it is never looked at as Cypher.
	Params map[string]any
	// Timeout is how long the call may take, at most 10 minutes. Default 10 seconds.
	Timeout time.Duration
	// MaxRows is how many rows are returned, at most 100,000. Default 1,000.
	MaxRows int
	// MaxBytes is how many bytes the rows may have as JSON, at most 64 MiB. One
	// row is read from the server before it is measured, and up to a hundred at a
	// time. Default 1 MiB.
	MaxBytes int
}

// QueryResult is what a statement returned.
type QueryResult struct {
	// Columns are the names of the columns.
	Columns []string `json:"columns"`
	// Rows are in the order in which the server gave them.
	Rows []QueryRow `json:"rows"`
	// Truncated says what ended the rows before the last: "rows" or "bytes". It is
	// empty if these are all.
	Truncated string `json:"truncated,omitempty"`
}

// QueryRow holds one value a column, as the driver gives them; as JSON they are as
// [QueryRow.MarshalJSON] says.
type QueryRow []any

// Query runs one statement that only reads. It sees everything that the client's
// user sees: every owner's memory, and what else is in the database. So it is for
// administrators, and for what they trust; a [Memory] is what sees one owner's.
//
// A statement is refused, as a [QueryRefusedError], which is ErrForbidden, unless
// the server plans it as one that only reads the graph: what counts is the kind of
// the statement and the operators of the plan that EXPLAIN gives, in the same
// transaction that runs it. So no name, label or string is taken for a clause, and
// neither writing, LOAD CSV, SHOW, administration, CALL … IN TRANSACTIONS nor other
// procedures than those of [QueryProcedures] get through, however they are written.
// The transaction is one for reading, in which the server itself refuses to write.
//
// Three things a plan doesn't tell, so they are refused by what the text could mean
// outside of strings and comments: a function that doesn't come with Neo4j, if every
// part of its name is in the text; USE; and, in a text with COLLECT, COUNT or
// EXISTS { … }, of which a plan may hide the inside, LOAD CSV, SHOW, TERMINATE and
// CALL of a procedure that isn't allowed. A text with \u, which Cypher 5 decodes
// before it reads, is looked at with its strings; pass those as parameters.
//
// It fails with ErrInvalid if the statement or its parameters are wrong for the
// server, and ErrTimeout after Timeout.
func (c *Client) Query(ctx context.Context, params QueryParams) (*QueryResult, error) {
	result, err := c.query(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	return result, nil
}

// check reports what is wrong, and fills in the defaults.
func (p *QueryParams) check() []*FieldError {
	var faults []*FieldError
	if rule := ontology.CheckText(p.Cypher, ontology.MaxText); rule != "" {
		faults = append(faults, &FieldError{Index: -1, Field: "cypher", Value: ontology.Shorten(p.Cypher), Rule: rule})
	}
	params := make(map[string]any, len(p.Params))
	for name, v := range p.Params {
		var err error
		if params[name], err = fromJSON(v); err != nil {
			faults = append(faults, &FieldError{Index: -1, Field: "params." + ontology.Shorten(name), Rule: "holds a number that is too big"})
		}
	}
	p.Params = params
	bounded(&faults, "timeout", &p.Timeout, 10*time.Second, maxQueryTimeout)
	bounded(&faults, "max_rows", &p.MaxRows, 1000, maxQueryRows)
	bounded(&faults, "max_bytes", &p.MaxBytes, 1<<20, maxQueryBytes)
	return faults
}

// bounded sets a default for zero and reports what is negative or above the most.
func bounded[T int | time.Duration](faults *[]*FieldError, field string, v *T, otherwise, most T) {
	switch {
	case *v == 0:
		*v = otherwise
	case *v < 0:
		*faults = append(*faults, &FieldError{Index: -1, Field: field, Value: fmt.Sprint(*v), Rule: "is negative"})
	case *v > most:
		*faults = append(*faults, &FieldError{Index: -1, Field: field, Value: fmt.Sprint(*v), Rule: fmt.Sprint("is more than ", most)})
	}
}

// fromJSON gives a value of JSON with its numbers as integers, where they are written
// as such, and floats.
func fromJSON(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return v.Float64()
		}
		return v.Int64()
	case []any:
		list := make([]any, len(v))
		for i := range v {
			if list[i], err = fromJSON(v[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		object := make(map[string]any, len(v))
		for key := range v {
			if object[key], err = fromJSON(v[key]); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return v, nil
}

// queryFetch is how many rows are asked of the server at a time.
const queryFetch = 100

func (c *Client) query(ctx context.Context, params QueryParams) (*QueryResult, error) {
	if err := joinFaults(params.check()); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	config := c.sessionConfig(neo4j.AccessModeRead)
	config.FetchSize = min(queryFetch, params.MaxRows+1)
	// The server looks at the clock every two seconds or so.
	limited, cancel := context.WithTimeout(ctx, params.Timeout)
	defer cancel()
	var result *QueryResult
	answers := false // the server does, in the attempt that is under way
	err := c.transactIn(limited, config, "query", func(r txRunner) (err error) {
		functions, err := r.run(limited, cypher.SchemaFunctions, nil)
		if err != nil {
			return err
		}
		answers = true
		result, err = r.query(limited, params, functions)
		var lost *neo4j.ConnectivityError
		answers = !errors.As(err, &lost) || expired(limited)
		return err
	}, neo4j.WithTxTimeout(params.Timeout))
	var server *DatabaseError
	var usage *neo4j.UsageError
	switch timedOut := strings.HasPrefix(codeOf(err), "Neo.ClientError.Transaction.TransactionTimedOut"); {
	case err == nil:
		return result, nil
	case ctx.Err() != nil:
		return nil, classify(ctx, err)
	case timedOut, expired(limited) && answers:
		return nil, fmt.Errorf("it takes longer than %s: %w", params.Timeout, ErrTimeout)
	case expired(limited):
		return nil, &DatabaseError{Kind: ErrUnavailable, Err: err}
	case ours(err):
		return nil, err
	case errors.As(err, &usage):
		return nil, &FieldError{Index: -1, Field: "params", Rule: "hold what can't be sent: " + usage.Message}
	case errors.As(err, &server) && (strings.HasPrefix(server.Code, "Neo.ClientError.Statement.") || strings.HasPrefix(server.Code, "Neo.ClientError.Procedure.")):
		return nil, &DatabaseError{Kind: ErrInvalid, Code: server.Code, Err: server.Err}
	}
	return nil, err
}

// expired reports whether a context's time is over, also in the moment before the
// context says so.
func expired(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(deadline)
}

// query judges a statement and runs it in the same transaction.
func (r txRunner) query(ctx context.Context, params QueryParams, functions []*neo4j.Record) (*QueryResult, error) {
	names := make([]string, len(functions))
	for i, f := range functions {
		var err error
		if names[i], err = value[string](f, "name"); err != nil {
			return nil, err
		}
	}
	if err := judgeText(params.Cypher, names); err != nil {
		return nil, err
	}
	summary, err := r.explain(ctx, params)
	if err != nil {
		return nil, err
	}
	if err := judgePlan(summary); err != nil {
		return nil, err
	}
	start := time.Now()
	rows, err := r.tx.Run(ctx, params.Cypher, params.Params)
	if err != nil {
		return nil, err
	}
	result, err := collect(ctx, rows, params)
	if err != nil {
		return nil, err
	}
	if summary, err = rows.Consume(ctx); err != nil { // which ends it where it is
		return nil, err
	}
	if summary.Plan() != nil {
		return nil, refused("it begins with EXPLAIN, so it has no rows")
	}
	event := r.log.Debug().Str("statement", "query").Dur("ms", time.Since(start)).Int("attempt", r.attempt).Int("records", len(result.Rows))
	if r.log.GetLevel() <= zerolog.TraceLevel {
		event = event.Str("cypher", params.Cypher).Interface("params", params.Params)
	}
	event.Msg("statement")
	return result, nil
}

// explain asks for the plan. What the server says against a statement that it can't
// plan is a fault of the statement.
func (r txRunner) explain(ctx context.Context, params QueryParams) (neo4j.ResultSummary, error) {
	var summary neo4j.ResultSummary
	result, err := r.tx.Run(ctx, "EXPLAIN "+params.Cypher, params.Params)
	if err == nil {
		summary, err = result.Consume(ctx)
	}
	var server *neo4j.Neo4jError
	switch {
	case !errors.As(err, &server) || kindOf(server.Code) != nil:
		return summary, err
	case server.Code == "Neo.ClientError.Transaction.ForbiddenDueToTransactionType":
		return nil, refused("it administers, or changes the schema")
	}
	return nil, &DatabaseError{Kind: ErrInvalid, Code: server.Code, Err: err}
}

// collect takes rows until there are enough.
func collect(ctx context.Context, rows neo4j.ResultWithContext, params QueryParams) (*QueryResult, error) {
	columns, err := rows.Keys()
	if err != nil {
		return nil, err
	}
	result := &QueryResult{Columns: columns, Rows: []QueryRow{}}
	bytes := 0
	for rows.Next(ctx) {
		if len(result.Rows) == params.MaxRows {
			result.Truncated = "rows"
			return result, nil
		}
		row := QueryRow(rows.Record().Values)
		text, err := row.MarshalJSON()
		if err != nil {
			return nil, err
		}
		if bytes += len(text); bytes > params.MaxBytes {
			result.Truncated = "bytes"
			return result, nil
		}
		result.Rows = append(result.Rows, row)
	}
	return result, rows.Err()
}
