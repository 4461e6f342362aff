// Removes some references to UNIVERSAL entities that aren't there.
//
// access:  write
// param:   owners LIST<STRING>   null: all
// param:   limit INTEGER
// returns: fixed INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every reference is looked at
// plan:    Eager                they are found before the first is removed; bounded by the limit
// include: gone
WITH ref
LIMIT $limit
DETACH DELETE ref
RETURN count(*) AS fixed
