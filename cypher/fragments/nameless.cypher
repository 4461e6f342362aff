MATCH (a:AcervoAlias)
WHERE ($owners IS NULL OR a.owner IN $owners) AND NOT EXISTS {
  MATCH (:AcervoEntity {owner: CASE WHEN a.entity STARTS WITH 'w:' THEN 'world' ELSE a.owner END, id: substring(a.entity, 2)})
}
