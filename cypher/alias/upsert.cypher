// Adds names under which entities are found beside their ids.
//
// access:  write
// param:   rows LIST<MAP>       owner, owner_digest, id, entity, label, via (null, or the relation that it comes from)
// param:   now DATETIME
// index:   acervo_alias_key
UNWIND $rows AS row
MERGE (a:AcervoAlias {owner: row.owner, id: row.id, entity: row.entity})
ON CREATE SET a.label = row.label, a.owner_digest = row.owner_digest, a.created_at = $now, a.via = row.via
ON MATCH SET a.via = CASE WHEN row.via IS NULL THEN null ELSE a.via END
