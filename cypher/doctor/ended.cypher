// Counts the ended relations that an entity is missing of.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every ended relation is looked at
MATCH (n:AcervoEnded)
WHERE ($owners IS NULL OR n.owner IN $owners) AND NOT (
  EXISTS { MATCH (:AcervoEntity {owner: CASE WHEN n.from STARTS WITH 'w:' THEN 'world' ELSE n.owner END, id: substring(n.from, 2)}) }
  AND EXISTS { MATCH (:AcervoEntity {owner: CASE WHEN n.to STARTS WITH 'w:' THEN 'world' ELSE n.owner END, id: substring(n.to, 2)}) })
RETURN count(n) AS found
