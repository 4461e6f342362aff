// As reference/upsert, with all that the relations held.
//
// access:  write
// param:   rows LIST<MAP>       owner, id, other, universal, outgoing, type, held
// index:   acervo_reference_key
// index:   acervo_entity_key
// plan:    Eager                references are created and pointed at in one statement; bounded by the batch
// include: refers
WITH row, f, f.created_at IS NULL AS created
SET f += CASE WHEN created THEN row.held ELSE {
  created_at: CASE WHEN row.held.created_at < f.created_at THEN row.held.created_at ELSE f.created_at END,
  valid_from: CASE WHEN row.held.valid_from < f.valid_from THEN row.held.valid_from ELSE f.valid_from END,
  last_seen_at: CASE WHEN row.held.last_seen_at > f.last_seen_at THEN row.held.last_seen_at ELSE f.last_seen_at END} END
