// Ranks what a text names, then entities by the words of their names and of their
// current facts, as search/find does, and says what a session has in use.
//
// access:  read
// param:   owner STRING
// param:   session STRING       null: nothing is in use
// param:   starts LIST<LIST>    of the grams of one start: what all begin with, the start, ids, ends
// param:   names STRING         query for labels; empty: none
// param:   statements STRING    query for texts of facts; empty: none
// param:   window INTEGER       how many names, how many facts, and how many entities
// param:   matched INTEGER      how many of its facts that were found an entity has at the most
// returns: mentioned LIST<STRING>
// returns: hot LIST<STRING>     keys
// returns: found LIST<MAP>      key; facts that were found, best first
// index:   acervo_search
// index:   acervo_session_key
// index:   acervo_entity_key
// index:   acervo_alias_key
// plan:    CartesianProduct     of single rows, one from each subquery
OPTIONAL MATCH (s:AcervoSession {owner: $owner, id: $session})
WITH coalesce(s.hot, []) AS hot
// include: mentions
WITH *, $names AS in_names, $statements AS in_facts
// include: searched
CALL (mentioned, called, told) {
  UNWIND [k IN mentioned | {key: k, score: 0.0}] + called + told AS hit
  WITH hit.key AS key, max(CASE WHEN hit.fact IS NULL THEN hit.score ELSE 0.0 END) + max(CASE WHEN hit.fact IS NULL THEN 0.0 ELSE hit.score END) AS score,
       collect(hit.fact)[..$matched] AS facts
  ORDER BY key IN mentioned DESC, score DESC, key
  LIMIT $window
  RETURN collect({key: key, facts: [f IN facts | f {.owner, .text, .source, .sources, .source_details, .confidence, .created_at, .valid_from}]}) AS found
}
RETURN mentioned, hot, found
