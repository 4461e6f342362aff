// Lists the ended relations of a space.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   type STRING          null: any
// param:   at DATETIME          null: all; else what was valid then
// param:   after LIST<STRING>   from and key of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: type STRING
// returns: owner STRING
// returns: held MAP
// returns: from MAP
// returns: to MAP
// returns: position LIST<STRING>  what after is for the next page
// index:   acervo_ended_from
// index:   acervo_entity_key
// plan:    CartesianProduct     of two unique index seeks
MATCH (n:AcervoEnded)
USING INDEX n:AcervoEnded(owner, from, key)
WHERE n.owner = $space AND n.from >= $after[0] AND n.key IS NOT NULL
  AND (n.from > $after[0] OR n.key > $after[1])
  AND ($type IS NULL OR n.type = $type)
  AND ($at IS NULL OR n.valid_from <= $at AND n.valid_to > $at)
WITH n
ORDER BY n.owner, n.from, n.key
LIMIT $limit
MATCH (a:AcervoEntity {owner: CASE WHEN n.from STARTS WITH 'w:' THEN 'world' ELSE n.owner END, id: substring(n.from, 2)})
MATCH (b:AcervoEntity {owner: CASE WHEN n.to STARTS WITH 'w:' THEN 'world' ELSE n.owner END, id: substring(n.to, 2)})
RETURN n.type AS type, n.owner AS owner, properties(n) AS held,
       a {.id, .label, .type, .layer, .status, .pending_fields} AS from,
       b {.id, .label, .type, .layer, .status, .pending_fields} AS to,
       [n.from, n.key] AS position
ORDER BY n.from, n.key
