// Reads what the context of a session is made of: the nodes that the message
// names, then the hot ones, each with its newest facts and some relations.
//
// access:  read
// param:   owner STRING
// param:   session STRING
// param:   starts LIST<MAP>     prefix: what all grams of one start begin with; grams: id, start, end
// param:   at DATETIME          null: what is current; else what was valid then
// param:   nodes INTEGER        how many nodes at the most
// param:   facts INTEGER        how many facts of a node at the most
// param:   relations INTEGER    how many relations of a node at the most
// returns: turn INTEGER
// returns: mentioned LIST<STRING>
// returns: hot LIST<STRING>
// returns: warm LIST<STRING>
// returns: details LIST<MAP>    key, entity, names, facts, relations
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
WITH coalesce(s.turn, 0) AS turn, coalesce(s.hot, []) AS hot, coalesce(s.warm, []) AS warm
// include: mentions
CALL (mentioned, hot) {
  UNWIND (mentioned + [k IN hot WHERE NOT k IN mentioned])[..$nodes] AS key
// include: details
  RETURN collect({key: key, entity: properties(e), names: names, facts: facts, relations: relations}) AS details
}
RETURN turn, mentioned, hot, warm, details
