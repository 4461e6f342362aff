// Counts what there is of one owner.
//
// access:  read
// param:   owner STRING
// returns: counts MAP           by label, and relations
// index:   acervo_entity_key
// index:   acervo_fact_about
// index:   acervo_alias_key
// index:   acervo_ended_key
// index:   acervo_reference_key
// index:   acervo_session_key
// index:   acervo_vector_key
// plan:    CartesianProduct     of single rows, one from each subquery
CALL () {
  MATCH (e:AcervoEntity)
  WHERE e.owner = $owner AND e.id IS NOT NULL
  RETURN count(*) AS entities, sum(COUNT { (e)-->(:AcervoEntity) } + COUNT { (e)<--(:Universal) }) AS relations
}
CALL () {
  MATCH (f:AcervoFact)
  WHERE f.owner = $owner AND f.about IS NOT NULL AND f.created_at IS NOT NULL
  RETURN count(*) AS facts
}
CALL () {
  MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(owner, id, entity)
  WHERE a.owner = $owner AND a.id IS NOT NULL AND a.entity IS NOT NULL
  RETURN count(*) AS aliases
}
CALL () {
  MATCH (n:AcervoEnded)
  USING INDEX n:AcervoEnded(owner, key)
  WHERE n.owner = $owner AND n.key IS NOT NULL
  RETURN count(*) AS ended
}
CALL () {
  MATCH (ref:AcervoReference)
  USING INDEX ref:AcervoReference(owner, id)
  WHERE ref.owner = $owner AND ref.id IS NOT NULL
  RETURN count(*) AS references, sum(COUNT { (ref)-[:REFERS]->(:AcervoReference) }) AS shared
}
CALL () {
  MATCH (s:AcervoSession)
  WHERE s.owner = $owner AND s.id IS NOT NULL
  RETURN count(*) AS sessions
}
CALL () {
  MATCH (v:AcervoVector)
  WHERE v.owner = $owner AND v.id IS NOT NULL
  RETURN count(*) AS vectors
}
RETURN {AcervoEntity: entities, AcervoFact: facts, AcervoAlias: aliases, AcervoEnded: ended, AcervoReference: references,
        AcervoSession: sessions, AcervoVector: vectors, relations: relations + shared} AS counts
