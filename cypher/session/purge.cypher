// Takes entities that are gone out of sessions.
//
// access:  write
// param:   owner STRING         null: the sessions of all owners
// param:   keys LIST<STRING>
// returns: sessions INTEGER
// index:   acervo_session_key
// plan:    Eager                sessions are found before the first is written
// include: sessions
WITH s
WHERE any(k IN s.hot + s.warm WHERE k IN $keys)
SET s.hot = [k IN s.hot WHERE NOT k IN $keys], s.warm = [k IN s.warm WHERE NOT k IN $keys]
RETURN count(s) AS sessions
