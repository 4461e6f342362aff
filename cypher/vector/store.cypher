// Stores vectors of entities, in the place of those that they had. An entity that is
// gone gets none: it is locked, so that it can't go before its vector is there.
//
// access:  write
// param:   model STRING
// param:   dimensions INTEGER
// param:   rows LIST<MAP>       owner, id, digest, embedding
// param:   now DATETIME
// returns: stored INTEGER
// index:   acervo_entity_key
// index:   acervo_vector_key
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: row.owner, id: row.id})
SET e.layer = e.layer
MERGE (v:AcervoVector {owner: row.owner, id: row.id})
SET v.model = $model, v.dimensions = $dimensions, v.digest = row.digest, v.embedded_at = $now
WITH v, row
CALL db.create.setNodeVectorProperty(v, 'embedding', row.embedding)
RETURN count(*) AS stored
