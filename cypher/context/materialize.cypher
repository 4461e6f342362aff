// Reads what the context of a session is made of: the nodes that the message
// names, then the hot ones, each with its newest facts and some relations. Smart,
// only what the message asks for: what it names, else what it goes on with, and
// what is of the types that it speaks of or has its words. Queries and digests are
// those of search/find.
//
// access:  read
// param:   owner STRING
// param:   session STRING
// param:   starts LIST<LIST>    of the grams of one start: what all begin with, the start, ids, ends
// param:   ask MAP              what the message asks for, in one map, or each length of a list would be planned
//                               anew. smart; asks: it is no chat; goes_on: with what was said before; elliptical: so if
//                               nothing else is found; types that
//                               it speaks of: type, words; listed: how many nodes of them at the most; text: queries for names
//                               and for facts as in search/find; other: those without the words for types; hits:
//                               how many nodes that they find at the most; weak: ids of words by which nothing is
//                               named, though an entity be called so; self: the id by which the owner's own entity is
//                               found, null if the message isn't about who says it; relates: it speaks of relations
// param:   window INTEGER       how many names, and how many facts, are looked at
// param:   at DATETIME          null: what is current; else what was valid then
// param:   nodes INTEGER        how many nodes at the most
// param:   facts INTEGER        how many facts of a node at the most
// param:   relations INTEGER    how many relations of a node at the most
// returns: turn INTEGER
// returns: mentioned LIST<STRING>
// returns: hot LIST<STRING>
// returns: warm LIST<STRING>
// returns: self STRING           the owner's own entity, if the message is about it
// returns: spoken LIST<STRING>   mentioned ones, this one and those spoken of before
// returns: listed LIST<MAP>     key, entity: those of the types
// returns: found LIST<MAP>      key, score, named, facts: by the words of the message, best first
// returns: details LIST<MAP>    key, entity, names, facts, relations
// index:   acervo_search
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
RETURN turn, mentioned, hot, warm, self, spoken, listed, found, details
