// As relation/restore for types that are no plain identifier; see
// relation/upsert_dynamic.
//
// access:  write
// param:   rows LIST<MAP>       i, type, owner, from_owner, from_id, to_owner, to_id, held
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_entity_key
// plan:    CartesianProduct     of two unique index seeks
// plan:    Eager                relationships are looked for before the first is created; bounded by the batch
UNWIND $rows AS row
MATCH (a:AcervoEntity {owner: row.from_owner, id: row.from_id})
MATCH (b:AcervoEntity {owner: row.to_owner, id: row.to_id})
SET a.layer = a.layer
WITH row, a, b
CALL (row, a, b) {
  MATCH (a)-[rs*1..1]->(b)
  WHERE type(head(rs)) = row.type AND head(rs).owner = row.owner
  RETURN collect(head(rs)) AS found
}
FOREACH (_ IN CASE WHEN found = [] THEN [1] END |
  CREATE (a)-[r:$(row.type) {owner: row.owner}]->(b)
  SET r += row.held)
FOREACH (r IN found |
  SET r.created_at = CASE WHEN row.held.created_at < r.created_at THEN row.held.created_at ELSE r.created_at END,
      r.valid_from = CASE WHEN row.held.valid_from < r.valid_from THEN row.held.valid_from ELSE r.valid_from END,
      r.last_seen_at = CASE WHEN row.held.last_seen_at > r.last_seen_at THEN row.held.last_seen_at ELSE r.last_seen_at END)
RETURN row.i AS i, found = [] AS created
