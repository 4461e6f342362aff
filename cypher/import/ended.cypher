// Creates ended relations as they were elsewhere.
//
// access:  write
// param:   rows LIST<MAP>       i, owner, key, held
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_ended_key
// plan:    Eager                nodes are read before the first is written; bounded by the batch
UNWIND $rows AS row
MERGE (n:AcervoEnded {owner: row.owner, key: row.key})
WITH row, n, n.type IS NULL AS created
FOREACH (_ IN CASE WHEN created THEN [1] END |
  SET n += row.held)
RETURN row.i AS i, created
