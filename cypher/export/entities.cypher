// Reads the entities of one space, by id.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: held MAP
// returns: position LIST<STRING>
// index:   acervo_entity_key
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, id)
WHERE e.owner = $space AND e.id > $after[0]
RETURN properties(e) AS held, [e.id] AS position
ORDER BY e.owner, e.id
LIMIT $limit
