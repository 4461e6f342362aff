// Drops what notes a relation of an owner that touches a UNIVERSAL entity; see
// reference/upsert.
//
// access:  write
// param:   rows LIST<MAP>       owner, id, other, universal, outgoing, type
// index:   acervo_reference_key
// index:   acervo_entity_key
// plan:    Eager                relationships are found before the first is deleted; bounded by the batch
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (ref:AcervoReference {owner: row.owner, id: row.id})
USING INDEX ref:AcervoReference(owner, id)
CALL (row) {
  WITH row
  WHERE row.universal
  MATCH (other:AcervoReference {owner: row.owner, id: row.other})
  USING INDEX other:AcervoReference(owner, id)
  RETURN other
UNION ALL
  WITH row
  WHERE NOT row.universal
  MATCH (other:AcervoEntity {owner: row.owner, id: row.other})
  RETURN other
}
MATCH (ref)-[f:REFERS]->(other)
WHERE f.type = row.type AND f.outgoing = row.outgoing
DELETE f
