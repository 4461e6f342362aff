package acervo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

// indexTimeout bounds how long Migrate waits until new indexes are online.
const indexTimeout = 5 * time.Minute

// MigrateResult says what [Client.Migrate] did.
type MigrateResult struct {
	// Applied are the migrations that this call applied.
	Applied []string `json:"applied"`
	// Present are those that were there before, or that another process applied meanwhile.
	Present []string `json:"present"`
}

// AppliedMigration is one migration of the database.
type AppliedMigration struct {
	Name      string    `json:"name"`
	Checksum  string    `json:"checksum"`
	AppliedAt time.Time `json:"applied_at"`
}

// SchemaResult is what [Client.CheckSchema] found.
type SchemaResult struct {
	Applied []AppliedMigration `json:"applied"`
}

// Migrate prepares the database: it creates the constraints and indexes that
// are missing and stores the built-in ontology. It changes nothing of anybody
// else's, may be called at any time by any number of processes at once, and
// writes nothing where everything is there. It needs the right to change the
// schema, which no other call needs. It fails with ErrSchemaOutdated if the
// database was migrated by a newer release.
func (c *Client) Migrate(ctx context.Context) (*MigrateResult, error) {
	if err := c.checkServer(ctx); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	if err := c.checkAlone(ctx); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	found, err := c.applied(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	difference := compareSchema(cypher.Migrations(), found)
	if len(difference.Unknown)+len(difference.Changed) > 0 {
		return nil, fmt.Errorf("migrate: %w", difference)
	}
	missing := make(map[string]bool, len(difference.Missing))
	for _, name := range difference.Missing {
		missing[name] = true
	}
	result := &MigrateResult{Applied: []string{}, Present: []string{}}
	for _, m := range cypher.Migrations() {
		applied := false
		if missing[m.Name] {
			if applied, err = c.apply(ctx, m); err != nil {
				return nil, fmt.Errorf("migrate: %s: %w", m.Name, err)
			}
		}
		if applied {
			result.Applied = append(result.Applied, m.Name)
		} else {
			result.Present = append(result.Present, m.Name)
		}
	}
	if err := c.storeBuiltin(ctx); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	c.mu.Lock()
	c.prepared = true
	c.mu.Unlock()
	return result, nil
}

// apply runs the statements of one migration, waits for the indexes and notes it.
func (c *Client) apply(ctx context.Context, m cypher.Migration) (bool, error) {
	if m.Name == searchMigration {
		if err := c.fillDigests(ctx); err != nil {
			return false, err
		}
	}
	if err := c.alter(ctx, "migrations/"+m.Name, m.Statements); err != nil {
		return false, err
	}
	if err := c.awaitIndexes(ctx); err != nil {
		return false, err
	}
	var applied bool
	err := c.write(ctx, cypher.SchemaRecord.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.SchemaRecord, map[string]any{"name": m.Name, "checksum": m.Checksum, "now": c.now()})
		if err != nil {
			return err
		}
		applied, err = value[bool](records[0], "applied")
		return err
	})
	return applied, err
}

// alter runs statements that change the schema, each in a transaction of its own.
func (c *Client) alter(ctx context.Context, name string, statements []string) (err error) {
	operation := c.telemetry.operation(ctx, name)
	defer func() { operation.end(ctx, err) }()
	session := c.session(ctx, neo4j.AccessModeWrite)
	defer session.Close(ctx)
	metadata := neo4j.WithTxMetadata(map[string]any{"app": "acervo", "statement": name})
	for _, text := range statements {
		_, err := session.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
			result, err := tx.Run(ctx, text, nil)
			if err != nil {
				return nil, err
			}
			return result.Consume(ctx)
		}, metadata)
		// Two processes that create the same index at once: one gets an error,
		// though the index is there, as IF NOT EXISTS wants.
		if err != nil && !alreadyExists(err) {
			return classify(ctx, err)
		}
	}
	return nil
}

// awaitIndexes asks, in transactions of their own, until all indexes are online.
func (c *Client) awaitIndexes(ctx context.Context) error {
	for start := time.Now(); ; {
		var pending string
		err := c.read(ctx, cypher.SchemaPending.Name, func(r runner) error {
			records, err := r.run(ctx, cypher.SchemaPending, nil)
			if err != nil {
				return err
			}
			pending = ""
			for _, record := range records {
				m := record.AsMap()
				pending = stringOf(m["name"])
				if boolOf(m["failed"]) {
					return fmt.Errorf("index %s: %s", pending, stringOf(m["message"]))
				}
			}
			return nil
		})
		switch {
		case err != nil || pending == "":
			return err
		case time.Since(start) > indexTimeout:
			return fmt.Errorf("index %s isn't online after %s: %w", pending, indexTimeout, ErrUnavailable)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// alreadyExists reports whether a schema change failed because it was made already.
func alreadyExists(err error) bool {
	switch codeOf(err) {
	case "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
		"Neo.ClientError.Schema.IndexAlreadyExists",
		"Neo.ClientError.Schema.ConstraintAlreadyExists":
		return true
	}
	return false
}

// CheckSchema compares the database's schema with the client's. It fails with
// ErrSchemaOutdated if they differ; the error is then a [SchemaError]. Every
// client does so once, at its first call.
func (c *Client) CheckSchema(ctx context.Context) (*SchemaResult, error) {
	applied, err := c.applied(ctx)
	if err != nil {
		return nil, fmt.Errorf("check schema: %w", err)
	}
	if d := compareSchema(cypher.Migrations(), applied); len(d.Missing)+len(d.Unknown)+len(d.Changed) > 0 {
		return nil, fmt.Errorf("check schema: %w", d)
	}
	return &SchemaResult{Applied: applied}, nil
}

// compareSchema tells how the applied migrations differ from the wanted ones.
func compareSchema(wanted []cypher.Migration, applied []AppliedMigration) *SchemaError {
	known := make(map[string]string, len(wanted))
	for _, m := range wanted {
		known[m.Name] = m.Checksum
	}
	difference := &SchemaError{}
	there := make(map[string]bool, len(applied))
	for _, a := range applied {
		there[a.Name] = true
		switch checksum, ok := known[a.Name]; {
		case !ok:
			difference.Unknown = append(difference.Unknown, a.Name)
		case checksum != a.Checksum:
			difference.Changed = append(difference.Changed, a.Name)
		}
	}
	for _, m := range wanted {
		if !there[m.Name] {
			difference.Missing = append(difference.Missing, m.Name)
		}
	}
	return difference
}

func (c *Client) applied(ctx context.Context) ([]AppliedMigration, error) {
	applied := []AppliedMigration{}
	err := c.read(ctx, cypher.SchemaApplied.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.SchemaApplied, nil)
		if err != nil {
			return err
		}
		applied = applied[:0]
		for _, record := range records {
			m := record.AsMap()
			name, _ := m["name"].(string)
			checksum, _ := m["checksum"].(string)
			at, _ := m["applied_at"].(time.Time)
			applied = append(applied, AppliedMigration{Name: name, Checksum: checksum, AppliedAt: at.UTC()})
		}
		return nil
	})
	return applied, err
}

// prepare checks the server and its schema once, and reads the ontology.
func (c *Client) prepare(ctx context.Context) error {
	c.mu.Lock()
	ready := c.prepared && c.ontology != nil
	c.mu.Unlock()
	if ready {
		return nil
	}
	if err := c.checkServer(ctx); err != nil {
		return err
	}
	if err := c.checkAlone(ctx); err != nil {
		return err
	}
	if _, err := c.CheckSchema(ctx); err != nil {
		return err
	}
	o, err := c.loadOntology(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prepared, c.ontology = true, o
	return nil
}

// checkServer fails with ErrUnsupported if the server is older than 5.26.
func (c *Client) checkServer(ctx context.Context) error {
	info, err := c.driver.GetServerInfo(ctx)
	if err != nil {
		return classify(ctx, err)
	}
	return checkVersion(info.Agent())
}

// checkAlone finds out whether the server is one by itself, as the Community
// edition is: bookmarks tell it nothing then, and it takes time to look at one.
func (c *Client) checkAlone(ctx context.Context) error {
	return c.read(ctx, cypher.SchemaServer.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.SchemaServer, nil)
		if err != nil || len(records) != 1 {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.alone = stringOf(records[0].AsMap()["edition"]) == "community"
		return nil
	})
}

// checkVersion takes the server's own name, for example "Neo4j/5.26.30".
func checkVersion(agent string) error {
	product, version, _ := strings.Cut(agent, "/")
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return fmt.Errorf("%q isn't a version of Neo4j that this client knows; it needs 5.26 or newer: %w", agent, ErrUnsupported)
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(leadingDigits(parts[1]))
	if product != "Neo4j" || err1 != nil || err2 != nil {
		return fmt.Errorf("%q isn't a version of Neo4j that this client knows; it needs 5.26 or newer: %w", agent, ErrUnsupported)
	}
	if major < 5 || major == 5 && minor < 26 {
		return fmt.Errorf("the server is Neo4j %s; Acervo needs 5.26 or newer: %w", version, ErrUnsupported)
	}
	return nil
}

// leadingDigits cuts what follows the number in "27-aura".
func leadingDigits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}

// storeBuiltin stores the built-in types and relations where some are missing.
func (c *Client) storeBuiltin(ctx context.Context) error {
	o, err := c.loadOntology(ctx)
	if err != nil {
		return err
	}
	var reg registration
	for _, t := range append(ontology.BuiltinTypes(), ontology.Type{Name: ontology.Unknown}) {
		if known, ok := o.Type(t.Name); !ok || known.Origin != ontology.OriginBuiltin || !containsAll(known.Attributes, t.Attributes) {
			t.Origin = ontology.OriginBuiltin
			reg.types = append(reg.types, t)
		}
	}
	for _, r := range ontology.BuiltinRelations() {
		if known, ok := o.Relation(r.Name); !ok || known.Origin != ontology.OriginBuiltin || r.SingleValued && !known.SingleValued {
			reg.relations = append(reg.relations, r)
		}
	}
	if !reg.empty() {
		if err := c.write(ctx, cypher.OntologyRegister.Name, func(r runner) error {
			_, err := c.register(ctx, r, reg)
			return err
		}); err != nil {
			return err
		}
		if o, err = c.loadOntology(ctx); err != nil {
			return err
		}
	}
	c.setOntology(o)
	return nil
}
