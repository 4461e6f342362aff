// As relation/upsert for types that are no plain identifier: the type is a
// parameter. MERGE on such a type would be planned as a scan of all
// relationships, so the first node is locked, by a write that changes nothing,
// before the relationship is looked for. It is looked for as a path of one step,
// since the planner takes a scan for a single one while the database is small.
//
// access:  write
// param:   rows LIST<MAP>       i, type, owner, layer, from_owner, from_id, to_owner, to_id, source, confidence, created_at, valid_from
// param:   now DATETIME
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
  CREATE (a)-[:$(row.type) {
    owner: row.owner, layer: row.layer, source: row.source, confidence: coalesce(row.confidence, 1.0),
    created_at: row.created_at, last_seen_at: $now, valid_from: row.valid_from}]->(b))
FOREACH (r IN found |
  SET r.last_seen_at = $now, r.confidence = coalesce(row.confidence, r.confidence))
RETURN row.i AS i, found = [] AS created
