// Creates relations that can't be there yet, as one of their ends was made in the
// same transaction. The type is a parameter, which costs a CREATE nothing.
//
// access:  write
// param:   rows LIST<MAP>       i, type, owner, layer, from_owner, from_id, to_owner, to_id, source, confidence, created_at, valid_from
// param:   now DATETIME
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_entity_key
// plan:    Eager                a row might be a node to the planner; bounded by the batch
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (a:AcervoEntity {owner: row.from_owner, id: row.from_id})
MATCH (b:AcervoEntity {owner: row.to_owner, id: row.to_id})
CREATE (a)-[r:$(row.type) {
  owner: row.owner, layer: row.layer, source: row.source, confidence: coalesce(row.confidence, 1.0),
  created_at: row.created_at, last_seen_at: $now, valid_from: row.valid_from}]->(b)
RETURN row.i AS i, true AS created
