// Lists the relations of one entity that an owner sees, in a fixed order.
//
// access:  read
// param:   owner STRING
// param:   key STRING
// param:   type STRING          null: any
// param:   after LIST<STRING>   type, direction and key of the last relation of the page before, or empty strings
// param:   limit INTEGER
// returns: type STRING
// returns: outgoing BOOLEAN
// returns: owner STRING
// returns: held MAP
// returns: other MAP
// index:   acervo_entity_key
// index:   acervo_reference_key
CALL () {
  WITH $key AS key
  WHERE key STARTS WITH 'p:'
  MATCH (e:AcervoEntity {owner: $owner, id: substring(key, 2)})-[r]-(other:AcervoEntity)
  RETURN type(r) AS type, startNode(r) = e AS outgoing, r.owner AS owner, properties(r) AS held, other
UNION ALL
  WITH $key AS key
  WHERE key STARTS WITH 'w:'
  UNWIND CASE WHEN $owner = 'world' THEN ['world'] ELSE [$owner, 'world'] END AS space
  MATCH (ref:AcervoReference {owner: space, id: substring(key, 2)})-[r:REFERS]-(end)
  CALL (end) {
    WITH end
    WHERE end:AcervoEntity
    RETURN end AS other
  UNION ALL
    WITH end
    WHERE end:AcervoReference
    MATCH (other:AcervoEntity {owner: 'world', id: end.id})
    RETURN other
  }
  RETURN r.type AS type, (startNode(r) = ref) = r.outgoing AS outgoing, ref.owner AS owner, properties(r) AS held, other
}
WITH type, outgoing, owner, held, other,
     CASE WHEN outgoing THEN 'out' ELSE 'in' END AS direction,
     CASE other.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + other.id AS key
WHERE ($type IS NULL OR type = $type)
  AND (type > $after[0] OR type = $after[0] AND (direction > $after[1] OR direction = $after[1] AND key + owner > $after[2]))
RETURN type, outgoing, owner, held, other {.id, .label, .type, .layer, .status, .pending_fields} AS other
ORDER BY type, direction, key + owner
LIMIT $limit
