// Reads every fact about one entity, current or not, of all owners.
//
// access:  read
// param:   owner STRING
// param:   id STRING
// returns: fact MAP
// index:   acervo_entity_key
MATCH (e:AcervoEntity {owner: $owner, id: $id})-[:HAS_FACT|HAD_FACT]->(f:AcervoFact)
RETURN properties(f) AS fact
ORDER BY f.key
