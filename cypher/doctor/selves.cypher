// Counts the relations of an entity to itself.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// plan:    NodeByLabelScan      every relation is looked at
MATCH (a:AcervoEntity)-[r]->(a)
USING SCAN a:AcervoEntity
WHERE r.owner IS NOT NULL AND r.layer IS NOT NULL AND ($owners IS NULL OR r.owner IN $owners)
RETURN count(r) AS found
