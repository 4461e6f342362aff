// Reads the sessions of an owner.
//
// access:  read
// param:   space STRING         an owner
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: held MAP
// returns: position LIST<STRING>
// index:   acervo_session_key
MATCH (s:AcervoSession)
WHERE s.owner = $space AND s.id > $after[0]
RETURN properties(s) AS held, [s.id] AS position
ORDER BY s.owner, s.id
LIMIT $limit
