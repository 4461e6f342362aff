// Marks UNIVERSAL entities as verified.
//
// access:  write
// param:   ids LIST<STRING>
// param:   now DATETIME
// returns: id STRING
// returns: changed BOOLEAN
// returns: verified_at DATETIME
// index:   acervo_entity_key
// plan:    Eager                entities are read before the first is written; bounded by the batch
UNWIND $ids AS id
MATCH (e:AcervoEntity {owner: 'world', id: id})
WITH e, e.verified_at IS NULL AS changed
FOREACH (_ IN CASE WHEN changed THEN [1] END |
  SET e.verified_at = $now, e.updated_at = $now, e.status = 'complete')
RETURN e.id AS id, changed, e.verified_at AS verified_at
