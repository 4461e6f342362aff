// Finds the ended relations of one type between two entities, the last first.
//
// access:  read
// param:   owner STRING
// param:   from STRING
// param:   type STRING
// param:   to STRING
// returns: ended MAP
// index:   acervo_ended_from
MATCH (n:AcervoEnded)
USING INDEX n:AcervoEnded(owner, from, key)
WHERE n.owner = $owner AND n.from = $from AND n.key IS NOT NULL AND n.type = $type AND n.to = $to
RETURN properties(n) AS ended
ORDER BY n.valid_to DESC, n.key
