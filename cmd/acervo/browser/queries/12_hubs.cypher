// Hubs
// The owner's entities with the most relations.
MATCH (e:AcervoEntity)
WHERE e.owner = 'sandy' AND e.id IS NOT NULL
WITH e, COUNT { (e)--(:AcervoEntity) } AS relations
ORDER BY relations DESC, e.id
LIMIT 10
RETURN e.label AS entity, e.type AS type, relations
