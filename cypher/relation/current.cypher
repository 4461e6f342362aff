// Lists where current relations of one type lead that come from some entities,
// after it locked those entities, or, where one is UNIVERSAL, the owner's
// reference to it: of two transactions that state two targets of a
// single-valued relation, the second one sees both.
//
// access:  write
// param:   rows LIST<MAP>       i, type, owner, from_owner, from_id
// returns: i INTEGER
// returns: to_owner STRING
// returns: to_id STRING
// returns: valid_from DATETIME
// index:   acervo_entity_key
// index:   acervo_reference_key
// plan:    Eager                entities are locked before their relationships are read; bounded by the batch
UNWIND $rows AS row
CALL (row) {
  WITH row
  WHERE row.from_owner <> 'world'
  MATCH (a:AcervoEntity {owner: row.from_owner, id: row.from_id})
  SET a.layer = a.layer
  WITH row, a
  MATCH (a)-[r:`TYPE`]->(b:AcervoEntity)
  WHERE r.owner = row.owner AND type(r) = row.type
  RETURN b.owner AS to_owner, b.id AS to_id, r.valid_from AS valid_from
UNION ALL
  WITH row
  WHERE row.from_owner = 'world'
  MATCH (ref:AcervoReference {owner: row.owner, id: row.from_id})
  USING INDEX ref:AcervoReference(owner, id)
  SET ref.owner = ref.owner
  WITH row, ref
  MATCH (ref)-[f:REFERS]-(end)
  WHERE f.type = row.type AND (startNode(f) = ref) = f.outgoing
  RETURN CASE WHEN end:AcervoReference THEN 'world' ELSE end.owner END AS to_owner, end.id AS to_id, f.valid_from AS valid_from
}
RETURN row.i AS i, to_owner, to_id, valid_from
