// Changes an entity's label and list of aliases. It is locked before they are read.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// param:   label STRING         null: as it is
// param:   add LIST<STRING>
// param:   remove LIST<STRING>
// param:   now DATETIME
// returns: id STRING            no row: it isn't there any more
// index:   acervo_entity_key
MATCH (e:AcervoEntity {owner: $owner, id: $id})
SET e.updated_at = $now
WITH e
SET e.label = coalesce($label, e.label),
    e.aliases = [a IN e.aliases WHERE NOT a IN $remove] + [a IN $add WHERE NOT a IN e.aliases]
RETURN e.id AS id
