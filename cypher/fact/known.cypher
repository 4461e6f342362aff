// Tells which of many facts are there, by their keys.
//
// access:  read
// param:   keys LIST<STRING>
// returns: keys LIST<STRING>
// index:   acervo_fact_key
MATCH (f:AcervoFact)
WHERE f.key IN $keys
RETURN collect(f.key) AS keys
