// Lists an owner's relations between entities of their own.
//
// access:  read
// param:   owner STRING
// param:   type STRING          null: any
// param:   at DATETIME          null: what is current; else what is current and was valid then
// param:   after LIST<STRING>   from, type and to of the last relation of the page before, or empty strings
// param:   limit INTEGER
// returns: type STRING
// returns: owner STRING
// returns: held MAP
// returns: from MAP
// returns: to MAP
// returns: position LIST<STRING>  what after is for the next page
// index:   acervo_entity_key
MATCH (a:AcervoEntity)
WHERE a.owner = $owner AND a.id >= $after[0]
MATCH (a)-[r]->(b:AcervoEntity)
WHERE b.owner = $owner
  AND ($type IS NULL OR type(r) = $type)
  AND ($at IS NULL OR r.valid_from <= $at)
  AND (a.id > $after[0] OR type(r) > $after[1] OR type(r) = $after[1] AND b.id > $after[2])
RETURN type(r) AS type, r.owner AS owner, properties(r) AS held,
       a {.id, .label, .type, .layer, .status, .pending_fields} AS from,
       b {.id, .label, .type, .layer, .status, .pending_fields} AS to,
       [a.id, type(r), b.id] AS position
ORDER BY a.owner, a.id, type, b.id
LIMIT $limit
