// Lists some relations of an owner that touch UNIVERSAL entities.
//
// access:  read
// param:   owner STRING
// param:   limit INTEGER
// returns: id STRING            of the UNIVERSAL entity
// returns: other_owner STRING
// returns: other_id STRING
// returns: type STRING
// returns: outgoing BOOLEAN
// index:   acervo_reference_key
MATCH (ref:AcervoReference)
USING INDEX ref:AcervoReference(owner, id)
WHERE ref.owner = $owner AND ref.id IS NOT NULL
MATCH (ref)-[f:REFERS]->(other)
RETURN ref.id AS id, CASE WHEN other:AcervoReference THEN 'world' ELSE other.owner END AS other_owner, other.id AS other_id,
       f.type AS type, f.outgoing AS outgoing
LIMIT $limit
