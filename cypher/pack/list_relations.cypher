// Lists the relations that a pack brings from some entities, or only those of
// other versions.
//
// access:  read
// param:   ids LIST<STRING>
// param:   name STRING          what the pack's marks start with: its name and @
// param:   mark STRING          null: of any version; else of any other mark
// returns: from STRING
// returns: type STRING
// returns: to STRING
// returns: alone BOOLEAN        the pack made it and no other pack brings it
// index:   acervo_reference_key
UNWIND $ids AS id
MATCH (a:AcervoReference {owner: 'world', id: id})
USING INDEX a:AcervoReference(owner, id)
MATCH (a)-[f:REFERS]-(b:AcervoReference)
WHERE any(m IN f.packs WHERE m STARTS WITH $name AND ($mark IS NULL OR m <> $mark))
WITH DISTINCT f
RETURN startNode(f).id AS from, f.type AS type, endNode(f).id AS to,
       coalesce(f.pack_created, false) AND all(m IN f.packs WHERE m STARTS WITH $name) AS alone
