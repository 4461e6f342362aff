// Notes what is known of a pack: before its items are stored without a time, and
// after it with one.
//
// access:  write
// param:   name STRING
// param:   held MAP
// index:   acervo_pack_name
MERGE (p:AcervoPack {name: $name})
SET p += $held
