// Creates facts that aren't there, many at once, about entities of an owner's own.
//
// access:  write
// param:   rows LIST<MAP>       i, about_owner, about_id, label, held
// returns: created LIST<INTEGER>  the i of each
// index:   acervo_entity_key
// plan:    Eager                a row might be a node to the planner; bounded by the batch
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: row.about_owner, id: row.about_id})
CREATE (e)-[:HAS_FACT]->(f:AcervoFact)
SET f = row.held, f:$(row.label)
RETURN collect(row.i) AS created
