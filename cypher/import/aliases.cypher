// Creates aliases as they were elsewhere, of entities that are there.
//
// access:  write
// param:   rows LIST<MAP>       i, owner, id, entity, entity_owner, entity_id, held
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_alias_key
// index:   acervo_entity_key
// plan:    Eager                aliases are read before the first is written; bounded by the batch
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: row.entity_owner, id: row.entity_id})
MERGE (a:AcervoAlias {owner: row.owner, id: row.id, entity: row.entity})
WITH row, a, a.created_at IS NULL AS created
FOREACH (_ IN CASE WHEN created THEN [1] END |
  SET a += row.held)
RETURN row.i AS i, created
