// Removes a statement with its history.
//
// access:  write
// param:   key STRING
// returns: removed INTEGER
// index:   acervo_fact_key
MATCH (f:AcervoFact)
WHERE f.key >= $key AND f.key < $key + 'A' // the key, and the key with @ and a number
DETACH DELETE f
RETURN count(*) AS removed
