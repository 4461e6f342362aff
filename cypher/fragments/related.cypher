  CALL (row, a, b, fresh) {
    WITH row, a, b WHERE NOT fresh
// include: linked
    RETURN collect(r) AS known
  }
  CALL (row, a, b, fresh, known) {
    WITH row, a, b WHERE known = [] AND NOT fresh
    SET a.layer = a.layer
    WITH row, a, b
// include: linked
    RETURN collect(r) AS late
  }
  WITH row, a, b, known + late AS found
  FOREACH (_ IN CASE WHEN found = [] THEN [1] END |
    CREATE (a)-[:$(row.type) {
      owner: $batch.owner, layer: 'PERSONAL', source: row.source, confidence: coalesce(row.confidence, 1.0),
      created_at: row.created_at, last_seen_at: $batch.now, valid_from: row.valid_from}]->(b))
  FOREACH (r IN found |
    SET r.last_seen_at = $batch.now, r.confidence = coalesce(row.confidence, r.confidence))
  RETURN collect([row.i, found = []]) AS relations
