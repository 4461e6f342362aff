// Counts the relations of UNIVERSAL entities that no reference repeats, so that reads
// miss them.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_reference_key
// plan:    NodeByLabelScan      every relation is looked at
// include: unreferenced
RETURN count(r) AS found
