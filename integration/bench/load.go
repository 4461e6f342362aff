package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/ontology"
)

// loader writes a generated graph for an owner who has nothing yet.
type loader func(ctx context.Context, b *bench, owner string, d data) error

// oursLoad is the API's way to load much at once.
var oursLoad loader = upsertLoader

// upsertLoader stores entities with their facts, then relations, in the largest
// batches that a call takes.
func upsertLoader(ctx context.Context, b *bench, owner string, d data) error {
	m := b.client.Memory(owner)
	const entities, relations = 5_000, 10_000
	for at := 0; at < d.entities; at += entities {
		params := acervo.UpsertParams{NoActivation: true}
		for i := at; i < min(at+entities, d.entities); i++ {
			params.Entities = append(params.Entities, d.apiEntity(i))
			for f := i * d.perEntity(); f < (i+1)*d.perEntity(); f++ {
				params.Facts = append(params.Facts, d.apiFact(f))
			}
		}
		if _, err := m.UpsertEntities(ctx, params); err != nil {
			return err
		}
	}
	for at := 0; at < d.relations(); at += relations {
		params := acervo.UpsertParams{NoActivation: true}
		for i := at; i < min(at+relations, d.relations()); i++ {
			params.Relations = append(params.Relations, d.apiRelation(i))
		}
		if _, err := m.UpsertEntities(ctx, params); err != nil {
			return err
		}
	}
	return nil
}

// loadTuning says how the hand-written loader works. The zero value is the
// fastest way that was found, see docs/performance.md.
type loadTuning struct {
	parallel  int // transactions with entities at once; default 4
	entities  int // entities, with their facts, of a transaction; default 2,000
	relations int // relations of a transaction; default 10,000
	// merge finds what is there, so that the load can be repeated; entities are
	// then found by their keys, and not by the numbers of their records.
	merge bool
}

const (
	loadEntities = `UNWIND $rows AS row
CREATE (e:AcervoEntity:Personal:$(row[0]) {owner: $owner, owner_digest: $digest, id: row[1], label: row[2], type: row[0], layer: 'PERSONAL',
  source: 'user_assertion', confidence_for_owner: 1.0, status: 'complete', pending_fields: [], aliases: [],
  created_at: $now, updated_at: $now})
SET e += row[3]
FOREACH (f IN row[5] |
  CREATE (e)-[:HAS_FACT]->(:AcervoFact:Personal {key: f[0], owner: $owner, owner_digest: $digest, about: row[4], text: f[1], source: 'user', sources: ['user'],
    confidence: 1.0, created_at: f[2], valid_from: f[2]}))
RETURN collect(id(e)) AS records`

	loadRelations = `UNWIND $rows AS row
MATCH (a) WHERE id(a) = row[0]
MATCH (b) WHERE id(b) = row[1]
CREATE (a)-[:$(row[2]) {owner: $owner, layer: 'PERSONAL', source: 'user_assertion', confidence: 1.0,
  created_at: $now, valid_from: $now, last_seen_at: $now}]->(b)`

	mergeEntities = `UNWIND $rows AS row
MERGE (e:AcervoEntity {owner: $owner, id: row[1]})
ON CREATE SET e.owner_digest = $digest, e.label = row[2], e.type = row[0], e.layer = 'PERSONAL', e.source = 'user_assertion', e.confidence_for_owner = 1.0,
  e.status = 'complete', e.pending_fields = [], e.aliases = [], e.created_at = $now, e.updated_at = $now, e:Personal:$(row[0]), e += row[3]
FOREACH (f IN row[5] |
  MERGE (n:AcervoFact {key: f[0]})
  ON CREATE SET n.owner = $owner, n.owner_digest = $digest, n.about = row[4], n.text = f[1], n.source = 'user', n.sources = ['user'],
    n.confidence = 1.0, n.created_at = f[2], n.valid_from = f[2], n:Personal
  MERGE (e)-[:HAS_FACT]->(n))
RETURN collect(id(e)) AS records`

	// mergeRelations is for one type, which is one of [relationTypes].
	mergeRelations = `UNWIND $rows AS row
MATCH (a) WHERE id(a) = row[0]
MATCH (b) WHERE id(b) = row[1]
MERGE (a)-[r:%s {owner: $owner}]->(b)
ON CREATE SET r.layer = 'PERSONAL', r.source = 'user_assertion', r.confidence = 1.0, r.created_at = $now, r.valid_from = $now
SET r.last_seen_at = $now`
)

// load is the hand-written loader. Entities go in with their facts, which
// needs no lookup of the entity, and give the numbers of their records back. By
// these, relations find their ends without an index.
func (t loadTuning) load(ctx context.Context, b *bench, owner string, d data) error {
	t.parallel, t.entities, t.relations = cmp.Or(t.parallel, 4), cmp.Or(t.entities, 2_000), cmp.Or(t.relations, 10_000)
	now := b.now()
	records := make([]int64, d.entities)
	if err := t.loadEntities(ctx, b, owner, d, now, records); err != nil {
		return err
	}
	return t.loadRelations(ctx, b, owner, d, now, records)
}

func (t loadTuning) loadEntities(ctx context.Context, b *bench, owner string, d data, now time.Time, records []int64) error {
	statement := loadEntities
	if t.merge {
		statement = mergeEntities
	}
	work, ctx := atOnce(ctx, t.parallel)
	for at := 0; at < d.entities; at += t.entities {
		work.do(func() error {
			last := min(at+t.entities, d.entities)
			rows := make([]any, 0, last-at)
			for i := at; i < last; i++ {
				e := d.entity(i)
				about := "p:" + e.id
				facts := make([]any, 0, 2)
				for f := i * d.perEntity(); f < (i+1)*d.perEntity(); f++ {
					_, text := d.fact(f)
					facts = append(facts, []any{factKey(owner, about, text), text, now.Add(time.Duration(f) * time.Microsecond)})
				}
				rows = append(rows, []any{e.typ, e.id, e.label, e.attributes, about, facts})
			}
			answer, err := b.write(ctx, statement, map[string]any{"rows": rows, "owner": owner, "digest": ownerDigest(owner), "now": now})
			if err != nil {
				return err
			}
			for i, record := range answer[0].Values[0].([]any) {
				records[at+i] = record.(int64)
			}
			return nil
		})
	}
	return work.wait()
}

// factKey is what makes a statement of an owner about an entity unique. The
// texts here are folded by one function of the ontology, as they have to be.
func factKey(owner, about, text string) string {
	text = ontology.FactKey(text)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%d:%s%d:%s", len(owner), owner, len(about), about, len(text), text))
	return hex.EncodeToString(sum[:])
}

// ownerDigest stands for an owner in the full-text index.
func ownerDigest(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return strconv.FormatUint(binary.BigEndian.Uint64(sum[:]), 10)
}

// loadRelations writes relations one transaction after the other: of two that run
// at once, one is often ended by a deadlock, also where they have no entity in
// common, since a new relationship locks the one before it in the chain of each
// of its ends, which may lead to an entity of the other transaction.
func (t loadTuning) loadRelations(ctx context.Context, b *bench, owner string, d data, now time.Time, records []int64) error {
	rows := make([]any, 0, t.relations)
	for i := range d.relations() {
		from, to, typ := d.relation(i)
		rows = append(rows, []any{records[from], records[to], relationTypes[typ]})
		if len(rows) == t.relations || i+1 == d.relations() {
			if err := t.writeRelations(ctx, b, owner, now, rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return nil
}

func (t loadTuning) writeRelations(ctx context.Context, b *bench, owner string, now time.Time, rows []any) error {
	params := map[string]any{"rows": rows, "owner": owner, "now": now}
	if !t.merge {
		_, err := b.write(ctx, loadRelations, params)
		return err
	}
	groups := map[string][]any{}
	for _, row := range rows {
		typ := row.([]any)[2].(string)
		groups[typ] = append(groups[typ], row)
	}
	for typ, group := range groups {
		params["rows"] = group
		if _, err := b.write(ctx, fmt.Sprintf(mergeRelations, typ), params); err != nil {
			return err
		}
	}
	return nil
}

// once runs one statement in one round trip, which begins and commits. After an
// error nothing is tried again.
func (b *bench) once(ctx context.Context, statement string, params map[string]any) ([]*neo4j.Record, error) {
	session := b.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: "neo4j", FetchSize: neo4j.FetchAll})
	defer session.Close(ctx)
	result, err := session.Run(ctx, statement, params)
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

// write runs one statement in a transaction: beginning it takes no round trip of
// its own this way.
func (b *bench) write(ctx context.Context, statement string, params map[string]any) ([]*neo4j.Record, error) {
	result, err := neo4j.ExecuteQuery(ctx, b.driver, statement, params, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase("neo4j"), neo4j.ExecuteQueryWithBookmarkManager(nil))
	if err != nil {
		return nil, err
	}
	return result.Records, nil
}
