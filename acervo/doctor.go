package acervo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

// DiagnoseParams says what is done about what is found.
type DiagnoseParams struct {
	// Fix mends what can be mended without losing anything that somebody said.
	Fix bool
}

// Severity says how bad a finding is.
type Severity string

const (
	// Fault is what makes calls fail, or answers wrong or incomplete.
	Fault Severity = "error"
	// Warning is what is in nobody's way yet.
	Warning Severity = "warning"
)

// Finding is something that isn't as it should be.
type Finding struct {
	// Check is the name of what was looked at, for example "facts".
	Check    string   `json:"check"`
	Severity Severity `json:"severity"`
	// Count is how often it was found; 1 where it can't be counted.
	Count int64 `json:"count"`
	// Message says what is wrong, and Mend what mends it: a command, if there is one.
	Message string `json:"message"`
	Mend    string `json:"mend"`
	// Fixed is how many of Count were mended by this call.
	Fixed int64 `json:"fixed,omitempty"`
}

// DiagnoseResult is the state of a database.
type DiagnoseResult struct {
	// Version and Edition are the server's, for example "5.26.30" and "community".
	Version  string `json:"version"`
	Edition  string `json:"edition"`
	Database string `json:"database"`
	// ClockSkew is how far the server's clock is ahead of this machine's, as far as
	// that shows, in milliseconds.
	ClockSkew int64 `json:"clock_skew_ms"`
	// Labels, Relations and PropertyKeys count the names in use in the whole
	// database, other people's too.
	Labels       int64 `json:"labels"`
	Relations    int64 `json:"relations"`
	PropertyKeys int64 `json:"property_keys"`
	// Checks are the names of what was looked at.
	Checks []string `json:"checks"`
	// Findings are what isn't as it should be, in the order of the checks.
	Findings []Finding `json:"findings"`
}

// Healthy reports whether no fault was found, or each is mended. Warnings don't
// count.
func (r *DiagnoseResult) Healthy() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == Fault && f.Fixed < f.Count })
}

// Diagnose looks whether the database is as it should be: the schema, indexes and
// constraints, the clocks, what the user may do, how many names are in use, and
// whether the graph agrees with itself, for all owners. It reads every entity, fact
// and relation a few times, and holds none of them. It writes nothing but with Fix,
// except for one write that is rolled back.
//
// A finding is no error: it fails if the server can't be asked.
func (c *Client) Diagnose(ctx context.Context, params DiagnoseParams) (*DiagnoseResult, error) {
	d := &diagnosis{client: c, fix: params.Fix, result: DiagnoseResult{Database: c.opts.Database, Checks: []string{}, Findings: []Finding{}}}
	for _, step := range []func(context.Context) error{d.server, d.schema, d.indexes, d.permissions, d.numbers, d.graph, d.vectors} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("diagnose: %w", err)
		}
	}
	return &d.result, nil
}

// diagnosis is a call of Diagnose.
type diagnosis struct {
	client  *Client
	fix     bool
	result  DiagnoseResult
	missing []string // migrations
	blind   bool     // nodes can't be found by their labels
}

func (d *diagnosis) check(name string) { d.result.Checks = append(d.result.Checks, name) }

func (d *diagnosis) found(f Finding) { d.result.Findings = append(d.result.Findings, f) }

// ask runs a statement that returns one row.
func (d *diagnosis) ask(ctx context.Context, s cypher.Statement, params map[string]any) (answer map[string]any, err error) {
	err = d.client.read(ctx, s.Name, func(r runner) error {
		records, err := r.run(ctx, s, params)
		if err != nil {
			return err
		}
		answer = map[string]any{}
		if len(records) > 0 {
			answer = records[0].AsMap()
		}
		return nil
	})
	return answer, err
}

func (d *diagnosis) server(ctx context.Context) error {
	if err := d.client.checkServer(ctx); err != nil {
		return err
	}
	if err := d.client.checkAlone(ctx); err != nil {
		return err
	}
	answer, err := d.ask(ctx, cypher.SchemaServer, nil)
	d.result.Version, d.result.Edition = stringOf(answer["version"]), stringOf(answer["edition"])
	return err
}

func (d *diagnosis) schema(ctx context.Context) error {
	d.check("schema")
	_, err := d.client.CheckSchema(ctx)
	var schema *SchemaError
	if !errors.As(err, &schema) {
		return err
	}
	f := Finding{Check: "schema", Severity: Fault, Count: 1, Message: schema.Error(), Mend: "acervo migrate"}
	switch {
	case len(schema.Unknown)+len(schema.Changed) > 0:
		f.Mend = "use the release of acervo that the database was prepared with, or a newer one"
	case d.fix:
		if _, err := d.client.Migrate(ctx); err != nil {
			return err
		}
		f.Fixed = 1
	}
	if f.Fixed == 0 {
		d.missing = schema.Missing
	}
	d.found(f)
	return nil
}

// indexes compares the indexes and constraints with those of the migrations that
// were applied.
func (d *diagnosis) indexes(ctx context.Context) error {
	d.check("indexes")
	d.check("doubles")
	there := map[string]shownIndex{}
	lookup := false
	if err := d.client.read(ctx, cypher.SchemaIndexes.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.SchemaIndexes, nil)
		if err != nil {
			return err
		}
		clear(there)
		lookup = false
		for _, record := range records {
			m := record.AsMap()
			s := shownIndex{stringOf(m["state"]), stringOf(m["message"]), boolOf(m["unique"])}
			if boolOf(m["lookup"]) {
				lookup = s.online()
			}
			there[stringOf(m["name"])] = s
		}
		return nil
	}); err != nil {
		return err
	}
	if d.blind = !lookup; d.blind {
		d.found(Finding{
			Check: "indexes", Severity: Fault, Count: 1, Message: "the index that finds nodes by their labels, which Neo4j makes with each database, is missing or not online; the graph wasn't looked at",
			Mend: "CREATE LOOKUP INDEX node_label_lookup_index IF NOT EXISTS FOR (n) ON EACH labels(n), wait, then acervo doctor",
		})
	}
	for _, index := range cypher.Indexes() {
		if slices.Contains(d.missing, index.Migration.Name) {
			continue // which is found already
		}
		s, ok := there[index.Name]
		if ok && (s.unique || !index.Unique) {
			if f, wrong := s.finding(index.Name); wrong {
				d.found(f)
			}
			continue
		}
		f := Finding{Check: "indexes", Severity: Fault, Count: 1}
		doubles, err := d.doubles(ctx, index)
		if err != nil {
			return err
		}
		f.Message, f.Mend = index.Name+" is missing", "acervo doctor --fix"
		if ok {
			f.Message, f.Mend = index.Name+" is an index without its constraint", "DROP INDEX "+index.Name+", then acervo doctor --fix"
		}
		if d.fix && !ok && doubles == 0 {
			if _, err := d.client.apply(ctx, index.Migration); err != nil {
				return err
			}
			f.Fixed = 1
		}
		d.found(f)
	}
	return nil
}

// shownIndex is an index as SHOW INDEXES tells it.
type shownIndex struct {
	state, message string
	unique         bool // a constraint stands behind it
}

func (s shownIndex) online() bool { return s.state == "ONLINE" }

// finding says what is wrong with an index that is there, if anything is.
func (s shownIndex) finding(name string) (f Finding, wrong bool) {
	f = Finding{Check: "indexes", Severity: Fault, Count: 1}
	switch {
	case s.online():
		return f, false
	case s.state == "POPULATING":
		f.Severity, f.Message, f.Mend = Warning, name+" is being filled", "wait, then acervo doctor"
	default:
		f.Message, f.Mend = fmt.Sprintf("%s is %s: %s", name, s.state, s.message), "DROP INDEX "+name+", then acervo doctor --fix"
	}
	return f, true
}

// doubles counts what a missing constraint let in.
func (d *diagnosis) doubles(ctx context.Context, index cypher.Index) (int64, error) {
	if !index.Unique {
		return 0, nil
	}
	answer, err := d.ask(ctx, index.Doubles, nil)
	n := intOf(answer["found"])
	if n > 0 {
		d.found(Finding{
			Check: "doubles", Severity: Fault, Count: n, Message: "nodes with the key of another one, which " + index.Name + " would forbid",
			Mend: fixes + ", after this Cypher, which keeps one of each: " + index.RemoveDoubles,
		})
	}
	return n, err
}

// permissions tries to write, and takes it back.
func (d *diagnosis) permissions(ctx context.Context) error {
	d.check("permissions")
	err := d.client.write(ctx, cypher.DoctorWrite.Name, func(r runner) error {
		if _, err := r.run(ctx, cypher.DoctorWrite, nil); err != nil {
			return err
		}
		return errDryRun
	})
	switch {
	case errors.Is(err, errDryRun):
		return nil
	case !errors.Is(err, ErrForbidden):
		return err
	}
	d.found(Finding{Check: "permissions", Severity: Fault, Count: 1, Message: "nothing can be written: " + err.Error(), Mend: grants(d.client.opts.Database)})
	return nil
}

// grants is what lets the user's role write to a database, and how a database is no
// longer read-only.
func grants(database string) string {
	return fmt.Sprintf("GRANT WRITE ON GRAPH `%s` TO role; GRANT NAME MANAGEMENT ON DATABASE `%[1]s` TO role; or, where nobody may write, take the database off server.databases.read_only", database)
}

// The numbers that are worth a word.
const (
	notedSkew        = 30 * time.Second
	maxRelationTypes = 65_536     // of the store formats, the smallest limit
	maxPropertyKeys  = 16_777_216 // of every store format
)

// numbers looks at the clocks and at what there is a limit to.
func (d *diagnosis) numbers(ctx context.Context) error {
	d.check("clock")
	d.check("names")
	before := d.client.opts.Clock()
	answer, err := d.ask(ctx, cypher.DoctorTokens, nil)
	if err != nil {
		return err
	}
	after := d.client.opts.Clock()
	var ahead time.Duration // the server looked at its clock between the two
	switch now := timeOf(answer["now"]); {
	case now.Before(before):
		ahead = now.Sub(before)
	case now.After(after):
		ahead = now.Sub(after)
	}
	d.result.ClockSkew = ahead.Milliseconds()
	if ahead.Abs() > notedSkew {
		f := Finding{Check: "clock", Severity: Warning, Count: 1, Message: fmt.Sprintf("the server's clock is %s ahead of this machine's", ahead.Round(time.Second)), Mend: "set both clocks by NTP"}
		if ahead < 0 {
			f.Message = fmt.Sprintf("the server's clock is %s behind this machine's", (-ahead).Round(time.Second))
		}
		if ahead.Abs() > skew {
			f.Severity = Fault // what is current on one is in the future on the other
		}
		d.found(f)
	}
	d.result.Labels, d.result.Relations, d.result.PropertyKeys = intOf(answer["labels"]), intOf(answer["relations"]), intOf(answer["keys"])
	d.near("relationship types in use", d.result.Relations, maxRelationTypes, "use fewer names of relations; Neo4j never gives one free")
	d.near("property keys in use", d.result.PropertyKeys, maxPropertyKeys, "use fewer names of attributes; Neo4j never gives one free")
	known, err := d.client.loadOntology(ctx)
	if err != nil {
		return err
	}
	types, relations := int64(0), int64(0)
	attributes := map[string]bool{} // of all types, as for the limit
	for _, t := range known.Types() {
		if t.Origin == ontology.OriginAuto {
			types++
		}
		for _, name := range t.Attributes {
			attributes[name] = true
		}
	}
	for _, name := range builtinAttributes() {
		delete(attributes, name)
	}
	for _, r := range known.Relations() {
		if r.Origin == ontology.OriginAuto {
			relations++
		}
	}
	limit := int64(d.client.opts.MaxRegistered)
	d.near("types registered by themselves", types, limit, "acervo register type NAME, for those that stay")
	d.near("names of attributes", int64(len(attributes)), limit, "use fewer names of attributes, or a higher Options.MaxRegistered")
	d.near("relations registered by themselves", relations, limit, "acervo register relation NAME, for those that stay")
	return nil
}

// near warns of what is nine tenths of a limit, or more.
func (d *diagnosis) near(what string, n, limit int64, mend string) {
	if n*10 >= limit*9 {
		d.found(Finding{Check: "names", Severity: Warning, Count: 1, Message: fmt.Sprintf("%d %s, of %d", n, what, limit), Mend: mend})
	}
}

// consistency is one thing that has to hold of the whole graph.
type consistency struct {
	name     string
	severity Severity
	message  string
	count    cypher.Statement
	// fix mends some of what count counts, unless it is empty; mend is what else does.
	fix  cypher.Statement
	mend string
}

const fixes = "acervo doctor --fix"

// foreign matches what DoctorForeign counts, for people.
const foreign = `MATCH (a:AcervoEntity)-[r]->(b:AcervoEntity) WHERE r.owner IS NOT NULL AND r.layer IS NOT NULL AND NOT (a.owner IN [r.owner, "world"] AND b.owner IN [r.owner, "world"])`

func consistencies() []consistency {
	return []consistency{
		{"facts", Fault, "facts that don't hang on the entity that they are about, or hang on several", cypher.DoctorFacts, cypher.DoctorHangFacts,
			fixes + "; where the entity is gone, state it again with acervo upsert first"},
		{"relations", Fault, "relations of UNIVERSAL entities that reads miss, since no reference repeats them", cypher.DoctorRelations, cypher.Statement{}, fixes},
		{"references", Warning, "references that repeat relations that are gone", cypher.DoctorReferences, cypher.DoctorRemoveReferences, fixes},
		{"gone", Warning, "references to UNIVERSAL entities that are gone", cypher.DoctorGone, cypher.DoctorRemoveGone, fixes},
		{"aliases", Warning, "aliases of entities that are gone", cypher.DoctorAliases, cypher.DoctorRemoveAliases, fixes},
		{"vectors", Warning, "vectors of entities that are gone", cypher.DoctorVectors, cypher.DoctorRemoveVectors, fixes},
		{"sessions", Warning, "sessions in which entities are hot or warm that are gone", cypher.DoctorSessions, cypher.DoctorPurgeSessions, fixes},
		{"ended", Warning, "ended relations whose entities are gone", cypher.DoctorEnded, cypher.Statement{}, "state the entities again with acervo upsert, or forget the owner"},
		{"foreign", Fault, "relations that their owner can't see, since an end is another owner's", cypher.DoctorForeign, cypher.Statement{},
			"acervo query '" + foreign + " RETURN a.owner, a.id, type(r), b.owner, b.id, r.owner' shows them, and this Cypher removes them: " + foreign + " DELETE r"},
		{"selves", Warning, "relations of an entity to itself", cypher.DoctorSelves, cypher.Statement{}, "acervo remove-relation NAME RELATION NAME"},
		{"twins", Fault, "relations that are there twice", cypher.DoctorTwins, cypher.Statement{}, "acervo remove-relation FROM RELATION TO, and state it again"},
	}
}

// fixBatch is how much one transaction mends.
const fixBatch = 1000

func (d *diagnosis) graph(ctx context.Context) error {
	if d.blind {
		return nil
	}
	all := map[string]any{"owners": nil}
	for _, c := range consistencies() {
		d.check(c.name)
		answer, err := d.ask(ctx, c.count, all)
		if err != nil {
			return err
		}
		f := Finding{Check: c.name, Severity: c.severity, Count: intOf(answer["found"]), Message: c.message, Mend: c.mend}
		if f.Count == 0 {
			continue
		}
		for d.fix && f.Fixed < f.Count {
			fixed, err := d.mend(ctx, c)
			if err != nil {
				return err
			}
			if fixed == 0 {
				break
			}
			f.Fixed += fixed
		}
		f.Fixed = min(f.Fixed, f.Count) // others may have written meanwhile
		d.found(f)
	}
	return nil
}

// vectors counts the entities that searches by vectors don't find, where there is a
// vector index.
func (d *diagnosis) vectors(ctx context.Context) error {
	index, err := d.client.readVectorIndex(ctx)
	if err != nil || !index.there {
		return err
	}
	d.check("embeddings")
	if !index.online {
		d.found(Finding{Check: "embeddings", Severity: Warning, Count: 1, Message: cypher.VectorIndexName + " isn't online", Mend: "wait, then acervo doctor; if it stays so, DROP INDEX " + cypher.VectorIndexName + ", then acervo reembed without an owner"})
	}
	answer, err := d.ask(ctx, cypher.DoctorUnembedded, map[string]any{"owners": nil})
	if n := intOf(answer["found"]); n > 0 {
		d.found(Finding{Check: "embeddings", Severity: Warning, Count: n, Message: "entities without a vector, which are found by text alone", Mend: "acervo reembed without an owner"})
	}
	return err
}

// mend mends one batch and says how many that were.
func (d *diagnosis) mend(ctx context.Context, c consistency) (fixed int64, err error) {
	batch := map[string]any{"owners": nil, "limit": int64(fixBatch)}
	switch {
	case c.fix.Name != "":
		err = d.client.write(ctx, c.fix.Name, func(r runner) error {
			records, err := r.run(ctx, c.fix, batch)
			if err != nil {
				return err
			}
			fixed, err = value[int64](records[0], "fixed")
			return err
		})
	case c.count.Name == cypher.DoctorRelations.Name:
		err = d.client.write(ctx, cypher.ReferenceRestore.Name, func(r runner) error {
			records, err := r.run(ctx, cypher.DoctorUnreferenced, batch)
			if err != nil {
				return err
			}
			rows := make([]map[string]any, len(records))
			for i, record := range records {
				m := record.AsMap()
				rows[i] = referenceOf(map[string]any{"owner": m["owner"], "type": m["type"]}, keyOf(m, "from"), keyOf(m, "to"))
				rows[i]["held"] = referenceHeld(mapOf(m["held"]))
			}
			fixed = int64(len(rows))
			_, err = r.run(ctx, cypher.ReferenceRestore, map[string]any{"rows": rows})
			return err
		})
	}
	return fixed, err
}
