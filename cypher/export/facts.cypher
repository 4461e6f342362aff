// Reads the facts of one space, current and past, by what they are about and
// when they were said.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// returns: held MAP
// returns: supersedes LIST<MAP>  key, text
// returns: position LIST<STRING>
// index:   acervo_fact_about
MATCH (f:AcervoFact)
USING INDEX f:AcervoFact(owner, about, created_at)
WHERE f.owner = $space AND f.about >= $after[0] AND f.created_at IS NOT NULL
  AND CASE
    WHEN f.about > $after[0] THEN true
    WHEN $after[1] = '' THEN true
    WHEN f.created_at <> datetime($after[1]) THEN f.created_at > datetime($after[1])
    ELSE f.key > $after[2] END
WITH f
ORDER BY f.owner, f.about, f.created_at, f.key
LIMIT $limit
RETURN properties(f) AS held, COLLECT { MATCH (f)-[:SUPERSEDES]->(o:AcervoFact) RETURN {key: o.key, text: o.text} ORDER BY o.key } AS supersedes,
       [f.about, toString(f.created_at), f.key] AS position
ORDER BY f.about, f.created_at, f.key
