// Counts what hangs on one entity.
//
// access:  read
// param:   owner STRING
// param:   id STRING
// returns: facts INTEGER
// returns: relations INTEGER
// index:   acervo_entity_key
MATCH (e:AcervoEntity {owner: $owner, id: $id})
RETURN COUNT { (e)-[:HAS_FACT|HAD_FACT]->() } AS facts, COUNT { (e)--(:AcervoEntity) } AS relations
