package main

import (
	"context"
	"fmt"

	"github.com/acervo-graph/acervo/acervo"
)

// hubs is an owner who has two crowded entities, and two like them that aren't.
type hubs struct {
	owner string
	plain []string // names of entities with a few relations and facts
	// personal and universal name an entity that isn't crowded, and one that is.
	personal, universal [2]string
}

const (
	crowdRelations = `MATCH (h:AcervoEntity {owner: $owner, id: $id})
UNWIND range($from, $to) AS i
CREATE (h)-[:RELACIONADO_CON {owner: $owner, layer: 'PERSONAL', source: 'user_assertion', confidence: 1.0, created_at: $now, valid_from: $now, last_seen_at: $now}]->
  (:AcervoEntity:Personal:Persona {owner: $owner, owner_digest: $digest, id: 'rayo_' + i, label: 'Rayo ' + i, type: 'Persona', layer: 'PERSONAL', source: 'user_assertion',
    confidence_for_owner: 1.0, status: 'complete', pending_fields: [], aliases: [], created_at: $now, updated_at: $now})`

	crowdFacts = `MATCH (h:AcervoEntity {owner: $owner, id: $id})
UNWIND range($from, $to) AS i
CREATE (h)-[:HAS_FACT]->(:AcervoFact:Personal {key: $owner + ' ' + i, owner: $owner, owner_digest: $digest, about: 'p:' + $id, text: 'se anotó el detalle número ' + i,
  source: 'user', sources: ['user'], confidence: 1.0, created_at: $now + duration({microseconds: i}), valid_from: $now})`

	// crowdOwners makes other owners, each with ten entities that are related to a
	// UNIVERSAL one, the reference that goes with it, and a fact about it.
	crowdOwners = `MATCH (h:AcervoEntity {owner: 'world', id: $id})
UNWIND $crowd AS c
CREATE (ref:AcervoReference {owner: c.owner, id: $id})
CREATE (h)-[:HAS_FACT]->(:AcervoFact:Personal {key: c.owner, owner: c.owner, owner_digest: c.digest, about: 'w:' + $id, text: 'lo visitamos en el verano ' + c.n,
  source: 'user', sources: ['user'], confidence: 1.0, created_at: $now, valid_from: $now})
WITH h, ref, c
UNWIND range(1, 10) AS i
CREATE (e:AcervoEntity:Personal:Persona {owner: c.owner, owner_digest: c.digest, id: 'persona_' + i, label: 'Persona ' + i, type: 'Persona', layer: 'PERSONAL', source: 'user_assertion',
  confidence_for_owner: 1.0, status: 'complete', pending_fields: [], aliases: [], created_at: $now, updated_at: $now})
CREATE (e)-[:VIVE_EN {owner: c.owner, layer: 'PERSONAL', source: 'user_assertion', confidence: 1.0, created_at: $now, valid_from: $now, last_seen_at: $now}]->(h)
CREATE (ref)-[:REFERS {type: 'VIVE_EN', outgoing: false, layer: 'PERSONAL', source: 'user_assertion', confidence: 1.0, created_at: $now, valid_from: $now, last_seen_at: $now}]->(e)`
)

// crowded makes the hubs once in a run.
func (b *bench) crowded(ctx context.Context) (*hubs, error) {
	if b.hubs != nil {
		return b.hubs, nil
	}
	place := func(what string) string { return b.worldPrefix() + what }
	h := &hubs{owner: b.owner("hubs"), personal: [2]string{"Pocos", "Centro"}, universal: [2]string{place("pueblo"), place("ciudad")}}
	m := b.client.Memory(h.owner)
	public := acervo.UpsertParams{Entities: []acervo.Entity{{Name: h.universal[0], Type: "Lugar"}, {Name: h.universal[1], Type: "Lugar"}}}
	if _, err := b.client.World().UpsertEntities(ctx, public); err != nil {
		return nil, err
	}
	own := acervo.UpsertParams{NoActivation: true}
	add := func(name, relation string, relations, facts int) {
		own.Entities = append(own.Entities, acervo.Entity{Name: name, Type: "Lugar"})
		for i := range relations {
			other := fmt.Sprint("Vecino ", i)
			own.Entities = append(own.Entities, acervo.Entity{Name: other, Type: "Persona"})
			own.Relations = append(own.Relations, acervo.Relation{From: name, To: other, Type: relation})
		}
		for i := range facts {
			own.Facts = append(own.Facts, acervo.Fact{Entity: name, Text: fmt.Sprintf("se anotó el detalle número %d", i)})
		}
	}
	for i := range 19 {
		h.plain = append(h.plain, fmt.Sprint("Llano ", i))
		add(h.plain[i], "RELACIONADO_CON", 6, 4)
	}
	for i := range 2 {
		add(h.personal[i], "RELACIONADO_CON", 30, 30)
		add(h.universal[i], "RELACIONADO_CON", 5, 5)
	}
	if _, err := m.UpsertEntities(ctx, own); err != nil {
		return nil, err
	}
	for _, c := range []struct {
		statement, id string
		n, each       int
	}{
		{crowdRelations, "centro", b.hub, 5_000},
		{crowdFacts, "centro", b.hub / 10, 5_000},
		{crowdOwners, h.universal[1], b.hub / 10, 500},
	} {
		for from := 1; from <= c.n; from += c.each {
			to := min(from+c.each-1, c.n)
			var crowd []map[string]any
			for n := from; n <= to; n++ {
				owner := b.crowd(n)
				crowd = append(crowd, map[string]any{"n": int64(n), "owner": owner, "digest": ownerDigest(owner)})
			}
			_, err := b.write(ctx, c.statement, map[string]any{
				"owner": h.owner, "digest": ownerDigest(h.owner), "id": c.id, "crowd": crowd, "from": int64(from), "to": int64(to), "now": b.now(),
			})
			if err != nil {
				return nil, err
			}
		}
	}
	b.hubs = h
	return h, nil
}

// hubRead compares a read that meets a hub with the same read of an entity that
// is none, among the same other nodes.
func hubRead(name, about string, which func(*hubs) [2]string, read func(ctx context.Context, m *acervo.Memory, name string) error, materialize bool) scenario {
	return scenario{name: name, about: about, target: target{ratio: 1.3}, setup: func(ctx context.Context, b *bench) (*sides, error) {
		h, err := b.crowded(ctx)
		if err != nil {
			return nil, err
		}
		var both [2]side
		for i, entity := range which(h) {
			m := b.client.Memory(h.owner).WithSession(fmt.Sprint(name, i))
			if materialize {
				if _, err := m.Mention(ctx, acervo.MentionParams{Names: append([]string{entity}, h.plain...)}); err != nil {
					return nil, err
				}
			}
			both[i] = func(ctx context.Context, _ int, _ *recorder) error { return read(ctx, m, entity) }
		}
		return &sides{baseline: both[0], ours: both[1], same: func(ctx context.Context) error { return b.checkHub(ctx, h, which(h)) }}, nil
	}}
}

// checkHub checks that one of two entities is crowded and the other is not.
func (b *bench) checkHub(ctx context.Context, h *hubs, names [2]string) error {
	var degrees [2]int64
	for i, name := range names {
		node, err := b.client.Memory(h.owner).Node(ctx, acervo.NodeParams{Name: name})
		if err != nil {
			return err
		}
		n := node.Nodes[0]
		if len(n.Facts) < 5 || len(n.Relations) < 5 {
			return fmt.Errorf("%s has %d facts and %d relations", name, len(n.Facts), len(n.Relations))
		}
		owner := "world"
		if n.Owner != nil {
			owner = *n.Owner
		}
		records, err := b.write(ctx, `MATCH (e:AcervoEntity {owner: $owner, id: $id}) RETURN COUNT { (e)--() }`, map[string]any{"owner": owner, "id": n.ID})
		if err != nil {
			return err
		}
		degrees[i] = records[0].Values[0].(int64)
	}
	if degrees[1] < degrees[0]+int64(b.hub) {
		return fmt.Errorf("the hub has %d relationships, the other %d", degrees[1], degrees[0])
	}
	return nil
}

func hubScenarios() []scenario {
	personal := func(h *hubs) [2]string { return h.personal }
	universal := func(h *hubs) [2]string { return h.universal }
	node := func(ctx context.Context, m *acervo.Memory, name string) error {
		_, err := m.Node(ctx, acervo.NodeParams{Name: name, MaxFacts: 10, MaxRelations: 10})
		return err
	}
	context20 := func(ctx context.Context, m *acervo.Memory, _ string) error {
		_, err := m.Materialize(ctx, acervo.MaterializeParams{})
		return err
	}
	return []scenario{
		hubRead("hub-personal-context", "Materialize with 20 hot nodes, one of them an owner's own hub", personal, context20, true),
		hubRead("hub-personal-node", "Node of an owner's own hub", personal, node, false),
		hubRead("hub-universal-context", "Materialize with 20 hot nodes, one of them a hub of 10,000 other owners", universal, context20, true),
		hubRead("hub-universal-node", "Node of a hub of 10,000 other owners", universal, node, false),
	}
}
