// Notes which relations of an owner touch UNIVERSAL entities, so that a read for
// one owner never walks the relations of the others that such an entity carries.
// A reference points at the entity at the other end, or, where that is UNIVERSAL
// too, at the owner's reference to it. It repeats what the relation holds.
//
// access:  write
// param:   rows LIST<MAP>       owner, id, other, universal, outgoing, type, layer, source, confidence, created_at, valid_from
// param:   now DATETIME
// index:   acervo_reference_key
// index:   acervo_entity_key
// plan:    Eager                references are created and pointed at in one statement; bounded by the batch
// include: refers
ON CREATE SET
  f.layer = row.layer, f.source = row.source, f.confidence = coalesce(row.confidence, 1.0),
  f.created_at = row.created_at, f.valid_from = row.valid_from
SET f.last_seen_at = $now, f.confidence = coalesce(row.confidence, f.confidence)
