// Removes the history of one relation.
//
// access:  write
// param:   owner STRING
// param:   from STRING
// param:   type STRING
// param:   to STRING
// returns: removed INTEGER
// index:   acervo_ended_from
// plan:    Eager                nodes are found before the first is deleted
MATCH (n:AcervoEnded)
USING INDEX n:AcervoEnded(owner, from, key)
WHERE n.owner = $owner AND n.from = $from AND n.key IS NOT NULL AND n.type = $type AND n.to = $to
DETACH DELETE n
RETURN count(*) AS removed
