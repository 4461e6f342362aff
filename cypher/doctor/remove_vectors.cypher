// Removes some vectors of entities that aren't there.
//
// access:  write
// param:   owners LIST<STRING>   null: all
// param:   limit INTEGER
// returns: fixed INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every vector is looked at
// plan:    Eager                they are found before the first is removed; bounded by the limit
// include: bodiless
WITH v
LIMIT $limit
DETACH DELETE v
RETURN count(*) AS fixed
