// Counts what references repeat of relations that aren't there.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every reference is looked at
// plan:    CartesianProduct     of two unique index seeks
// include: unrelated
RETURN count(f) AS found
