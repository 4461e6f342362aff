// Counts the entities and facts of one space.
//
// access:  read
// param:   space STRING         an owner, or world
// returns: counts LIST<MAP>     layer, type, status, nodes
// returns: facts INTEGER
// returns: sessions INTEGER
// index:   acervo_entity_key
// index:   acervo_fact_about
// index:   acervo_session_key
// plan:    CartesianProduct     of single rows, one from each subquery
CALL () {
  MATCH (e:AcervoEntity)
  WHERE e.owner = $space AND e.id IS NOT NULL
  WITH e.layer AS layer, e.type AS type, e.status AS status, count(*) AS nodes
  ORDER BY layer, type, status
  RETURN collect({layer: layer, type: type, status: status, nodes: nodes}) AS counts
}
CALL () {
  MATCH (f:AcervoFact)
  WHERE f.owner = $space AND f.about IS NOT NULL AND f.created_at IS NOT NULL AND f.valid_to IS NULL
  RETURN count(*) AS facts
}
CALL () {
  MATCH (s:AcervoSession)
  WHERE s.owner = $space AND s.id IS NOT NULL
  RETURN count(*) AS sessions
}
RETURN counts, facts, sessions
