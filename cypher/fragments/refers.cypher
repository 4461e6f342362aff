UNWIND $rows AS row
MERGE (ref:AcervoReference {owner: row.owner, id: row.id})
WITH row, ref
CALL (row) {
  WITH row
  WHERE row.universal
  MERGE (other:AcervoReference {owner: row.owner, id: row.other})
  RETURN other
UNION ALL
  WITH row
  WHERE NOT row.universal
  MATCH (other:AcervoEntity {owner: row.owner, id: row.other})
  RETURN other
}
MERGE (ref)-[f:REFERS {type: row.type, outgoing: row.outgoing}]->(other)
