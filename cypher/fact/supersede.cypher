// Notes that one fact corrects another.
//
// access:  write
// param:   rows LIST<MAP>       key, ended
// index:   acervo_fact_key
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (n:AcervoFact {key: row.key})
MATCH (o:AcervoFact {key: row.ended})
MERGE (n)-[:SUPERSEDES]->(o)
