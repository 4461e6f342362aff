// Deletes some relationships of an owner's entities, in the order of their ids.
//
// access:  write
// param:   owner STRING
// param:   after STRING         where the call before ended, or empty
// param:   limit INTEGER
// returns: removed INTEGER
// returns: last STRING          null: there are no more
// index:   acervo_entity_key
// plan:    Eager                relationships are found before the first is deleted; bounded by the limit
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, id)
WHERE e.owner = $owner AND e.id >= $after
WITH e
ORDER BY e.owner, e.id
MATCH (e)-[r]-()
WITH e.id AS id, r
LIMIT $limit
WITH max(id) AS last, collect(DISTINCT r) AS found
FOREACH (r IN found |
  DELETE r)
RETURN size(found) AS removed, last
