// Deletes some of what an owner's references point at.
//
// access:  write
// param:   owner STRING
// param:   limit INTEGER
// returns: removed INTEGER
// index:   acervo_reference_key
// plan:    Eager                what is deleted is found before the first is; bounded by the limit
MATCH (ref:AcervoReference)
USING INDEX ref:AcervoReference(owner, id)
WHERE ref.owner = $owner AND ref.id IS NOT NULL
MATCH (ref)-[f:REFERS]->()
WITH f
LIMIT $limit
DELETE f
RETURN count(*) AS removed
