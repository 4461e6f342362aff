// Drops entities of a pack: those that it made and that nothing else uses are
// deleted with their names and vectors, the others stay.
//
// access:  write
// param:   pack STRING
// param:   rows LIST<MAP>       id, used: an owner uses it
// returns: id STRING
// returns: removed BOOLEAN
// index:   acervo_entity_key
// index:   acervo_alias_entity
// index:   acervo_reference_id
// index:   acervo_vector_key
// plan:    CartesianProduct     of two unique index seeks
// plan:    Eager                entities are found before the first is deleted; bounded by the batch
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: 'world', id: row.id})
USING INDEX e:AcervoEntity(owner, id)
MATCH (e)<-[x:PROVIDES]-(p:AcervoPack)
WHERE p.name = $pack
WITH row, e, x, EXISTS { MATCH (e)<-[:PROVIDES]-(o:AcervoPack) WHERE o.name <> $pack } AS shared
WITH row, e, x, x.created AND NOT shared AS own, NOT x.created AND x.verified AND NOT shared AS candidate,
     row.used OR EXISTS { (e)--(:AcervoEntity) } OR EXISTS { (e)-[:HAS_FACT|HAD_FACT]->() } AS used
WITH row, e, x, candidate, own AND NOT used AS gone, own AND used AS left
CALL (e, x) {
  MATCH (e)<-[y:PROVIDES]-(o:AcervoPack)
  WHERE o.name <> $pack
  SET y.created = y.created OR x.created, y.verified = y.verified OR x.verified // it is theirs to remove now
}
DELETE x
FOREACH (_ IN CASE WHEN left THEN [1] END |
  SET e.from_pack = true) // if a pack brings it again, its removal takes it
FOREACH (_ IN CASE WHEN candidate THEN [1] END |
  REMOVE e.verified_at) // it was there before, and the pack alone vouched for it
WITH row, e, gone
CALL (row, e, gone) {
  WITH row, e
  WHERE gone
  OPTIONAL MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(entity, owner)
  WHERE a.entity = 'w:' + row.id AND a.owner IS NOT NULL
  DETACH DELETE a
  WITH DISTINCT row, e
  OPTIONAL MATCH (ref:AcervoReference)
  USING INDEX ref:AcervoReference(id, owner)
  WHERE ref.id = row.id AND ref.owner IS NOT NULL
  DETACH DELETE ref
  WITH DISTINCT row, e
  SET e.layer = e.layer // locked, so that it gets no other vector
  WITH row, e
  OPTIONAL MATCH (v:AcervoVector {owner: 'world', id: row.id})
  DETACH DELETE v
  WITH DISTINCT e
  DETACH DELETE e
}
RETURN row.id AS id, gone AS removed
