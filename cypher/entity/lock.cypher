// Locks an entity by a write that changes nothing.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// index:   acervo_entity_key
MATCH (e:AcervoEntity {owner: $owner, id: $id})
SET e.layer = e.layer
