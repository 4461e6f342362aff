package acervo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/rs/zerolog"

	"github.com/acervo-graph/acervo/cypher"
)

// Tx is a transaction of the caller, which the methods whose names end in Tx
// join. Both kinds of the driver's transactions are one.
type Tx interface {
	Run(ctx context.Context, cypher string, params map[string]any) (neo4j.ResultWithContext, error)
}

// runner runs one statement and returns its records. It is what stands between
// an operation and the driver.
type runner interface {
	run(ctx context.Context, s cypher.Statement, params map[string]any) ([]*neo4j.Record, error)
}

// txRunner runs statements in a transaction.
type txRunner struct {
	tx        Tx
	log       zerolog.Logger
	attempt   int
	operation *observation // that the statements are of
}

func (r txRunner) run(ctx context.Context, s cypher.Statement, params map[string]any) (records []*neo4j.Record, err error) {
	statement := r.operation.statement(ctx, s.Name, r.attempt)
	defer func() { statement.end(ctx, err) }()
	return r.send(ctx, s, params)
}

func (r txRunner) send(ctx context.Context, s cypher.Statement, params map[string]any) ([]*neo4j.Record, error) {
	start := time.Now()
	result, err := r.tx.Run(ctx, s.Text, params)
	if err != nil {
		return nil, r.failed(s, start, err)
	}
	records, err := result.Collect(ctx)
	if err != nil {
		return nil, r.failed(s, start, err)
	}
	event := r.log.Debug()
	if !event.Enabled() {
		return records, nil
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return nil, r.failed(s, start, err)
	}
	counters := summary.Counters()
	event.Str("statement", s.Name).
		Dur("ms", time.Since(start)).
		Int("attempt", r.attempt).
		Int("records", len(records)).
		Int("nodes_created", counters.NodesCreated()).
		Int("nodes_deleted", counters.NodesDeleted()).
		Int("relationships_created", counters.RelationshipsCreated()).
		Int("relationships_deleted", counters.RelationshipsDeleted()).
		Int("properties_set", counters.PropertiesSet()).
		Int("labels_added", counters.LabelsAdded())
	if r.log.GetLevel() <= zerolog.TraceLevel {
		event.Interface("params", params)
	}
	event.Msg("statement")
	return records, nil
}

func (r txRunner) failed(s cypher.Statement, start time.Time, err error) error {
	r.log.Debug().Str("statement", s.Name).Dur("ms", time.Since(start)).Int("attempt", r.attempt).Err(err).Msg("statement failed")
	if errors.Is(err, io.ErrUnexpectedEOF) { // within an answer, which the driver takes for no loss of the connection
		err = &neo4j.ConnectivityError{Inner: err}
	}
	return fmt.Errorf("%s: %w", s.Name, err)
}

// errRaced is returned by the work of a transaction that met what another one
// committed in between; the same work is then done once more.
var errRaced = fmt.Errorf("another transaction wrote the same entity: %w", ErrConflict)

// raced reports whether a statement met what another transaction deleted or made
// after it was looked up.
func raced(err error) bool {
	switch codeOf(err) {
	case "Neo.ClientError.Statement.EntityNotFound", "Neo.ClientError.Schema.ConstraintValidationFailed":
		return true
	}
	return false
}

// maxRaces bounds how often a transaction starts again after errRaced, patience
// for how long one does that met a deadlock: as long as the driver would try.
const (
	maxRaces = 10
	patience = 30 * time.Second
)

// restart hides an error from the driver, which would wait a second before it
// tries again: too long for a deadlock, whose other side goes on at once.
type restart struct{ err error }

func (r *restart) Error() string { return r.err.Error() }

// deadlocked reports whether a transaction was ended since it and another one
// waited for each other.
func deadlocked(err error) bool {
	return codeOf(err) == "Neo.TransientError.Transaction.DeadlockDetected"
}

// write runs work in a managed transaction; the driver retries it after a
// transient error, so work has to start from nothing each time.
func (c *Client) write(ctx context.Context, name string, work func(r runner) error) error {
	return c.transact(ctx, neo4j.AccessModeWrite, name, work)
}

// read runs work in a managed transaction that may be routed to a reader.
func (c *Client) read(ctx context.Context, name string, work func(r runner) error) error {
	return c.transact(ctx, neo4j.AccessModeRead, name, work)
}

// once runs work of a single statement, which takes one round trip where a
// transaction function takes three. The statement has to do nothing when it is
// repeated, since the driver leaves open whether it was done when the connection is
// lost: it is then repeated by a transaction function, which waits for the server as
// the driver is told to.
func (c *Client) once(ctx context.Context, mode neo4j.AccessMode, name string, work func(r runner) error) (err error) {
	operation := c.telemetry.operation(ctx, name)
	defer func() { operation.end(ctx, err) }()
	session := c.session(ctx, mode)
	defer session.Close(ctx)
	metadata := neo4j.WithTxMetadata(map[string]any{"app": "acervo", "statement": name})
	r := txRunner{tx: autoCommit{session, metadata}, log: c.log, operation: operation}
	err = c.patiently(ctx, name, func() error {
		r.attempt++
		operation.attempt(ctx, r.attempt)
		return work(r)
	})
	var server *neo4j.Neo4jError
	var lost *neo4j.ConnectivityError
	if errors.As(err, &server) && neo4j.IsRetryable(server) || errors.As(err, &lost) {
		c.log.Debug().Str("operation", name).Err(err).Msg("trying again in a transaction function")
		return c.managed(ctx, c.sessionConfig(mode), name, r, func(r txRunner) error { return work(r) })
	}
	return classify(ctx, err)
}

// autoCommit runs a statement in a transaction that the server begins and commits.
type autoCommit struct {
	session  neo4j.SessionWithContext
	metadata func(*neo4j.TransactionConfig)
}

func (a autoCommit) Run(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error) {
	return a.session.Run(ctx, text, params, a.metadata)
}

func (c *Client) transact(ctx context.Context, mode neo4j.AccessMode, name string, work func(r runner) error) error {
	return c.transactIn(ctx, c.sessionConfig(mode), name, func(r txRunner) error { return work(r) })
}

// transactIn is transact in a session, and with settings, of the caller's.
func (c *Client) transactIn(ctx context.Context, config neo4j.SessionConfig, name string, work func(r txRunner) error, settings ...func(*neo4j.TransactionConfig)) (err error) {
	operation := c.telemetry.operation(ctx, name)
	defer func() { operation.end(ctx, err) }()
	return c.managed(ctx, config, name, txRunner{log: c.log, operation: operation}, work, settings...)
}

// managed runs work in a transaction function, by a runner that is given each
// transaction and counts them as further attempts.
func (c *Client) managed(ctx context.Context, config neo4j.SessionConfig, name string, r txRunner, work func(r txRunner) error, settings ...func(*neo4j.TransactionConfig)) error {
	session := c.driver.NewSession(ctx, config)
	defer session.Close(ctx)
	managed := func(tx neo4j.ManagedTransaction) (any, error) {
		r.tx = tx
		r.attempt++
		r.operation.attempt(ctx, r.attempt)
		err := work(r)
		var lost *neo4j.ConnectivityError
		switch {
		case deadlocked(err):
			err = &restart{err}
		case errors.As(err, &lost):
			err = lost // which the driver knows only unwrapped, to try again
		}
		return nil, err
	}
	settings = append(settings, neo4j.WithTxMetadata(map[string]any{"app": "acervo", "statement": name}))
	err := c.patiently(ctx, name, func() (err error) {
		if config.AccessMode == neo4j.AccessModeWrite {
			_, err = session.ExecuteWrite(ctx, managed, settings...)
		} else {
			_, err = session.ExecuteRead(ctx, managed, settings...)
		}
		return err
	})
	return classify(ctx, err)
}

// patiently repeats at once, but for some milliseconds by chance, what met another
// transaction.
func (c *Client) patiently(ctx context.Context, name string, try func() error) error {
	for tries, races, start := 0, 0, time.Now(); ; tries++ {
		err := try()
		var hidden *restart
		if errors.As(err, &hidden) {
			err = hidden.err
		}
		switch {
		case deadlocked(err):
			if time.Since(start) > patience {
				return err
			}
		case !errors.Is(err, errRaced) && !raced(err) || races == maxRaces:
			return err
		default:
			races++
		}
		c.log.Debug().Str("operation", name).Int("tries", tries+1).Err(err).Msg("raced, starting again")
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(min(time.Duration(tries+1), 40) * 5 * time.Millisecond)):
		}
	}
}

// session opens a session of the driver.
func (c *Client) session(ctx context.Context, mode neo4j.AccessMode) neo4j.SessionWithContext {
	return c.driver.NewSession(ctx, c.sessionConfig(mode))
}

// sessionConfig routes reads to readers. Bookmarks are chained through the
// client's manager, so that a client reads its own writes on a cluster.
func (c *Client) sessionConfig(mode neo4j.AccessMode) neo4j.SessionConfig {
	config := neo4j.SessionConfig{
		DatabaseName:    c.opts.Database,
		AccessMode:      mode,
		FetchSize:       neo4j.FetchAll, // a statement returns a page or a batch, which is read whole
		BookmarkManager: c.bookmarks,
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alone {
		config.BookmarkManager = nil
	}
	return config
}

// joined is the runner of a caller's transaction.
func (c *Client) joined(tx Tx) runner {
	return txRunner{tx: tx, log: c.log, attempt: 1, operation: c.telemetry.joined()}
}
