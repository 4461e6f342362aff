// Reads every relation of one entity, of all owners.
//
// access:  read
// param:   owner STRING
// param:   id STRING
// returns: type STRING
// returns: outgoing BOOLEAN
// returns: held MAP
// returns: other_owner STRING
// returns: other_id STRING
// index:   acervo_entity_key
MATCH (e:AcervoEntity {owner: $owner, id: $id})-[r]-(other:AcervoEntity)
RETURN type(r) AS type, startNode(r) = e AS outgoing, properties(r) AS held, other.owner AS other_owner, other.id AS other_id
ORDER BY type, outgoing, other_owner, other_id, held.owner
