// Lists some relations of an owner between UNIVERSAL entities.
//
// access:  read
// param:   owner STRING
// param:   limit INTEGER
// returns: id STRING
// returns: other STRING
// returns: type STRING
// returns: outgoing BOOLEAN
// index:   acervo_reference_key
MATCH (ref:AcervoReference)
USING INDEX ref:AcervoReference(owner, id)
WHERE ref.owner = $owner AND ref.id IS NOT NULL
MATCH (ref)-[f:REFERS]->(other:AcervoReference)
RETURN ref.id AS id, other.id AS other, f.type AS type, f.outgoing AS outgoing
LIMIT $limit
