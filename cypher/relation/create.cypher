// Creates relations that aren't there, between entities that are found by their
// element ids and have to be those of the ids still. The type is a parameter, which
// costs a CREATE nothing.
//
// access:  write
// param:   rows LIST<MAP>       i, type, owner, layer, from, from_owner, from_id, to, to_owner, to_id, source, confidence, created_at, valid_from
// param:   now DATETIME
// returns: created LIST<INTEGER>  the i of each
// plan:    CartesianProduct     of two seeks
UNWIND $rows AS row
MATCH (a:AcervoEntity) WHERE elementId(a) = row.from AND a.owner = row.from_owner AND a.id = row.from_id
MATCH (b:AcervoEntity) WHERE elementId(b) = row.to AND b.owner = row.to_owner AND b.id = row.to_id
CREATE (a)-[r:$(row.type) {
  owner: row.owner, layer: row.layer, source: row.source, confidence: coalesce(row.confidence, 1.0),
  created_at: row.created_at, last_seen_at: $now, valid_from: row.valid_from}]->(b)
RETURN collect(row.i) AS created
