// Ends current facts: each keeps its text and gets a time until which it was
// valid. Its key is then free for the same statement to be made again, and a search
// doesn't find it any more.
//
// access:  write
// param:   rows LIST<MAP>       key, ended (the key that it gets), valid_to
// returns: key STRING           of each fact that was ended
// index:   acervo_fact_key
// plan:    Eager                a fact is found by the key that is then changed
UNWIND $rows AS row
MATCH (f:AcervoFact {key: row.key})
MATCH (f)<-[current:HAS_FACT]-(e:AcervoEntity)
SET f.key = row.ended, f.valid_to = row.valid_to, f.owner_digest = null
CREATE (e)-[:HAD_FACT]->(f)
DELETE current
RETURN row.key AS key
