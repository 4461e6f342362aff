WITH row, e, f, f.sources IS NULL AS created,
     [s IN row.sources WHERE NOT s IN coalesce(f.sources, [])] AS sources,
     [d IN row.details WHERE NOT d IN coalesce(f.source_details, [])] AS details
FOREACH (_ IN CASE WHEN created THEN [1] END |
  CREATE (e)-[:HAS_FACT]->(f))
FOREACH (_ IN CASE WHEN created OR sources + details <> [] OR row.confidence IS NOT NULL THEN [1] END |
  SET f += {
    sources: coalesce(f.sources, []) + sources,
    source_details: coalesce(f.source_details, CASE WHEN details <> [] THEN [] END) + details,
    confidence: coalesce(row.confidence, f.confidence)})
