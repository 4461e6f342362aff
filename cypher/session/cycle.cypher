// Ages a session by one turn: hot becomes warm, warm becomes cold.
//
// access:  write
// param:   owner STRING
// param:   session STRING
// param:   turn_id STRING       null: always applied
// param:   turn_ids INTEGER     how many ids of turns a session remembers
// param:   now DATETIME
// returns: turn INTEGER
// returns: repeated BOOLEAN     the turn's id was applied before
// returns: hot LIST<STRING>
// returns: warm LIST<STRING>
// returns: cooled LIST<STRING>  keys that are cold now
// index:   acervo_session_key
// plan:    Eager                one session is read, then set
MERGE (s:AcervoSession {owner: $owner, id: $session})
ON CREATE SET s.turn = 0, s.hot = [], s.warm = []
SET s.updated_at = $now
WITH s, coalesce($turn_id IN s.turn_ids, false) AS repeated, s.warm AS before
FOREACH (_ IN CASE WHEN NOT repeated THEN [1] END |
  SET s.turn = s.turn + 1, s.warm = s.hot, s.hot = []
  SET s.last_turn_id = $turn_id,
      s.turn_ids = CASE WHEN $turn_id IS NULL THEN s.turn_ids ELSE ([$turn_id] + coalesce(s.turn_ids, []))[..$turn_ids] END)
RETURN s.turn AS turn, repeated, s.hot AS hot, s.warm AS warm,
       CASE WHEN repeated THEN [] ELSE [k IN before WHERE NOT k IN s.warm] END AS cooled
