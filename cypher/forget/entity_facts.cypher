// Deletes some facts about one entity.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// param:   limit INTEGER
// returns: removed INTEGER
// index:   acervo_entity_key
// plan:    Eager                what is deleted is found before the first is; bounded by the limit
MATCH (e:AcervoEntity {owner: $owner, id: $id})-[:HAS_FACT|HAD_FACT]->(f:AcervoFact)
WITH f
LIMIT $limit
DETACH DELETE f
RETURN count(*) AS removed
