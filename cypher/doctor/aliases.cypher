// Counts the names of entities that aren't there.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every alias is looked at
// include: nameless
RETURN count(a) AS found
