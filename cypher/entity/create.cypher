// Creates entities that aren't there, many at once, with facts of their owner about
// them.
//
// access:  write
// param:   rows LIST<MAP>       labels, held, facts: LIST<MAP> of what they hold
// returns: elements LIST<LIST>  id, element id
// plan:    Eager                a row might be a node to the planner; bounded by the batch
UNWIND $rows AS row
CREATE (e:AcervoEntity)
SET e = row.held, e:$(row.labels)
FOREACH (held IN row.facts |
  CREATE (e)-[:HAS_FACT]->(f:AcervoFact:Personal)
  SET f = held)
RETURN collect([e.id, elementId(e)]) AS elements
