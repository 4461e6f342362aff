// Removes a statement with its history, and the vector that was made of it.
//
// access:  write
// param:   key STRING
// returns: removed INTEGER
// index:   acervo_fact_key
// index:   acervo_vector_key
// plan:    Eager                they are found before the first is removed; bounded by the statement's history
MATCH (f:AcervoFact)
WHERE f.key >= $key AND f.key < $key + 'A' // the key, and the key with @ and a number
OPTIONAL MATCH (v:AcervoVector {owner: f.owner, id: substring(f.about, 2)})
DETACH DELETE f, v
RETURN count(*) AS removed
