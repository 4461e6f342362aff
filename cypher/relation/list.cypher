// Lists the relations of one entity that an owner sees, in a fixed order.
//
// access:  read
// param:   owner STRING
// param:   key STRING
// param:   type STRING          null: any
// param:   history BOOLEAN      also relations that ended
// param:   at DATETIME          null: what is current; else what was valid then
// param:   after LIST<STRING>   position of the last relation of the page before, or empty strings
// param:   limit INTEGER
// returns: type STRING
// returns: outgoing BOOLEAN
// returns: owner STRING
// returns: held MAP
// returns: other MAP
// returns: position LIST<STRING>  what after is for the next page
// index:   acervo_entity_key
// index:   acervo_reference_key
// index:   acervo_ended_from
// index:   acervo_ended_to
CALL () {
  WITH $key AS key
  WHERE key STARTS WITH 'p:'
  MATCH (e:AcervoEntity {owner: $owner, id: substring(key, 2)})-[r]-(other:AcervoEntity)
  WHERE $at IS NULL OR r.valid_from <= $at
  RETURN type(r) AS type, startNode(r) = e AS outgoing, r.owner AS owner, properties(r) AS held, other
UNION ALL
  WITH $key AS key
  WHERE key STARTS WITH 'w:'
  UNWIND CASE WHEN $owner = 'world' THEN ['world'] ELSE [$owner, 'world'] END AS space
  MATCH (ref:AcervoReference {owner: space, id: substring(key, 2)})-[r:REFERS]-(end)
  USING INDEX ref:AcervoReference(owner, id)
  WHERE $at IS NULL OR r.valid_from <= $at
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
UNION ALL
  WITH $key AS key
  WHERE $history OR $at IS NOT NULL
  UNWIND CASE WHEN $owner = 'world' OR key STARTS WITH 'p:' THEN [$owner] ELSE [$owner, 'world'] END AS space
  CALL (key, space) {
    MATCH (n:AcervoEnded)
    USING INDEX n:AcervoEnded(owner, from, key)
    WHERE n.owner = space AND n.from = key AND n.key IS NOT NULL
    RETURN n, true AS outgoing, n.to AS far
  UNION ALL
    MATCH (n:AcervoEnded)
    USING INDEX n:AcervoEnded(owner, to, key)
    WHERE n.owner = space AND n.to = key AND n.key IS NOT NULL
    RETURN n, false AS outgoing, n.from AS far
  }
  WITH n, outgoing, far
  WHERE $history OR n.valid_from <= $at AND n.valid_to > $at
  MATCH (other:AcervoEntity {owner: CASE WHEN far STARTS WITH 'w:' THEN 'world' ELSE n.owner END, id: substring(far, 2)})
  RETURN n.type AS type, outgoing, n.owner AS owner, properties(n) AS held, other
}
WITH type, outgoing, owner, held, other,
     CASE WHEN outgoing THEN 'out' ELSE 'in' END AS direction,
     CASE other.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + other.id + owner + coalesce(held.key, '') AS key
WHERE ($type IS NULL OR type = $type)
  AND (type > $after[0] OR type = $after[0] AND (direction > $after[1] OR direction = $after[1] AND key > $after[2]))
RETURN type, outgoing, owner, held, other {.id, .label, .type, .layer, .status, .pending_fields} AS other,
       [type, direction, key] AS position
ORDER BY type, direction, key
LIMIT $limit
