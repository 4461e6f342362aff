MATCH (a:AcervoEntity)-[r]->(b:AcervoEntity)
USING SCAN a:AcervoEntity
WHERE r.owner IS NOT NULL AND r.layer IS NOT NULL AND ($owners IS NULL OR r.owner IN $owners)
  AND (a.owner = 'world' OR b.owner = 'world') AND a.owner IN [r.owner, 'world'] AND b.owner IN [r.owner, 'world']
OPTIONAL MATCH (ref:AcervoReference {owner: r.owner, id: CASE a.owner WHEN 'world' THEN a.id ELSE b.id END})
USING INDEX ref:AcervoReference(owner, id)
OPTIONAL MATCH (far:AcervoReference {owner: r.owner, id: b.id})
USING INDEX far:AcervoReference(owner, id)
WHERE a.owner = b.owner
WITH a, r, b, ref, CASE WHEN a.owner = b.owner THEN far WHEN a.owner = 'world' THEN b ELSE a END AS x
WHERE NOT EXISTS {
  MATCH (ref)-[f:REFERS]->(x)
  WHERE f.type = type(r) AND f.outgoing = (a.owner = 'world')
}
