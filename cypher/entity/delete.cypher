// Deletes one entity whose relations and facts are gone, and its vector. If there are
// others by now, made by another transaction, the server refuses, and nothing is lost.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// index:   acervo_entity_key
// index:   acervo_vector_key
// plan:    Eager                it is locked before its vector, and relationships are found before the first is deleted
MATCH (e:AcervoEntity {owner: $owner, id: $id})
SET e.layer = e.layer
WITH e
CALL () {
  MATCH (v:AcervoVector {owner: $owner, id: $id})
  DETACH DELETE v
}
CALL (e) {
  OPTIONAL MATCH (e)-[r]-(other)
  WHERE NOT other:AcervoEntity AND NOT other:AcervoFact
  DELETE r
}
WITH DISTINCT e
DELETE e
