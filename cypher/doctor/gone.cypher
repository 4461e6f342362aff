// Counts the references to UNIVERSAL entities that aren't there.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every reference is looked at
// include: gone
RETURN count(ref) AS found
