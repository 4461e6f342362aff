// Puts one entity in the place of another in sessions: the more recent use of
// the two counts.
//
// access:  write
// param:   owner STRING         null: the sessions of all owners
// param:   old STRING
// param:   new STRING
// returns: sessions INTEGER
// index:   acervo_session_key
// plan:    Eager                sessions are found before the first is written
// include: sessions
WITH s
WHERE $old IN s.hot OR $old IN s.warm
WITH s,
     [i IN range(0, size(s.hot) - 1) | CASE s.hot[i] WHEN $old THEN $new ELSE s.hot[i] END] AS hot,
     [i IN range(0, size(s.warm) - 1) | CASE s.warm[i] WHEN $old THEN $new ELSE s.warm[i] END] AS warm
WITH s, [i IN range(0, size(hot) - 1) WHERE NOT hot[i] IN hot[..i] | hot[i]] AS hot, warm
SET s.hot = hot,
    s.warm = [i IN range(0, size(warm) - 1) WHERE NOT warm[i] IN warm[..i] AND NOT warm[i] IN hot | warm[i]]
RETURN count(s) AS sessions
