// Deletes some relationships of an owner's entities, in the order of their ids.
//
// access:  write
// param:   owner STRING
// param:   after STRING         where the call before ended, or empty
// param:   limit INTEGER
// returns: removed INTEGER
// returns: relations INTEGER    of them, those between entities
// returns: last STRING          null: there are no more
// index:   acervo_entity_key
// plan:    Eager                relationships are found before the first is deleted; bounded by the limit
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, id)
WHERE e.owner = $owner AND e.id >= $after
WITH e
ORDER BY e.owner, e.id
MATCH (e)-[r]-(other)
WHERE NOT other:AcervoFact // they go with the facts
WITH e.id AS id, r, other:AcervoEntity AS relation
LIMIT $limit
WITH max(id) AS last, collect(DISTINCT r) AS found, count(DISTINCT CASE WHEN relation THEN r END) AS relations
FOREACH (r IN found |
  DELETE r)
RETURN size(found) AS removed, relations, last
