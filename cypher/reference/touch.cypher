// Notes that owners use UNIVERSAL entities.
//
// access:  write
// param:   rows LIST<MAP>       owner, id
// index:   acervo_reference_key
UNWIND $rows AS row
MERGE (:AcervoReference {owner: row.owner, id: row.id})
