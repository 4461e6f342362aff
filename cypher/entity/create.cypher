// Creates entities that aren't there, many at once.
//
// access:  write
// param:   rows LIST<MAP>       labels, held
// plan:    Eager                a row might be a node to the planner; bounded by the batch
UNWIND $rows AS row
CREATE (e:AcervoEntity)
SET e = row.held, e:$(row.labels)
