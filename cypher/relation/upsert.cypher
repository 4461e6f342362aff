// Creates relations of one type, or notes that they were seen again.
//
// access:  write
// param:   rows LIST<MAP>       i, owner, layer, from_owner, from_id, to_owner, to_id, source, confidence, created_at, valid_from
// param:   now DATETIME
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_entity_key
// plan:    CartesianProduct     of two unique index seeks
// plan:    Eager                a relationship's property is read, then set; bounded by the batch
UNWIND $rows AS row
MATCH (a:AcervoEntity {owner: row.from_owner, id: row.from_id})
MATCH (b:AcervoEntity {owner: row.to_owner, id: row.to_id})
MERGE (a)-[r:`TYPE` {owner: row.owner}]->(b)
ON CREATE SET
  r.layer = row.layer, r.source = row.source, r.confidence = coalesce(row.confidence, 1.0),
  r.created_at = row.created_at, r.valid_from = row.valid_from
WITH row, r, r.last_seen_at IS NULL AS created
SET r.last_seen_at = $now, r.confidence = coalesce(row.confidence, r.confidence)
RETURN row.i AS i, created
