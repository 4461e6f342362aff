// Makes facts about one entity facts about another.
//
// access:  write
// param:   rows LIST<MAP>       key, to (the key that it gets), about, about_owner, about_id
// index:   acervo_fact_key
// index:   acervo_entity_key
// plan:    Eager                facts are found by the keys that are then changed
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (f:AcervoFact {key: row.key})
MATCH (k:AcervoEntity {owner: row.about_owner, id: row.about_id})
MATCH (f)<-[h:HAS_FACT|HAD_FACT]-(:AcervoEntity)
SET f.key = row.to, f.about = row.about
DELETE h
FOREACH (_ IN CASE WHEN f.valid_to IS NULL THEN [1] END |
  CREATE (k)-[:HAS_FACT]->(f))
FOREACH (_ IN CASE WHEN f.valid_to IS NOT NULL THEN [1] END |
  CREATE (k)-[:HAD_FACT]->(f))
