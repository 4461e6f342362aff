// Makes the history of one entity's relations that of another's. What would be
// between an entity and itself is dropped.
//
// access:  write
// param:   owners LIST<STRING>  whose history
// param:   old STRING
// param:   new STRING
// returns: moved INTEGER
// index:   acervo_ended_from
// index:   acervo_ended_to
// plan:    Eager                nodes are found by the properties that are then changed
UNWIND $owners AS owner
CALL (owner) {
  MATCH (n:AcervoEnded)
  USING INDEX n:AcervoEnded(owner, from, key)
  WHERE n.owner = owner AND n.from = $old AND n.key IS NOT NULL
  RETURN n
UNION
  MATCH (n:AcervoEnded)
  USING INDEX n:AcervoEnded(owner, to, key)
  WHERE n.owner = owner AND n.to = $old AND n.key IS NOT NULL
  RETURN n
}
WITH collect(n) AS moved
FOREACH (n IN moved |
  SET n.from = CASE n.from WHEN $old THEN $new ELSE n.from END,
      n.to = CASE n.to WHEN $old THEN $new ELSE n.to END)
WITH moved
FOREACH (n IN [x IN moved WHERE x.from = x.to] |
  DETACH DELETE n)
RETURN size(moved) AS moved
