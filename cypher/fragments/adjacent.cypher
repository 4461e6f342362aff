CALL (key) {
  CALL (key) {
    WITH key
    WHERE key STARTS WITH 'p:'
    WITH substring(key, 2) AS id
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = $owner AND e.id >= id AND e.id <= id
    MATCH (e)--(end:AcervoEntity)
    RETURN end
    LIMIT $each
  UNION ALL
    WITH key
    WHERE key STARTS WITH 'w:'
    UNWIND CASE WHEN $owner = 'world' THEN ['world'] ELSE [$owner, 'world'] END AS space
    WITH space, substring(key, 2) AS id
    MATCH (ref:AcervoReference)
    USING INDEX SEEK ref:AcervoReference(owner, id) // else a scan while there are few
    WHERE ref.owner = space AND ref.id >= id AND ref.id <= id
    MATCH (ref)-[:REFERS]-(end)
    RETURN end
    LIMIT $each
  }
  WITH end
  WHERE end.owner IN [$owner, 'world']
  RETURN CASE WHEN end:AcervoReference OR end.owner = 'world' THEN 'w:' ELSE 'p:' END + end.id AS next
}
