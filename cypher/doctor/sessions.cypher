// Counts the sessions in which entities are hot or warm that aren't there.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_entity_key
// plan:    NodeByLabelScan      every session is looked at
MATCH (s:AcervoSession)
WHERE ($owners IS NULL OR s.owner IN $owners)
CALL (s) {
  UNWIND s.hot + s.warm AS key
  OPTIONAL MATCH (e:AcervoEntity {owner: CASE WHEN key STARTS WITH 'w:' THEN 'world' ELSE s.owner END, id: substring(key, 2)})
  WITH key, e
  WHERE e IS NULL
  RETURN count(*) AS gone
}
WITH s, gone
WHERE gone > 0
RETURN count(s) AS found
