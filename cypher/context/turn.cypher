// Does one turn: ages the session, makes hot what the message names, and reads
// what the context is made of, as in context/materialize. A turn whose id was
// applied before changes nothing and reads the session as it is.
//
// The database accesses are those of a message of 50 words with 20 hot entities of
// up to 12 facts and relations each; one that lists a type takes up to twice as many.
//
// access:  write
// param:   owner STRING
// param:   session STRING
// param:   turn_id STRING
// param:   turn_ids INTEGER     how many ids of turns a session remembers
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
// param:   hot_limit INTEGER    how many keys a list of the session holds
// param:   at DATETIME          null: what is current; else what was valid then
// param:   nodes INTEGER        how many nodes at the most
// param:   facts INTEGER        how many facts of a node at the most
// param:   relations INTEGER    how many relations of a node at the most
// param:   now DATETIME
// returns: turn INTEGER
// returns: repeated BOOLEAN
// returns: mentioned LIST<STRING>
// returns: hot LIST<STRING>
// returns: warm LIST<STRING>
// returns: self STRING           the owner's own entity, if the message is about it
// returns: spoken LIST<STRING>   mentioned ones, this one and those spoken of before
// returns: listed LIST<MAP>     key, entity: those of the types
// returns: found LIST<MAP>      key, score, named, facts: by the words of the message, best first
// returns: details LIST<MAP>    key, entity, names, facts, relations
// hits:    1500
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
// plan:    Eager                one session is read, then set
// plan:    CartesianProduct     of single rows, one from each subquery
MERGE (s:AcervoSession {owner: $owner, id: $session})
ON CREATE SET s.turn = 0, s.hot = [], s.warm = []
SET s.updated_at = $now
WITH s, coalesce($turn_id IN s.turn_ids, false) AS repeated
// include: mentions
WITH s, repeated, mentioned, s.hot + s.warm AS before,
     coalesce(CASE WHEN repeated THEN s.hot ELSE mentioned END, []) AS hot, // coalesce tells 2026 that it is a list
     CASE WHEN repeated THEN s.warm ELSE [k IN s.hot WHERE NOT k IN mentioned] END AS warm
FOREACH (_ IN CASE WHEN NOT repeated THEN [1] END |
  SET s.turn = s.turn + 1, s.hot = hot[..$hot_limit], s.warm = warm, s.last_turn_id = $turn_id,
      s.turn_ids = ([$turn_id] + coalesce(s.turn_ids, []))[..$turn_ids])
WITH s.turn AS turn, repeated, mentioned, hot, warm, before
// include: recalled
RETURN turn, repeated, mentioned, hot, warm, self, spoken, listed, found, details
