// Creates facts as they were elsewhere, current and past.
//
// access:  write
// param:   rows LIST<MAP>       i, key, about_owner, about_id, held, label
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_fact_key
// index:   acervo_entity_key
// plan:    Eager                facts are read before the first is written; bounded by the batch
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: row.about_owner, id: row.about_id})
MERGE (f:AcervoFact {key: row.key})
WITH row, e, f, f.created_at IS NULL AS created
FOREACH (_ IN CASE WHEN created THEN [1] END |
  SET f += row.held, f:$(row.label))
FOREACH (_ IN CASE WHEN created AND row.held.valid_to IS NULL THEN [1] END |
  CREATE (e)-[:HAS_FACT]->(f))
FOREACH (_ IN CASE WHEN created AND row.held.valid_to IS NOT NULL THEN [1] END |
  CREATE (e)-[:HAD_FACT]->(f))
RETURN row.i AS i, created
