// Lists some relations of UNIVERSAL entities that no reference repeats.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// param:   limit INTEGER
// returns: owner STRING
// returns: type STRING
// returns: from_owner STRING
// returns: from_id STRING
// returns: to_owner STRING
// returns: to_id STRING
// returns: held MAP              what the relation holds
// index:   acervo_reference_key
// plan:    NodeByLabelScan      every relation is looked at
// include: unreferenced
RETURN r.owner AS owner, type(r) AS type, a.owner AS from_owner, a.id AS from_id, b.owner AS to_owner, b.id AS to_id, properties(r) AS held
LIMIT $limit
