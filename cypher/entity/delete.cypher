// Deletes one entity and what hangs on it, its facts apart.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// index:   acervo_entity_key
MATCH (e:AcervoEntity {owner: $owner, id: $id})
DETACH DELETE e
