// Adds facts, or the sources of facts that are there.
//
// access:  write
// param:   rows LIST<MAP>       i, key, owner, owner_digest, about, about_owner, about_id, label, text, sources, details, confidence, created_at, valid_from
// returns: i INTEGER
// returns: created BOOLEAN
// returns: gained BOOLEAN       a source was added to a fact that was there
// index:   acervo_entity_key
// index:   acervo_fact_key
// index:   acervo_reference_key
// plan:    Eager                a fact's sources are read, then set; bounded by the batch
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: row.about_owner, id: row.about_id})
MERGE (f:AcervoFact {key: row.key})
ON CREATE SET
  f.owner = row.owner, f.owner_digest = row.owner_digest, f.about = row.about, f.text = row.text, f.source = row.sources[0],
  f.confidence = coalesce(row.confidence, 1.0), f.created_at = row.created_at, f.valid_from = row.valid_from,
  f:$(row.label)
// include: stated
FOREACH (_ IN CASE WHEN created AND row.about_owner = 'world' THEN [1] END |
  MERGE (:AcervoReference {owner: row.owner, id: row.about_id}))
RETURN row.i AS i, created, NOT created AND sources + details <> [] AS gained
