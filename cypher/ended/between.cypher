// Finds when the first one began of an entity's ended relations of one type that
// began after some time, and ends at that time those which went on beyond it.
//
// access:  write
// param:   owner STRING
// param:   from STRING
// param:   type STRING
// param:   start DATETIME
// returns: next DATETIME        null: none began later
// index:   acervo_ended_from
MATCH (n:AcervoEnded)
USING INDEX n:AcervoEnded(owner, from, key)
WHERE n.owner = $owner AND n.from = $from AND n.key IS NOT NULL AND n.type = $type AND n.valid_to > $start
WITH collect(n) AS later
FOREACH (n IN [x IN later WHERE x.valid_from < $start] |
  SET n.valid_to = $start)
WITH [x IN later WHERE x.valid_from > $start | x.valid_from] AS starts
RETURN reduce(first = head(starts), s IN tail(starts) | CASE WHEN s < first THEN s ELSE first END) AS next
