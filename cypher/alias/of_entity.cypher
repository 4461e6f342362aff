// Reads the names of one entity.
//
// access:  read
// param:   entity STRING
// param:   owner STRING         null: of all owners, for a UNIVERSAL one
// returns: alias MAP
// index:   acervo_alias_entity
MATCH (a:AcervoAlias)
USING INDEX a:AcervoAlias(entity, owner)
WHERE a.entity = $entity AND a.owner IS NOT NULL AND ($owner IS NULL OR a.owner = $owner)
RETURN properties(a) AS alias
ORDER BY a.owner, a.id
