CALL () {
  CALL () {
    UNWIND [$owner, 'world'] AS space
    UNWIND $starts AS start
    WITH space, start
    WHERE EXISTS { MATCH (n:AcervoEntity) WHERE n.owner = space AND n.id STARTS WITH start[0] } // few words begin a name
    UNWIND range(0, size(start[2]) - 1) AS i
    WITH space, [start[2][i], start[1], start[3][i]] AS gram
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = space AND e.id >= gram[0] AND e.id <= gram[0]
    RETURN gram, space <> 'world' AS own, CASE space WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id AS key
  UNION
    UNWIND [$owner, 'world'] AS space
    UNWIND $starts AS start
    WITH space, start
    WHERE EXISTS { MATCH (n:AcervoAlias) USING INDEX n:AcervoAlias(owner, id, entity) WHERE n.owner = space AND n.id STARTS WITH start[0] AND n.entity IS NOT NULL }
    UNWIND range(0, size(start[2]) - 1) AS i
    WITH space, [start[2][i], start[1], start[3][i]] AS gram
    MATCH (a:AcervoAlias)
    USING INDEX a:AcervoAlias(owner, id, entity)
    WHERE a.owner = space AND a.id = gram[0] AND a.entity IS NOT NULL
    RETURN gram, space <> 'world' AS own, a.entity AS key
  }
  WITH collect({key: key, own: own, start: gram[1], end: gram[2]}) AS hits
  UNWIND [h IN hits WHERE none(o IN hits WHERE
    o.own AND NOT h.own AND o.start = h.start AND o.end = h.end
    OR o.start <= h.start AND h.end <= o.end AND h.end - h.start < o.end - o.start)] AS h
  WITH h.key AS key, min(h.start) AS start
  ORDER BY start, key
  RETURN collect(key) AS mentioned
}
