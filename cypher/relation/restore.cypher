// Creates relations of one type with all that they held, or adds to those that
// are there: the earlier beginning and the later sight count.
//
// access:  write
// param:   rows LIST<MAP>       i, type, owner, from_owner, from_id, to_owner, to_id, held
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_entity_key
// plan:    CartesianProduct     of two unique index seeks
// plan:    Eager                a relationship's property is read, then set; bounded by the batch
UNWIND $rows AS row
MATCH (a:AcervoEntity {owner: row.from_owner, id: row.from_id})
MATCH (b:AcervoEntity {owner: row.to_owner, id: row.to_id})
MERGE (a)-[r:`TYPE` {owner: row.owner}]->(b)
WITH row, r, r.created_at IS NULL AS created
SET r += CASE WHEN created THEN row.held ELSE {
  created_at: CASE WHEN row.held.created_at < r.created_at THEN row.held.created_at ELSE r.created_at END,
  valid_from: CASE WHEN row.held.valid_from < r.valid_from THEN row.held.valid_from ELSE r.valid_from END,
  last_seen_at: CASE WHEN row.held.last_seen_at > r.last_seen_at THEN row.held.last_seen_at ELSE r.last_seen_at END} END
RETURN row.i AS i, created
