// Counts who uses UNIVERSAL entities: owners with relations, facts, a history or
// names of their own, and packs.
//
// access:  read
// param:   ids LIST<STRING>
// returns: id STRING
// returns: owners INTEGER
// returns: packs LIST<STRING>
// index:   acervo_reference_id
// index:   acervo_alias_entity
// index:   acervo_fact_about
// index:   acervo_ended_from
// index:   acervo_ended_to
// index:   acervo_entity_key
UNWIND $ids AS id
CALL (id) {
  CALL (id) {
    MATCH (ref:AcervoReference)
    USING INDEX ref:AcervoReference(id, owner)
    WHERE ref.id = id AND ref.owner IS NOT NULL AND ref.owner <> 'world'
      AND (EXISTS { (ref)-[:REFERS]-() }
        OR EXISTS { MATCH (f:AcervoFact) WHERE f.owner = ref.owner AND f.about = 'w:' + id AND f.created_at IS NOT NULL }
        OR EXISTS { MATCH (n:AcervoEnded) USING INDEX n:AcervoEnded(owner, from, key) WHERE n.owner = ref.owner AND n.from = 'w:' + id AND n.key IS NOT NULL }
        OR EXISTS { MATCH (n:AcervoEnded) USING INDEX n:AcervoEnded(owner, to, key) WHERE n.owner = ref.owner AND n.to = 'w:' + id AND n.key IS NOT NULL })
    RETURN ref.owner AS owner
  UNION
    MATCH (a:AcervoAlias)
    USING INDEX a:AcervoAlias(entity, owner)
    WHERE a.entity = 'w:' + id AND a.owner IS NOT NULL AND a.owner <> 'world'
    RETURN a.owner AS owner
  }
  RETURN count(owner) AS owners
}
RETURN id, owners,
       COLLECT { MATCH (e:AcervoEntity {owner: 'world', id: id})<-[:PROVIDES]-(p:AcervoPack) RETURN p.name ORDER BY p.name } AS packs
