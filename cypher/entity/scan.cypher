// Reads the names of the entities of one space, by id.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   after STRING         the last id of the page before, or empty
// param:   limit INTEGER
// returns: entity MAP
// index:   acervo_entity_key
MATCH (e:AcervoEntity)
WHERE e.owner = $space AND e.id > $after
RETURN e {.id, .label, .type, .layer, .status, .pending_fields, .aliases} AS entity
ORDER BY e.owner, e.id
LIMIT $limit
