// Lets facts absorb the same statements about another entity.
//
// access:  write
// param:   rows LIST<MAP>       key (what is absorbed), to (what absorbs it)
// index:   acervo_fact_key
// plan:    Eager                facts are read before the first is deleted; bounded by the batch
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (f:AcervoFact {key: row.key})
MATCH (k:AcervoFact {key: row.to})
SET k.sources = k.sources + [s IN f.sources WHERE NOT s IN k.sources],
    k.source_details = CASE WHEN f.source_details IS NULL THEN k.source_details
      ELSE coalesce(k.source_details, []) + [d IN f.source_details WHERE NOT d IN coalesce(k.source_details, [])] END,
    k.created_at = CASE WHEN f.created_at < k.created_at THEN f.created_at ELSE k.created_at END,
    k.valid_from = CASE WHEN f.valid_from < k.valid_from THEN f.valid_from ELSE k.valid_from END
WITH f, k
CALL (f, k) {
  MATCH (f)-[:SUPERSEDES]->(o:AcervoFact)
  WHERE o <> k
  MERGE (k)-[:SUPERSEDES]->(o)
}
DETACH DELETE f
