// Ends relations of one type, or removes them without a trace. What ended leaves
// the graph and becomes a node that holds what the relationship held, unless there
// is one of the same time.
//
// access:  write
// param:   rows LIST<MAP>       i, type, owner, from_owner, from_id, from, to_owner, to_id, to, valid_to, key, keep
// returns: i INTEGER
// returns: ended BOOLEAN        false: it began later than it would have ended
// returns: valid_from DATETIME
// index:   acervo_entity_key
// index:   acervo_ended_from
// plan:    CartesianProduct     of two unique index seeks
// plan:    Eager                relationships are found before the first is deleted; bounded by the batch
UNWIND $rows AS row
MATCH (a:AcervoEntity {owner: row.from_owner, id: row.from_id})
MATCH (b:AcervoEntity {owner: row.to_owner, id: row.to_id})
MATCH (a)-[r:`TYPE`]->(b)
WHERE r.owner = row.owner AND type(r) = row.type
WITH row, r, r.valid_from AS valid_from, NOT row.keep OR r.valid_from IS NULL OR r.valid_from <= row.valid_to AS ended
CALL (row, valid_from) {
  MATCH (n:AcervoEnded)
  USING INDEX n:AcervoEnded(owner, from, key)
  WHERE n.owner = row.owner AND n.from = row.from AND n.key IS NOT NULL AND n.type = row.type AND n.to = row.to
    AND n.valid_from = valid_from AND n.valid_to = row.valid_to
  RETURN count(n) > 0 AS again
}
FOREACH (_ IN CASE WHEN ended AND row.keep AND NOT again THEN [1] END |
  CREATE (n:AcervoEnded {owner: row.owner, key: row.key})
  SET n += properties(r), n.from = row.from, n.type = row.type, n.to = row.to, n.valid_to = row.valid_to)
FOREACH (_ IN CASE WHEN ended THEN [1] END |
  DELETE r)
RETURN row.i AS i, ended, valid_from
