// Finds what became of statements: the current fact, and those that were ended.
//
// access:  read
// param:   rows LIST<MAP>       i, key
// returns: i INTEGER
// returns: fact MAP             null: it isn't current
// returns: ended LIST<MAP>      key, valid_to, by: keys of the facts that supersede it
// index:   acervo_fact_key
UNWIND $rows AS row
OPTIONAL MATCH (f:AcervoFact {key: row.key})
CALL (row) {
  MATCH (o:AcervoFact)
  WHERE o.key STARTS WITH row.key + '@'
  RETURN collect({key: o.key, valid_to: o.valid_to, by: COLLECT { MATCH (n:AcervoFact)-[:SUPERSEDES]->(o) RETURN n.key }}) AS ended
}
RETURN row.i AS i, properties(f) AS fact, ended
