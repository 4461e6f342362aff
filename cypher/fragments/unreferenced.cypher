MATCH (a:AcervoEntity)-[r]->(b:AcervoEntity)
USING SCAN a:AcervoEntity
WHERE r.owner IS NOT NULL AND r.layer IS NOT NULL AND ($owners IS NULL OR r.owner IN $owners)
  AND (a.owner = 'world' OR b.owner = 'world') AND a.owner IN [r.owner, 'world'] AND b.owner IN [r.owner, 'world']
  AND NOT EXISTS {
    MATCH (ref:AcervoReference {owner: r.owner, id: CASE a.owner WHEN 'world' THEN a.id ELSE b.id END})
    CALL (a, b, r) {
      WITH a, b, r
      WHERE a.owner = 'world' AND b.owner = 'world'
      MATCH (x:AcervoReference {owner: r.owner, id: b.id})
      RETURN x
    UNION ALL
      WITH a, b
      WHERE a.owner <> 'world' OR b.owner <> 'world'
      RETURN CASE a.owner WHEN 'world' THEN b ELSE a END AS x
    }
    MATCH (ref)-[f:REFERS]->(x)
    WHERE f.type = type(r) AND f.outgoing = (a.owner = 'world')
    RETURN f
  }
