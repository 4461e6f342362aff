// Deletes some relationships of one entity.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// param:   limit INTEGER
// returns: removed INTEGER      relations, without what refers to the entity
// returns: deleted INTEGER      all relationships
// index:   acervo_entity_key
// plan:    Eager                what is deleted is found before the first is; bounded by the limit
MATCH (e:AcervoEntity {owner: $owner, id: $id})-[r]-(other)
WITH r, other
LIMIT $limit
WITH r, CASE WHEN other:AcervoEntity THEN 1 ELSE 0 END AS relation
DELETE r
RETURN sum(relation) AS removed, count(*) AS deleted
