// Removes some names of entities that aren't there.
//
// access:  write
// param:   owners LIST<STRING>   null: all
// param:   limit INTEGER
// returns: fixed INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every alias is looked at
// plan:    Eager                aliases are found before the first is removed; bounded by the limit
// include: nameless
WITH a
LIMIT $limit
DETACH DELETE a
RETURN count(*) AS fixed
