// Reads the aliases of one space.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: held MAP
// returns: position LIST<STRING>
// index:   acervo_alias_key
MATCH (a:AcervoAlias)
USING INDEX a:AcervoAlias(owner, id, entity)
WHERE a.owner = $space AND a.id >= $after[0] AND a.entity IS NOT NULL AND (a.id > $after[0] OR a.entity > $after[1])
RETURN properties(a) AS held, [a.id, a.entity] AS position
ORDER BY a.owner, a.id, a.entity
LIMIT $limit
