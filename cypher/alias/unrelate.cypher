// Removes the names of other entities that come from an entity's ALIAS_OF.
//
// access:  write
// param:   owner STRING
// param:   id STRING            of the entity
// index:   acervo_alias_key
// plan:    Eager                names are found before the first is deleted
MATCH (a:AcervoAlias)
USING INDEX a:AcervoAlias(owner, id, entity)
WHERE a.owner = $owner AND a.id = $id AND a.entity IS NOT NULL AND a.via IS NOT NULL
DETACH DELETE a
