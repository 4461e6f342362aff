// Deletes the relations of one entity and counts them.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// returns: deleted INTEGER
// index:   acervo_entity_key
// plan:    Eager                relationships are found before the first is deleted
MATCH (e:AcervoEntity {owner: $owner, id: $id})-[r]-(:AcervoEntity)
DELETE r
RETURN count(*) AS deleted
