// Takes entities that are gone out of the sessions of all owners.
//
// access:  write
// param:   keys LIST<STRING>
// index:   acervo_session_key
// plan:    Eager                sessions are found before the first is written
MATCH (s:AcervoSession)
WHERE s.owner IS NOT NULL AND s.id IS NOT NULL AND any(k IN s.hot + s.warm WHERE k IN $keys)
SET s.hot = [k IN s.hot WHERE NOT k IN $keys], s.warm = [k IN s.warm WHERE NOT k IN $keys]
