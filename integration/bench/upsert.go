package main

import (
	"context"
	"fmt"
	"time"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/ontology"
)

// upsertStatement writes three entities, three relations and three facts, and
// makes the entities hot, as the API does when all of them are the owner's. It is
// one statement with nothing left to be decided by rows.
const upsertStatement = `
MERGE (a:AcervoEntity {owner: $owner, id: $a.id})
ON CREATE SET a:Personal:Persona, a.label = $a.label, a.type = 'Persona', a.layer = 'PERSONAL', a.source = 'user_assertion',
  a.confidence_for_owner = 1.0, a.status = 'complete', a.pending_fields = [], a.aliases = [], a.owner_digest = $digest, a.created_at = $now, a.updated_at = $now, a.edad = $a.edad
ON MATCH SET a.updated_at = CASE WHEN a.edad = $a.edad THEN a.updated_at ELSE $now END, a.edad = $a.edad
MERGE (b:AcervoEntity {owner: $owner, id: $b.id})
ON CREATE SET b:Personal:Organizacion, b.label = $b.label, b.type = 'Organizacion', b.layer = 'PERSONAL', b.source = 'user_assertion',
  b.confidence_for_owner = 1.0, b.status = 'complete', b.pending_fields = [], b.aliases = [], b.owner_digest = $digest, b.created_at = $now, b.updated_at = $now, b.tipo = $b.tipo
ON MATCH SET b.updated_at = CASE WHEN b.tipo = $b.tipo THEN b.updated_at ELSE $now END, b.tipo = $b.tipo
MERGE (c:AcervoEntity {owner: $owner, id: $c.id})
ON CREATE SET c:Personal:Proyecto, c.label = $c.label, c.type = 'Proyecto', c.layer = 'PERSONAL', c.source = 'user_assertion',
  c.confidence_for_owner = 1.0, c.status = 'complete', c.pending_fields = [], c.aliases = [], c.owner_digest = $digest, c.created_at = $now, c.updated_at = $now, c.estado = $c.estado
ON MATCH SET c.updated_at = CASE WHEN c.estado = $c.estado THEN c.updated_at ELSE $now END, c.estado = $c.estado
MERGE (a)-[r:TRABAJA_EN {owner: $owner}]->(b)
ON CREATE SET r.layer = 'PERSONAL', r.source = 'user_assertion', r.confidence = 1.0, r.created_at = $now, r.valid_from = $now
SET r.last_seen_at = $now
MERGE (a)-[s:RELACIONADO_CON {owner: $owner}]->(c)
ON CREATE SET s.layer = 'PERSONAL', s.source = 'user_assertion', s.confidence = 1.0, s.created_at = $now, s.valid_from = $now
SET s.last_seen_at = $now
MERGE (c)-[t:PERTENECE_A {owner: $owner}]->(b)
ON CREATE SET t.layer = 'PERSONAL', t.source = 'user_assertion', t.confidence = 1.0, t.created_at = $now, t.valid_from = $now
SET t.last_seen_at = $now
MERGE (f:AcervoFact {key: $a.key})
ON CREATE SET f:Personal, f.owner = $owner, f.owner_digest = $digest, f.about = $a.about, f.text = $a.text, f.source = 'user', f.sources = ['user'],
  f.confidence = 1.0, f.created_at = $a.at, f.valid_from = $a.at
ON MATCH SET f.sources = CASE WHEN 'user' IN f.sources THEN f.sources ELSE f.sources + ['user'] END
MERGE (a)-[:HAS_FACT]->(f)
MERGE (g:AcervoFact {key: $b.key})
ON CREATE SET g:Personal, g.owner = $owner, g.owner_digest = $digest, g.about = $b.about, g.text = $b.text, g.source = 'user', g.sources = ['user'],
  g.confidence = 1.0, g.created_at = $b.at, g.valid_from = $b.at
ON MATCH SET g.sources = CASE WHEN 'user' IN g.sources THEN g.sources ELSE g.sources + ['user'] END
MERGE (b)-[:HAS_FACT]->(g)
MERGE (h:AcervoFact {key: $c.key})
ON CREATE SET h:Personal, h.owner = $owner, h.owner_digest = $digest, h.about = $c.about, h.text = $c.text, h.source = 'user', h.sources = ['user'],
  h.confidence = 1.0, h.created_at = $c.at, h.valid_from = $c.at
ON MATCH SET h.sources = CASE WHEN 'user' IN h.sources THEN h.sources ELSE h.sources + ['user'] END
MERGE (c)-[:HAS_FACT]->(h)
MERGE (x:AcervoSession {owner: $owner, id: $session})
ON CREATE SET x.turn = 0, x.hot = [$a.about, $b.about, $c.about], x.warm = [], x.updated_at = $now
ON MATCH SET x.updated_at = $now, x.warm = [k IN x.warm WHERE NOT k IN [$a.about, $b.about, $c.about]],
  x.hot = ([$a.about, $b.about, $c.about] + [k IN x.hot WHERE NOT k IN [$a.about, $b.about, $c.about]])[..10000]`

// triple is what one upsert says.
type triple struct {
	labels, texts [3]string
	attributes    [3]map[string]any
}

func tripleOf(n int) triple {
	return triple{
		labels: [3]string{fmt.Sprint("Vecina ", n), fmt.Sprint("Cooperativa ", n), fmt.Sprint("Galpon ", n)},
		texts: [3]string{
			fmt.Sprintf("la vecina %d trabaja los martes por la tarde", n),
			fmt.Sprintf("la cooperativa %d compra frutas en el valle", n),
			fmt.Sprintf("el galpón %d está casi terminado", n),
		},
		attributes: [3]map[string]any{{"edad": int64(20 + n%60)}, {"tipo": "cooperativa"}, {"estado": "activo"}},
	}
}

func (t triple) baseline(ctx context.Context, b *bench, owner, session string) error {
	now := b.now()
	params := map[string]any{"owner": owner, "digest": ownerDigest(owner), "session": session, "now": now}
	for i, name := range []string{"a", "b", "c"} {
		id, err := ontology.ID(t.labels[i])
		if err != nil {
			return err
		}
		about := "p:" + id
		p := map[string]any{
			"id": id, "label": t.labels[i], "about": about, "key": factKey(owner, about, t.texts[i]), "text": t.texts[i],
			"at": now.Add(time.Duration(i) * time.Microsecond),
		}
		for k, v := range t.attributes[i] {
			p[k] = v
		}
		params[name] = p
	}
	_, err := b.once(ctx, upsertStatement, params)
	return err
}

func (t triple) ours(ctx context.Context, b *bench, owner, session string) error {
	var params acervo.UpsertParams
	for i, typ := range []string{"Persona", "Organizacion", "Proyecto"} {
		params.Entities = append(params.Entities, acervo.Entity{Name: t.labels[i], Type: typ, Attributes: t.attributes[i]})
		params.Facts = append(params.Facts, acervo.Fact{Entity: t.labels[i], Text: t.texts[i]})
	}
	params.Relations = []acervo.Relation{
		{From: t.labels[0], To: t.labels[1], Type: "TRABAJA_EN"},
		{From: t.labels[0], To: t.labels[2], Type: "RELACIONADO_CON"},
		{From: t.labels[2], To: t.labels[1], Type: "PERTENECE_A"},
	}
	_, err := b.client.Memory(owner).WithSession(session).UpsertEntities(ctx, params)
	return err
}

// upsertOf is an upsert of three entities, relations and facts: new ones, or the
// same again.
func upsertOf(name, about string, again bool) scenario {
	return scenario{name: name, about: about, target: target{ratio: 1.2}, setup: func(ctx context.Context, b *bench) (*sides, error) {
		number := func(n int) int {
			if again {
				return 0
			}
			return n
		}
		// Of sessions that a turn ends now and then; else their lists would grow.
		session := func(n int) string { return fmt.Sprint("s", n/20) }
		owners := [2]string{b.owner(name, "baseline"), b.owner(name, "ours")}
		return &sides{
			baseline: func(ctx context.Context, n int, _ *recorder) error {
				return tripleOf(number(n)).baseline(ctx, b, owners[0], session(n))
			},
			ours: func(ctx context.Context, n int, _ *recorder) error {
				return tripleOf(number(n)).ours(ctx, b, owners[1], session(n))
			},
			same: func(ctx context.Context) error {
				times := func(f func(triple, context.Context, *bench, string, string) error) func() error {
					return func() error {
						for _, n := range []int{1, 2, 1} {
							if err := f(tripleOf(number(n)), ctx, b, owners[0], "same"); err != nil {
								return err
							}
						}
						return nil
					}
				}
				return b.sameGraph(ctx, owners[0], times(triple.baseline), times(triple.ours))
			},
		}, nil
	}}
}
