// Counts the relations that their owner can't see, since an end is another owner's.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// plan:    NodeByLabelScan      every relation is looked at
MATCH (a:AcervoEntity)-[r]->(b:AcervoEntity)
USING SCAN a:AcervoEntity
WHERE r.owner IS NOT NULL AND r.layer IS NOT NULL AND ($owners IS NULL OR r.owner IN $owners)
  AND NOT (a.owner IN [r.owner, 'world'] AND b.owner IN [r.owner, 'world'])
RETURN count(r) AS found
