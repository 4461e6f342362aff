// Makes the packs of one UNIVERSAL entity those of another.
//
// access:  write
// param:   old STRING
// param:   new STRING
// index:   acervo_entity_key
// plan:    CartesianProduct     of two unique index seeks
// plan:    Eager                relationships are read before the first is created
MATCH (o:AcervoEntity {owner: 'world', id: $old})
MATCH (n:AcervoEntity {owner: 'world', id: $new})
MATCH (o)<-[x:PROVIDES]-(p:AcervoPack)
MERGE (p)-[y:PROVIDES]->(n)
ON CREATE SET y += properties(x)
DELETE x
