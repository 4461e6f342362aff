// Removes what is known of a pack.
//
// access:  write
// param:   name STRING
// index:   acervo_pack_name
MATCH (p:AcervoPack {name: $name})
DETACH DELETE p
