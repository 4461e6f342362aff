// Lists the entities of one space of one type, by id.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   type STRING
// param:   status STRING        null: any
// param:   after STRING         the last id of the page before, or empty
// param:   limit INTEGER
// returns: id STRING
// index:   acervo_entity_type
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, type, id)
WHERE e.owner = $space AND e.type = $type AND e.id > $after AND ($status IS NULL OR e.status = $status)
RETURN e.id AS id
ORDER BY e.owner, e.type, e.id
LIMIT $limit
