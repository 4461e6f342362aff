MATCH (f:AcervoFact)
WHERE ($owners IS NULL OR f.owner IN $owners)
  AND (COUNT { (f)<-[:HAS_FACT|HAD_FACT]-() } <> 1 OR NOT EXISTS {
    MATCH (f)<-[r:HAS_FACT|HAD_FACT]-(e:AcervoEntity)
    WHERE f.about = CASE e.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id AND e.owner IN [f.owner, 'world']
      AND (type(r) = 'HAS_FACT') = (f.valid_to IS NULL)
  })
