// Reads what the context of a session is made of: the nodes that the message
// names, then the hot ones, each with its newest facts and some relations. Smart,
// only what the message asks for: what it names, else what it goes on with, and
// what is of the types that it speaks of.
//
// access:  read
// param:   owner STRING
// param:   session STRING
// param:   starts LIST<MAP>     prefix: what all grams of one start begin with; grams: id, start, end
// param:   ask MAP              smart: recall what the message asks for; weak: ids of words by which nothing is
//                               named, though an entity be called so; types that it speaks of; goes_on: with
//                               what was said before; asks: it is no chat; listed: how many nodes of the
//                               types at the most; one map, or each length of a list would be planned anew
// param:   at DATETIME          null: what is current; else what was valid then
// param:   nodes INTEGER        how many nodes at the most
// param:   facts INTEGER        how many facts of a node at the most
// param:   relations INTEGER    how many relations of a node at the most
// returns: turn INTEGER
// returns: mentioned LIST<STRING>
// returns: hot LIST<STRING>
// returns: warm LIST<STRING>
// returns: spoken LIST<STRING>   mentioned ones and those spoken of before
// returns: listed LIST<MAP>     key, entity: those of the types
// returns: details LIST<MAP>    key, entity, names, facts, relations
// index:   acervo_session_key
// index:   acervo_entity_key
// index:   acervo_entity_type
// index:   acervo_alias_key
// index:   acervo_fact_about
// index:   acervo_alias_entity
// index:   acervo_ended_from
// index:   acervo_ended_to
// index:   acervo_reference_key
// plan:    CartesianProduct     of single rows, one from each subquery
OPTIONAL MATCH (s:AcervoSession {owner: $owner, id: $session})
WITH coalesce(s.turn, 0) AS turn, coalesce(s.hot, []) AS hot, coalesce(s.warm, []) AS warm
WITH *, hot + warm AS before
// include: mentions
// include: recalled
RETURN turn, mentioned, hot, warm, spoken, listed, details
