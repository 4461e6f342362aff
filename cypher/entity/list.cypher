// Lists the entities of one space by id.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   status STRING        null: any
// param:   after STRING         the last id of the page before, or empty
// param:   limit INTEGER
// returns: id STRING
// index:   acervo_entity_key
MATCH (e:AcervoEntity)
WHERE e.owner = $space AND e.id > $after AND ($status IS NULL OR e.status = $status)
RETURN e.id AS id
ORDER BY e.owner, e.id
LIMIT $limit
