// Creates facts that aren't there, many at once, about entities of an owner's own.
//
// access:  write
// param:   rows LIST<MAP>       i, about_owner, about_id, label, held
// returns: i INTEGER
// returns: created BOOLEAN
// returns: gained BOOLEAN
// index:   acervo_entity_key
// plan:    Eager                a row might be a node to the planner; bounded by the batch
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: row.about_owner, id: row.about_id})
CREATE (e)-[:HAS_FACT]->(f:AcervoFact)
SET f = row.held, f:$(row.label)
RETURN row.i AS i, true AS created, false AS gained
