// Creates entities as they were elsewhere; those that are there stay as they are.
//
// access:  write
// param:   rows LIST<MAP>       i, owner, id, held, labels
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_entity_key
// plan:    Eager                entities are read before the first is written; bounded by the batch
UNWIND $rows AS row
MERGE (e:AcervoEntity {owner: row.owner, id: row.id})
WITH row, e, e.created_at IS NULL AS created
FOREACH (_ IN CASE WHEN created THEN [1] END |
  SET e += row.held, e:$(row.labels))
RETURN row.i AS i, created
