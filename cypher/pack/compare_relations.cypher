// Finds which relations of a pack are there.
//
// access:  read
// param:   type STRING
// param:   mark STRING          what the pack and its version put on relations
// param:   rows LIST<MAP>       i, from_id, to_id
// returns: i INTEGER
// returns: marked BOOLEAN       this version brought it already
// index:   acervo_reference_key
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (a:AcervoReference {owner: 'world', id: row.from_id})
USING INDEX a:AcervoReference(owner, id)
MATCH (b:AcervoReference {owner: 'world', id: row.to_id})
USING INDEX b:AcervoReference(owner, id)
MATCH (a)-[f:REFERS]->(b)
WHERE f.type = $type AND f.outgoing
RETURN row.i AS i, coalesce($mark IN f.packs, false) AS marked
