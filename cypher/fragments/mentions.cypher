CALL () {
  CALL () {
    MATCH (e:AcervoEntity)
    WHERE e.owner IN [$owner, 'world'] AND e.id IN $names
    RETURN e.id AS name, e.owner <> 'world' AS own, CASE e.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id AS key
  UNION
    MATCH (a:AcervoAlias)
    WHERE a.owner IN [$owner, 'world'] AND a.id IN $names AND a.entity IS NOT NULL
    RETURN a.id AS name, a.owner <> 'world' AS own, a.entity AS key
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
