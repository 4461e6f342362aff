// Deletes some ended relations of one entity.
//
// access:  write
// param:   owner STRING         whose history
// param:   key STRING
// param:   limit INTEGER
// returns: removed INTEGER
// index:   acervo_ended_from
// index:   acervo_ended_to
// plan:    Eager                nodes are found before the first is deleted; bounded by the limit
CALL () {
  MATCH (n:AcervoEnded)
  USING INDEX n:AcervoEnded(owner, from, key)
  WHERE n.owner = $owner AND n.from = $key AND n.key IS NOT NULL
  RETURN n
UNION
  MATCH (n:AcervoEnded)
  USING INDEX n:AcervoEnded(owner, to, key)
  WHERE n.owner = $owner AND n.to = $key AND n.key IS NOT NULL
  RETURN n
}
WITH n
LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
