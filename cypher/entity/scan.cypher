// Reads the names of the entities of one space, by id.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: entity MAP
// returns: position LIST<STRING>
// index:   acervo_entity_key
MATCH (e:AcervoEntity)
WHERE e.owner = $space AND e.id > $after[0]
RETURN e {.id, .label, .type, .layer, .status, .pending_fields, .aliases} AS entity, [e.id] AS position
ORDER BY e.owner, e.id
LIMIT $limit
