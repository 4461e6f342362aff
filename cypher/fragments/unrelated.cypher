MATCH (ref:AcervoReference)-[f:REFERS]->(x)
USING SCAN ref:AcervoReference
WHERE ($owners IS NULL OR ref.owner IN $owners) AND NOT EXISTS {
  MATCH (a:AcervoEntity {owner: 'world', id: ref.id})
  MATCH (b:AcervoEntity {owner: CASE WHEN x:AcervoReference THEN 'world' ELSE x.owner END, id: x.id})
  WITH a, b
  MATCH (a)-[r]-(b)
  WHERE r.owner = ref.owner AND type(r) = f.type AND (startNode(r) = a) = f.outgoing
  RETURN r
}
