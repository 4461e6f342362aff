CALL () {
  CALL () {
    UNWIND [$owner, 'world'] AS space
    UNWIND $names AS name
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = space AND e.id >= name AND e.id <= name
    RETURN name, space <> 'world' AS own, CASE space WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id AS key
  UNION
    UNWIND [$owner, 'world'] AS space
    UNWIND $names AS name
    MATCH (a:AcervoAlias)
    USING INDEX a:AcervoAlias(owner, id, entity)
    WHERE a.owner = space AND a.id = name AND a.entity IS NOT NULL
    RETURN name, space <> 'world' AS own, a.entity AS key
  }
  WITH name, collect({key: key, own: own}) AS hits
  UNWIND [h IN hits WHERE h.own OR none(o IN hits WHERE o.own)] AS hit
  UNWIND [g IN $grams WHERE g.id = name] AS gram
  WITH collect({key: hit.key, start: gram.start, end: gram.end}) AS matched
  UNWIND [m IN matched WHERE none(o IN matched WHERE o.start <= m.start AND m.end <= o.end AND m.end - m.start < o.end - o.start)] AS m
  WITH m.key AS key, min(m.start) AS start
  ORDER BY start, key
  RETURN collect(key) AS mentioned
}
