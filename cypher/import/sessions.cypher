// Creates sessions as they were elsewhere; those that are there stay as they are.
//
// access:  write
// param:   rows LIST<MAP>       i, owner, id, held
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_session_key
// plan:    Eager                sessions are read before the first is written; bounded by the batch
UNWIND $rows AS row
MERGE (s:AcervoSession {owner: row.owner, id: row.id})
WITH row, s, s.turn IS NULL AS created
FOREACH (_ IN CASE WHEN created THEN [1] END |
  SET s += row.held)
RETURN row.i AS i, created
