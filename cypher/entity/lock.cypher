// Locks an entity by a write that changes nothing, and reads it then.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// returns: entity MAP           no row: it isn't there any more
// index:   acervo_entity_key
// plan:    Eager                it is read after it is locked
MATCH (e:AcervoEntity {owner: $owner, id: $id})
SET e.layer = e.layer
RETURN properties(e) AS entity
