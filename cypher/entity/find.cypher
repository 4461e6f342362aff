// Finds the entities that names or ids mean to an owner. rank says how: 0 the
// owner's own by id or alias, 1 their own by ALIAS_OF, 2 and 3 the same in the
// UNIVERSAL layer.
//
// access:  read
// param:   owner STRING
// param:   rows LIST<MAP>       i, id, name (false: id is exact), type (null: any)
// returns: i INTEGER
// returns: rank INTEGER
// returns: entity MAP
// index:   acervo_entity_key
// index:   acervo_alias_key
UNWIND $rows AS row
CALL (row) {
  UNWIND [$owner, 'world'] AS space
  MATCH (e:AcervoEntity)
  USING INDEX e:AcervoEntity(owner, id)
  WHERE e.owner = space AND e.id >= row.id AND e.id <= row.id
  RETURN e, CASE space WHEN 'world' THEN 2 ELSE 0 END AS rank
UNION
  UNWIND [$owner, 'world'] AS space
  MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(owner, id, entity)
  WHERE a.owner = space AND a.id = row.id AND a.entity IS NOT NULL AND row.name
  WITH a, CASE WHEN a.entity STARTS WITH 'p:' THEN a.owner ELSE 'world' END AS space, substring(a.entity, 2) AS id
  MATCH (e:AcervoEntity)
  USING INDEX e:AcervoEntity(owner, id)
  WHERE e.owner = space AND e.id >= id AND e.id <= id
  RETURN e, CASE e.owner WHEN 'world' THEN 2 ELSE 0 END + CASE WHEN a.via IS NULL THEN 0 ELSE 1 END AS rank
}
WITH row, e, min(rank) AS rank
WHERE row.type IS NULL OR e.type = row.type
RETURN row.i AS i, rank, properties(e) AS entity
ORDER BY i, rank, e.owner, e.id
