// Removes some of what references repeat of relations that aren't there.
//
// access:  write
// param:   owners LIST<STRING>   null: all
// param:   limit INTEGER
// returns: fixed INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every reference is looked at
// plan:    CartesianProduct     of two unique index seeks
// plan:    Eager                they are found before the first is removed; bounded by the limit
// include: unrelated
WITH f
LIMIT $limit
DELETE f
RETURN count(*) AS fixed
