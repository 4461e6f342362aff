// Removes names of entities.
//
// access:  write
// param:   rows LIST<MAP>       owner, id, entity
// param:   via STRING           null: any; else only names that come from this relation
// returns: owner STRING
// returns: id STRING
// returns: label STRING
// index:   acervo_alias_key
// plan:    Eager                names are found before the first is deleted; bounded by the batch
UNWIND $rows AS row
MATCH (a:AcervoAlias {owner: row.owner, id: row.id, entity: row.entity})
USING INDEX a:AcervoAlias(owner, id, entity)
WHERE $via IS NULL OR a.via = $via
WITH a, a.owner AS owner, a.id AS id, a.label AS label
DETACH DELETE a
RETURN owner, id, label
