// Notes that one fact corrects another.
//
// access:  write
// param:   rows LIST<MAP>       i, key, ended
// returns: i INTEGER            of the rows whose facts are there
// index:   acervo_fact_key
// plan:    Eager                one row's facts are found before another's are joined; bounded by the batch
// plan:    CartesianProduct     of two unique index seeks
UNWIND $rows AS row
MATCH (n:AcervoFact {key: row.key})
MATCH (o:AcervoFact {key: row.ended})
MERGE (n)-[:SUPERSEDES]->(o)
RETURN row.i AS i
