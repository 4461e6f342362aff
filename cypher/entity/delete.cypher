// Deletes one entity whose relations and facts are gone. If there are others by
// now, made by another transaction, the server refuses, and nothing is lost.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// index:   acervo_entity_key
// plan:    Eager                relationships are found before the first is deleted
MATCH (e:AcervoEntity {owner: $owner, id: $id})
CALL (e) {
  OPTIONAL MATCH (e)-[r]-(other)
  WHERE NOT other:AcervoEntity AND NOT other:AcervoFact
  DELETE r
}
WITH DISTINCT e
DELETE e
