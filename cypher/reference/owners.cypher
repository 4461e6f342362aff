// Lists the owners that use one UNIVERSAL entity, or did, by the references that
// they keep to it.
//
// access:  read
// param:   id STRING
// returns: owner STRING
// index:   acervo_reference_id
MATCH (ref:AcervoReference)
USING INDEX ref:AcervoReference(id, owner)
WHERE ref.id = $id AND ref.owner IS NOT NULL
RETURN ref.owner AS owner
ORDER BY ref.owner
