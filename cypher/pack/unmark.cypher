// Takes a pack's mark off relations that stay.
//
// access:  write
// param:   name STRING          what the pack's marks start with: its name and @
// param:   rows LIST<MAP>       from, type, to
// index:   acervo_reference_key
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (a:AcervoReference {owner: 'world', id: row.from})
USING INDEX a:AcervoReference(owner, id)
MATCH (b:AcervoReference {owner: 'world', id: row.to})
USING INDEX b:AcervoReference(owner, id)
MATCH (a)-[f:REFERS]->(b)
WHERE f.type = row.type AND f.outgoing
SET f.packs = [m IN f.packs WHERE NOT m STARTS WITH $name]
