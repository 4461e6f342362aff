// Gives the first owner of entities after another one; world is one of them.
//
// access:  read
// param:   after STRING         empty: the first of all
// returns: owner STRING         no row: there is none
// index:   acervo_entity_key
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, id)
WHERE e.owner > $after AND e.id IS NOT NULL
RETURN e.owner AS owner
ORDER BY e.owner
LIMIT 1
