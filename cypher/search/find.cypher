// Finds what a text names, then entities by the words of their names and of their
// current facts, each with its newest facts, some relations and its activation in a
// session.
//
// The queries are of Lucene's language and demand the digest of the owner or of the
// UNIVERSAL layer, so that the index itself leaves out what is others' and what isn't
// current. The owner is compared again, since two may have one digest.
//
// The database accesses are those of ten entities of few facts and relations, where
// more names and facts are found than are looked at.
//
// access:  read
// param:   owner STRING
// param:   session STRING       null: everything is cold
// param:   starts LIST<LIST>    of the grams of one start: what all begin with, the start, ids, ends
// param:   names STRING         query for labels; empty: none
// param:   statements STRING    query for texts of facts; empty: none
// param:   window INTEGER       how many names, and how many facts, are looked at
// param:   offset INTEGER       how many entities are passed over
// param:   limit INTEGER        how many entities at the most
// param:   matched INTEGER      how many of its facts that were found an entity has at the most
// param:   at DATETIME          null
// param:   facts INTEGER        how many facts of an entity at the most
// param:   relations INTEGER    how many relations of an entity at the most
// returns: key STRING
// returns: named BOOLEAN        the text names it
// returns: score FLOAT
// returns: matched LIST<MAP>    facts that were found, best first
// returns: activation STRING
// returns: entity MAP
// returns: names LIST<STRING>   the owner's own names of a UNIVERSAL entity
// returns: facts LIST<MAP>
// returns: relations LIST<MAP>
// hits:    6000
// index:   acervo_search
// index:   acervo_session_key
// index:   acervo_entity_key
// index:   acervo_alias_key
// index:   acervo_fact_about
// index:   acervo_alias_entity
// index:   acervo_ended_from
// index:   acervo_ended_to
// index:   acervo_reference_key
// plan:    CartesianProduct     of single rows, one from each subquery
OPTIONAL MATCH (s:AcervoSession {owner: $owner, id: $session})
WITH coalesce(s.hot, []) AS hot, coalesce(s.warm, []) AS warm
// include: mentions
WITH *, $names AS in_names, $statements AS in_facts
// include: searched
CALL (mentioned, called, told) {
  UNWIND [k IN mentioned | {key: k, score: 0.0}] + called + told AS hit
  WITH hit.key AS key, max(CASE WHEN hit.fact IS NULL THEN hit.score ELSE 0.0 END) + max(CASE WHEN hit.fact IS NULL THEN 0.0 ELSE hit.score END) AS score
  WITH key, key IN mentioned AS named, score
  WITH key, named, score / (1 + score) + CASE WHEN named THEN 1 ELSE 0 END AS score
  ORDER BY score DESC, key
  SKIP $offset
  LIMIT $limit
  RETURN key, named, score
}
WITH hot, warm, key, named, score, [t IN told WHERE t.key = key | t.fact][..$matched] AS found
// include: details
RETURN key, named, score,
       [f IN found | f {.owner, .text, .source, .sources, .source_details, .confidence, .created_at, .valid_from}] AS matched,
       CASE WHEN key IN hot THEN 'hot' WHEN key IN warm THEN 'warm' ELSE 'cold' END AS activation,
       properties(e) AS entity, names, facts, relations
ORDER BY score DESC, key
