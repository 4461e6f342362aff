package acervo

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// script writes a Cypher script: the schema, then rows for some statements, a
// hundred in each. It may be run again.
type script struct {
	w     io.Writer
	owner string
	kind  string   // of the rows that wait to be written
	rows  []string // as Cypher
	late  []string // references, which come after the entities
	// corrections join facts, so they come after them.
	corrections []string
	err         error
}

// scriptRows is how many rows a statement of a script holds.
const scriptRows = 100

func newScript(w io.Writer, owner string) *script {
	s := &script{w: w, owner: owner}
	s.printf("// A memory of Acervo, for: cypher-shell -f FILE\n")
	for _, m := range cypher.Migrations() {
		for _, text := range m.Statements {
			s.printf("%s;\n", strings.Join(strings.Fields(text), " "))
		}
		s.printf("MERGE (m:AcervoSchema {name: %s}) ON CREATE SET m.checksum = %s, m.applied_at = datetime();\n", cypher.Quote(m.Name), cypher.Quote(m.Checksum))
	}
	s.printf("CALL db.awaitIndexes(300);\n")
	for _, t := range append(ontology.BuiltinTypes(), ontology.Type{Name: ontology.Unknown, Origin: ontology.OriginBuiltin}) {
		s.typ(t)
	}
	for _, r := range ontology.BuiltinRelations() {
		s.relationType(r)
	}
	return s
}

func (s *script) printf(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

func (s *script) typ(t ontology.Type) {
	s.printf("MERGE (t:AcervoType {key: %s}) ON CREATE SET t.name = %s, t.attributes = %s, t.layer_default = %s, t.origin = %s, t.created_at = datetime();\n",
		cypher.Quote(ontology.Fold(t.Name)), cypher.Quote(t.Name), literal(anyList(t.Attributes)), literal(orNull(t.LayerDefault)), cypher.Quote(string(t.Origin)))
}

func (s *script) relationType(r ontology.Relation) {
	s.printf("MERGE (r:AcervoRelation {key: %s}) ON CREATE SET r.name = %s, r.origin = %s, r.single_valued = %v, r.created_at = datetime();\n",
		cypher.Quote(ontology.Fold(r.Name)), cypher.Quote(r.Name), cypher.Quote(string(r.Origin)), r.SingleValued)
}

func anyList(list []string) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}

// The statements that rows are for. SET n[key] takes names of any kind.
const (
	scriptHeld   = "SET n += row.held FOREACH (p IN row.more | SET n[p[0]] = p[1])"
	scriptEntity = "MERGE (n:AcervoEntity {owner: row.owner, id: row.id}) ON CREATE " + scriptHeld + " SET n:$(row.labels)"
	scriptAlias  = "MERGE (n:AcervoAlias {owner: row.owner, id: row.id, entity: row.entity}) ON CREATE " + scriptHeld
	scriptFact   = "MATCH (e:AcervoEntity {owner: row.place[0], id: row.place[1]}) MERGE (n:AcervoFact {key: row.key}) ON CREATE SET n.owner = row.owner " +
		scriptHeld + " SET n:$(row.labels) FOREACH (_ IN CASE WHEN n.valid_to IS NULL THEN [1] END | MERGE (e)-[:HAS_FACT]->(n)) " +
		"FOREACH (_ IN CASE WHEN n.valid_to IS NOT NULL THEN [1] END | MERGE (e)-[:HAD_FACT]->(n))"
	scriptEnded      = "MERGE (n:AcervoEnded {owner: row.owner, key: row.key}) ON CREATE " + scriptHeld
	scriptSession    = "MERGE (n:AcervoSession {owner: row.owner, id: row.id}) ON CREATE " + scriptHeld
	scriptReference  = "MERGE (:AcervoReference {owner: row.owner, id: row.id})"
	scriptSupersedes = "MATCH (a:AcervoFact {key: row.key}) MATCH (b:AcervoFact {key: row.ended}) MERGE (a)-[:SUPERSEDES]->(b)"
	scriptEnds       = "MATCH (a:AcervoEntity {owner: row.from[0], id: row.from[1]}) MATCH (b:AcervoEntity {owner: row.to[0], id: row.to[1]}) "
	scriptRelation   = scriptEnds + "MERGE (a)-[n:`%s` {owner: row.owner}]->(b) ON CREATE " + scriptHeld
	scriptDynamic    = scriptEnds + "WHERE NOT EXISTS { (a)-[r {owner: row.owner}]->(b) WHERE type(r) = row.type } CREATE (a)-[n:$(row.type) {owner: row.owner}]->(b) " + scriptHeld
	scriptRefers     = "MERGE (a:AcervoReference {owner: row.owner, id: row.id}) WITH row, a " +
		"OPTIONAL MATCH (e:AcervoEntity {owner: row.owner, id: row.other}) WHERE NOT row.universal " +
		"FOREACH (_ IN CASE WHEN row.universal THEN [1] END | MERGE (b:AcervoReference {owner: row.owner, id: row.other}) MERGE (a)-[n:REFERS {type: row.type, outgoing: row.outgoing}]->(b) SET n += row.held) " +
		"FOREACH (_ IN CASE WHEN e IS NOT NULL THEN [1] END | MERGE (a)-[n:REFERS {type: row.type, outgoing: row.outgoing}]->(e) SET n += row.held)"
)

// row adds a row for a statement, and writes those of another one before it.
func (s *script) row(statement string, fields ...string) {
	if s.kind != statement || len(s.rows) == scriptRows {
		s.flush()
		s.kind = statement
	}
	s.rows = append(s.rows, "{"+strings.Join(fields, ", ")+"}")
}

func (s *script) flush() {
	s.all(s.rows, s.kind)
	s.rows = s.rows[:0]
}

func field(name string, v any) string { return name + ": " + literal(v) }

// heldFields are properties: those with plain names, and the others as pairs.
func heldFields(h held) []string {
	var plain, more []string
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if cypher.Plain(name) {
			plain = append(plain, "`"+name+"`: "+literal(h[name]))
		} else {
			more = append(more, "["+cypher.Quote(name)+", "+literal(h[name])+"]")
		}
	}
	return []string{"held: {" + strings.Join(plain, ", ") + "}", "more: [" + strings.Join(more, ", ") + "]"}
}

func (s *script) owned() string { return field("owner", s.owner) }

// place is the owner and the id of a key.
func (s *script) place(k layers.Key) []any {
	owner, id := place(s.owner, k)
	return []any{owner, id}
}

func (s *script) write(l *exportLine) error {
	switch {
	case l.Type != nil:
		s.flush()
		s.typ(ontology.Type{Name: l.Type.Name, LayerDefault: l.Type.LayerDefault, Origin: ontology.Origin(l.Type.Origin)})
	case l.RelationType != nil:
		s.flush()
		s.relationType(ontology.Relation{Name: l.RelationType.Name, Origin: ontology.Origin(l.RelationType.Origin), SingleValued: l.RelationType.SingleValued})
	case l.Shared != nil:
		status, pending := layers.PendingVerification, []any{}
		if l.Shared.Type == ontology.Unknown {
			status, pending = layers.Incomplete, []any{"tipo"}
		}
		now := time.Unix(0, 0).UTC()
		h := held{
			"owner_digest": ownerDigest(layers.WorldOwner), "label": l.Shared.Label, "type": l.Shared.Type, "layer": string(layers.Universal), "source": layers.SourceWorld, "status": string(status),
			"confidence_for_owner": 1.0, "pending_fields": pending, "aliases": []any{}, "created_at": now, "updated_at": now,
		}
		s.row(scriptEntity, append(heldFields(h), field("owner", layers.WorldOwner), field("id", l.Shared.ID), field("labels", []any{layers.Universal.Label(), l.Shared.Type}))...)
		s.late = append(s.late, "{"+s.owned()+", "+field("id", l.Shared.ID)+"}")
	case l.Entity != nil:
		layer := layers.Layer(stringOf(l.Entity["layer"]))
		s.row(scriptEntity, append(heldFields(digested(l.Entity, s.owner)), s.owned(), field("id", l.Entity["id"]), field("labels", []any{layer.Label(), stringOf(l.Entity["type"])}))...)
	case l.Alias != nil:
		s.references()
		s.row(scriptAlias, append(heldFields(digested(l.Alias, s.owner)), s.owned(), field("id", l.Alias["id"]), field("entity", l.Alias["entity"]))...)
	case l.Fact != nil:
		s.references()
		s.fact(l.Fact)
	case l.Relation != nil:
		s.references()
		s.relation(l.Relation)
	case l.Ended != nil:
		s.row(scriptEnded, append(heldFields(l.Ended), s.owned(), field("key", l.Ended["key"]))...)
	case l.Session != nil:
		s.row(scriptSession, append(heldFields(l.Session), s.owned(), field("id", l.Session["id"]))...)
	}
	return s.err
}

// references writes the owner's references, after the entities.
func (s *script) references() {
	if len(s.late) > 0 {
		s.flush()
		s.all(s.late, scriptReference)
		s.late = nil
	}
}

// all writes rows for one statement.
func (s *script) all(rows []string, statement string) {
	for chunk := range slices.Chunk(rows, scriptRows) {
		s.printf("UNWIND [\n  %s\n] AS row\n%s;\n", strings.Join(chunk, ",\n  "), statement)
	}
}

func (s *script) fact(f *factLine) {
	about := layers.Key(stringOf(f.Held["about"]))
	key := factKey(s.owner, about, stringOf(f.Held["text"]))
	if f.Number != nil {
		key = endedKey(key, *f.Number)
	}
	layer := layers.Personal
	if s.owner == layers.WorldOwner {
		layer = layers.Universal
	}
	s.row(scriptFact, append(heldFields(digested(f.Held, s.owner)), s.owned(), field("key", key), field("place", s.place(about)), field("labels", layer.Label()))...)
	for _, old := range f.Supersedes {
		ended := endedKey(factKey(s.owner, about, old.Text), old.Number)
		s.corrections = append(s.corrections, "{"+field("key", key)+", "+field("ended", ended)+"}")
	}
}

func (s *script) relation(r *relationLine) {
	fields := append(heldFields(r.Held), s.owned(), field("from", s.place(r.From)), field("to", s.place(r.To)))
	if cypher.Plain(r.Type) {
		s.row(fmt.Sprintf(scriptRelation, r.Type), fields...)
	} else {
		s.row(scriptDynamic, append(fields, field("type", r.Type))...)
	}
	reference := referenceOf(map[string]any{}, r.From, r.To)
	if reference == nil {
		return
	}
	plain := heldFields(held(referenceHeld(r.Held)))[0]
	s.row(scriptRefers, plain, s.owned(), field("id", reference["id"]), field("other", reference["other"]), field("universal", reference["universal"]),
		field("outgoing", reference["outgoing"]), field("type", r.Type))
}

func (s *script) end() error {
	s.references()
	s.flush()
	s.all(s.corrections, scriptSupersedes)
	return s.err
}

// literal is a property as Cypher.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return cypher.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return floatLiteral(v)
	case []any:
		list := make([]string, len(v))
		for i := range v {
			list[i] = literal(v[i])
		}
		return "[" + strings.Join(list, ", ") + "]"
	case time.Time:
		text := v.Format(time.RFC3339Nano)
		if zone := v.Location().String(); strings.Contains(zone, "/") {
			text += "[" + zone + "]"
		}
		return "datetime(" + cypher.Quote(text) + ")"
	case dbtype.Date:
		return "date(" + cypher.Quote(v.Time().Format(time.DateOnly)) + ")"
	case dbtype.LocalTime:
		return "localtime(" + cypher.Quote(v.Time().Format(localTime)) + ")"
	case dbtype.LocalDateTime:
		return "localdatetime(" + cypher.Quote(v.Time().Format(localDateTime)) + ")"
	case dbtype.Time:
		return "time(" + cypher.Quote(v.Time().Format(offsetTime)) + ")"
	case dbtype.Duration:
		return fmt.Sprintf("duration({months: %d, days: %d, seconds: %d, nanoseconds: %d})", v.Months, v.Days, v.Seconds, v.Nanos)
	case dbtype.Point2D:
		return fmt.Sprintf("point({srid: %d, x: %s, y: %s})", v.SpatialRefId, floatLiteral(v.X), floatLiteral(v.Y))
	case dbtype.Point3D:
		return fmt.Sprintf("point({srid: %d, x: %s, y: %s, z: %s})", v.SpatialRefId, floatLiteral(v.X), floatLiteral(v.Y), floatLiteral(v.Z))
	}
	return cypher.Quote(fmt.Sprint(v))
}

func floatLiteral(f float64) string {
	switch {
	case math.IsNaN(f):
		return "(0.0 / 0.0)"
	case math.IsInf(f, 0):
		return fmt.Sprintf("(%d.0 / 0.0)", int(math.Copysign(1, f)))
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
