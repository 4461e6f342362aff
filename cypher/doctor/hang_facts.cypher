// Hangs some facts on the entity that they are about, where that is there.
//
// access:  write
// param:   owners LIST<STRING>   null: all
// param:   limit INTEGER
// returns: fixed INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every fact is looked at
// plan:    Eager                facts are found before the first is written; bounded by the limit
// include: misplaced
MATCH (to:AcervoEntity {owner: CASE WHEN f.about STARTS WITH 'w:' THEN 'world' ELSE f.owner END, id: substring(f.about, 2)})
WITH f, to
LIMIT $limit
CALL (f) {
  MATCH (f)<-[r:HAS_FACT|HAD_FACT]-()
  DELETE r
}
FOREACH (_ IN CASE WHEN f.valid_to IS NULL THEN [1] ELSE [] END | CREATE (to)-[:HAS_FACT]->(f))
FOREACH (_ IN CASE WHEN f.valid_to IS NULL THEN [] ELSE [1] END | CREATE (to)-[:HAD_FACT]->(f))
RETURN count(f) AS fixed
