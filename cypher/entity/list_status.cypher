// Lists the entities of one space of one status, by id.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   status STRING
// param:   after STRING         the last id of the page before, or empty
// param:   limit INTEGER
// returns: id STRING
// index:   acervo_entity_status
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, status, id)
WHERE e.owner = $space AND e.status = $status AND e.id > $after
RETURN e.id AS id
ORDER BY e.owner, e.status, e.id
LIMIT $limit
