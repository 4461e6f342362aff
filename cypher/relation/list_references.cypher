// Lists the relations of a space that touch UNIVERSAL entities.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   type STRING          null: any
// param:   at DATETIME          null: what is current; else what is current and was valid then
// param:   after LIST<STRING>   id, type, direction and key of the last relation of the page before, or empty strings
// param:   limit INTEGER
// returns: type STRING
// returns: owner STRING
// returns: held MAP
// returns: from MAP
// returns: to MAP
// returns: position LIST<STRING>  what after is for the next page
// index:   acervo_reference_key
// index:   acervo_entity_key
// plan:    CartesianProduct     of two unique index seeks
MATCH (ref:AcervoReference)
USING INDEX ref:AcervoReference(owner, id)
WHERE ref.owner = $space AND ref.id >= $after[0]
MATCH (ref)-[r:REFERS]->(end)
WITH ref, r, end, CASE WHEN r.outgoing THEN 'out' ELSE 'in' END AS direction,
     CASE WHEN end:AcervoReference THEN 'w:' ELSE 'p:' END + end.id AS key
WHERE ($type IS NULL OR r.type = $type)
  AND ($at IS NULL OR r.valid_from <= $at)
  AND (ref.id > $after[0] OR r.type > $after[1]
    OR r.type = $after[1] AND (direction > $after[2] OR direction = $after[2] AND key > $after[3]))
WITH ref, r, end, direction, key
ORDER BY ref.owner, ref.id, r.type, direction, key
LIMIT $limit
MATCH (near:AcervoEntity {owner: 'world', id: ref.id})
MATCH (far:AcervoEntity {owner: CASE WHEN end:AcervoReference THEN 'world' ELSE end.owner END, id: end.id})
WITH ref, r, direction, key,
     near {.id, .label, .type, .layer, .status, .pending_fields} AS near,
     far {.id, .label, .type, .layer, .status, .pending_fields} AS far
RETURN r.type AS type, ref.owner AS owner, properties(r) AS held,
       CASE WHEN r.outgoing THEN near ELSE far END AS from,
       CASE WHEN r.outgoing THEN far ELSE near END AS to,
       [ref.id, r.type, direction, key] AS position
ORDER BY ref.id, r.type, direction, key
