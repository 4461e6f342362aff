// Reads relations of one type of some entities of the owner's own, which have more
// relations than were read with them. It takes what it reads, however many other
// relations there are.
//
// access:  read
// param:   owner STRING
// param:   keys LIST<STRING>
// param:   at DATETIME          null: what is current; else what was valid then
// param:   relations INTEGER    how many relations of an entity at the most
// returns: key STRING
// returns: relations LIST<MAP>
// index:   acervo_entity_key
UNWIND $keys AS key
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, id)
WHERE e.owner = $owner AND e.id >= substring(key, 2) AND e.id <= substring(key, 2)
CALL (e) {
  MATCH (e)-[r:`TYPE`]-(other:AcervoEntity)
  WHERE $at IS NULL OR r.valid_from <= $at
  WITH r, other
  LIMIT $relations
  RETURN collect({
    type: type(r), outgoing: startNode(r) = e, layer: r.layer, source: r.source, confidence: r.confidence,
    created_at: r.created_at, last_seen_at: r.last_seen_at, valid_from: r.valid_from,
    other: other {.id, .label, .type, .layer, .status, .pending_fields}}) AS relations
}
RETURN key, relations
