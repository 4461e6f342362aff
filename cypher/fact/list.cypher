// Lists the facts about one entity that an owner sees, in the order in which
// they were said.
//
// access:  read
// param:   owner STRING
// param:   key STRING
// param:   history BOOLEAN      also those that were corrected or retracted
// param:   at DATETIME          null: what is current; else what was valid then
// param:   after LIST<STRING>   created_at and key of the last fact of the page before, or empty strings
// param:   limit INTEGER
// returns: fact MAP
// returns: supersedes LIST<STRING>  texts of what it corrects
// returns: superseded_by LIST<STRING>  texts of what corrects it
// returns: position LIST<STRING>  what after is for the next page
// index:   acervo_fact_about
UNWIND CASE WHEN $owner <> 'world' AND $key STARTS WITH 'w:' THEN [$owner, 'world'] ELSE [$owner] END AS space
CALL (space) {
  WITH space, CASE $after[0] WHEN '' THEN datetime('-9999-01-01T00:00:00Z') ELSE datetime($after[0]) END AS from
  MATCH (f:AcervoFact)
  WHERE f.owner = space AND f.about = $key AND f.created_at >= from
    AND (f.created_at > from OR f.key > $after[1])
    AND CASE
      WHEN $history THEN true
      WHEN $at IS NULL THEN f.valid_to IS NULL
      ELSE f.valid_from <= $at AND coalesce(f.valid_to > $at, true) END
  RETURN f
  ORDER BY f.owner, f.about, f.created_at, f.key
  LIMIT $limit
}
WITH f
ORDER BY f.created_at, f.key
LIMIT $limit
RETURN properties(f) AS fact,
       COLLECT { MATCH (f)-[:SUPERSEDES]->(o:AcervoFact) RETURN o.text ORDER BY o.text } AS supersedes,
       COLLECT { MATCH (n:AcervoFact)-[:SUPERSEDES]->(f) RETURN n.text ORDER BY n.text } AS superseded_by,
       [toString(f.created_at), f.key] AS position
ORDER BY f.created_at, f.key
