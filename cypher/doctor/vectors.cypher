// Counts the vectors of entities that aren't there.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every vector is looked at
// include: bodiless
RETURN count(v) AS found
