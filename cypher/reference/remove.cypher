// Removes the references of all owners to one UNIVERSAL entity.
//
// access:  write
// param:   id STRING
// index:   acervo_reference_id
MATCH (ref:AcervoReference)
USING INDEX ref:AcervoReference(id, owner)
WHERE ref.id = $id AND ref.owner IS NOT NULL
DETACH DELETE ref
