// Reads the ended relations of one space.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: held MAP
// returns: position LIST<STRING>
// index:   acervo_ended_from
MATCH (n:AcervoEnded)
USING INDEX n:AcervoEnded(owner, from, key)
WHERE n.owner = $space AND n.from >= $after[0] AND n.key IS NOT NULL AND (n.from > $after[0] OR n.key > $after[1])
RETURN properties(n) AS held, [n.from, n.key] AS position
ORDER BY n.owner, n.from, n.key
LIMIT $limit
