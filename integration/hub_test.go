package integration

import (
	"fmt"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cypher"
)

// TestHubs compares what reads touch in the database, which is the same in every
// run: an entity with many relations or facts costs about as much as one with few,
// be they the owner's own or, on a UNIVERSAL entity, those of other owners.
func TestHubs(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	place := owner + " place"
	world := upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}}).Entities[0]
	small := acervo.UpsertParams{NoActivation: true, Relations: []acervo.Relation{{From: "Me", To: place, Type: "VIVE_EN"}}}
	for _, hub := range []string{"Few", "Related", "Stated"} {
		for i := range 30 {
			small.Relations = append(small.Relations, acervo.Relation{From: hub, To: fmt.Sprint("x", i), Type: "CONOCE_A"})
			small.Facts = append(small.Facts, acervo.Fact{Entity: hub, Text: fmt.Sprint("fact ", i)})
		}
	}
	upsert(t, m, small)
	crowd := "crowd-" + owner
	crowded := make([]map[string]any, 5000)
	for i := range crowded {
		name := fmt.Sprint(crowd, i)
		crowded[i] = map[string]any{"name": name, "digest": ownerDigest(name)}
	}
	t.Cleanup(func() {
		query(t, "MATCH (n) WHERE n.owner STARTS WITH $crowd OR n.id = $place DETACH DELETE n", map[string]any{"crowd": crowd, "place": world.ID})
	})
	query(t, `MATCH (h:AcervoEntity {owner: $owner, id: 'related'}) UNWIND range(1, 20000) AS i
		CREATE (h)-[:CONOCE_A {owner: $owner, layer: 'PERSONAL'}]->(:AcervoEntity:Personal:Persona {owner: $owner, owner_digest: h.owner_digest, id: 'spoke_' + i, label: 'Spoke ' + i, layer: 'PERSONAL', type: 'Persona'})`, map[string]any{"owner": owner})
	query(t, `MATCH (h:AcervoEntity {owner: $owner, id: 'related'}) UNWIND range(1, 5000) AS i
		CREATE (:AcervoFact:Personal {owner: $owner, owner_digest: h.owner_digest, about: 'p:stated', key: $owner + i, text: 'fact ' + i, created_at: datetime(), sources: []})`, map[string]any{"owner": owner})
	query(t, `MATCH (h:AcervoEntity {owner: 'world', id: $place}) UNWIND $crowd AS c
		CREATE (h)<-[:VIVE_EN {owner: c.name, layer: 'PERSONAL'}]-(e:AcervoEntity:Personal:Persona {owner: c.name, owner_digest: c.digest, id: 'me', label: 'Me', layer: 'PERSONAL', type: 'Persona'})
		CREATE (:AcervoReference {owner: c.name, id: $place})-[:REFERS {type: 'VIVE_EN', outgoing: false, layer: 'PERSONAL'}]->(e)
		CREATE (h)-[:HAS_FACT]->(:AcervoFact:Personal {owner: c.name, owner_digest: c.digest, about: 'w:' + $place, key: c.name, text: 'x', created_at: datetime(), sources: []})`,
		map[string]any{"crowd": crowded, "place": world.ID})

	hits := func(key string) int64 {
		session := testDriver(t).NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j"})
		defer session.Close(t.Context())
		result, err := session.Run(t.Context(), "PROFILE "+cypher.EntityGet.Text, map[string]any{
			"owner": owner, "session": "none", "names": []string{}, "keys": []string{key}, "type": nil, "at": nil, "facts": 13, "relations": 13,
		})
		if err != nil {
			t.Fatal(err)
		}
		summary, err := result.Consume(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return totalHits(t, summary)
	}
	few := hits("p:few")
	for _, key := range []string{"p:related", "p:stated", "w:" + world.ID} {
		if n := hits(key); n > few+few/3 {
			t.Errorf("%s takes %d database hits, an entity with 30 relations and facts %d", key, n, few)
		}
	}
}

// TestRelateHub states a relation between two entities that are there, one of
// which has many relations: what that takes doesn't grow with them.
func TestRelateHub(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	upsert(t, m, persons("Hub", "Lone", "Ana", "Beto"))
	query(t, `MATCH (h:AcervoEntity {owner: $owner, id: 'hub'}) UNWIND range(1, 20000) AS i
		CREATE (h)-[:CONOCE_A {owner: $owner, layer: 'PERSONAL'}]->(e:AcervoEntity:Personal:Persona {owner: $owner, owner_digest: h.owner_digest, id: 'to_' + i, label: 'To ' + i, layer: 'PERSONAL', type: 'Persona'})
		CREATE (h)<-[:CONOCE_A {owner: $owner, layer: 'PERSONAL'}]-(e)`, map[string]any{"owner": owner})
	hits := func(from, to string) int64 {
		t.Helper()
		return hitsOf(t, func(tx acervo.Tx) {
			result, err := m.UpsertEntitiesTx(t.Context(), tx, acervo.UpsertParams{Relations: []acervo.Relation{{From: from, To: to, Type: "RELACIONADO_CON"}}})
			if err != nil || !result.Relations[0].Created {
				t.Fatalf("%+v, %v", result, err)
			}
		})
	}
	few := hits("Ana", "Beto")
	for _, ends := range [][2]string{{"Hub", "Lone"}, {"Lone", "Hub"}} {
		if n := hits(ends[0], ends[1]); n > few+few/3 {
			t.Errorf("%s to %s takes %d database hits, two entities without relations %d", ends[0], ends[1], n, few)
		}
	}
}

// totalHits reads the sum that the server draws below a profile.
func totalHits(t *testing.T, summary neo4j.ResultSummary) int64 {
	t.Helper()
	drawn, _ := summary.Profile().Arguments()["string-representation"].(string)
	m := accesses.FindStringSubmatch(drawn)
	if m == nil {
		t.Fatalf("no total in\n%s", drawn)
	}
	var n int64
	if _, err := fmt.Sscan(m[1], &n); err != nil {
		t.Fatal(err)
	}
	return n
}
