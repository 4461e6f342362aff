  MERGE (f:AcervoFact {key: row.key})
  ON CREATE SET
    f.owner = $batch.owner, f.owner_digest = $batch.owner_digest, f.about = row.about, f.text = row.text, f.source = row.sources[0],
    f.confidence = coalesce(row.confidence, 1.0), f.created_at = row.created_at, f.valid_from = row.valid_from,
    f:Personal
// include: stated
  RETURN collect([row.i, created, NOT created AND sources + details <> []]) AS facts
