// What is over
// Relations that ended, with both ends: an ended relation is a node.
MATCH (n:AcervoEnded)
WHERE n.owner = 'sandy' AND n.from = 'p:sandy' AND n.key IS NOT NULL
RETURN n.type AS relation, n.to AS entity, n.valid_from AS since, n.valid_to AS until
ORDER BY until
