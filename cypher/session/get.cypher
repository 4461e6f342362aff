// Reads a session.
//
// access:  read
// param:   owner STRING
// param:   session STRING
// returns: turn INTEGER
// returns: hot LIST<STRING>
// returns: warm LIST<STRING>
// index:   acervo_session_key
MATCH (s:AcervoSession {owner: $owner, id: $session})
RETURN s.turn AS turn, s.hot AS hot, s.warm AS warm
