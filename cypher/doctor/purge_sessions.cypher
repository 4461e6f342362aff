// Takes entities that aren't there out of some sessions.
//
// access:  write
// param:   owners LIST<STRING>   null: all
// param:   limit INTEGER
// returns: fixed INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every session is looked at
// plan:    Eager                sessions are found before the first is written; bounded by the limit
MATCH (s:AcervoSession)
WHERE ($owners IS NULL OR s.owner IN $owners)
CALL (s) {
  UNWIND s.hot + s.warm AS key
  OPTIONAL MATCH (e:AcervoEntity {owner: CASE WHEN key STARTS WITH 'w:' THEN 'world' ELSE s.owner END, id: substring(key, 2)})
  WITH key, e
  WHERE e IS NULL
  RETURN collect(key) AS gone
}
WITH s, gone
WHERE size(gone) > 0
LIMIT $limit
SET s.hot = [k IN s.hot WHERE NOT k IN gone], s.warm = [k IN s.warm WHERE NOT k IN gone]
RETURN count(s) AS fixed
