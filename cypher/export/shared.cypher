// Reads the UNIVERSAL entities that an owner uses, by id.
//
// access:  read
// param:   space STRING         an owner
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: held MAP
// returns: position LIST<STRING>
// index:   acervo_reference_key
// index:   acervo_entity_key
MATCH (ref:AcervoReference)
USING INDEX ref:AcervoReference(owner, id)
WHERE ref.owner = $space AND ref.id > $after[0]
WITH ref
ORDER BY ref.owner, ref.id
LIMIT $limit
MATCH (e:AcervoEntity {owner: 'world', id: ref.id})
RETURN properties(e) AS held, [ref.id] AS position
ORDER BY ref.id
