// Notes on relations of the UNIVERSAL layer, and on what refers to them, that a
// pack brings them.
//
// access:  write
// param:   name STRING          what the pack's marks start with: its name and @
// param:   mark STRING          the name, @ and the version
// param:   rows LIST<MAP>       from, type, to, created
// index:   acervo_reference_key
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (a:AcervoReference {owner: 'world', id: row.from})
USING INDEX a:AcervoReference(owner, id)
MATCH (b:AcervoReference {owner: 'world', id: row.to})
USING INDEX b:AcervoReference(owner, id)
MATCH (a)-[f:REFERS]->(b)
WHERE f.type = row.type AND f.outgoing
SET f.packs = [m IN coalesce(f.packs, []) WHERE NOT m STARTS WITH $name] + $mark,
    f.pack_created = coalesce(f.pack_created, row.created)
