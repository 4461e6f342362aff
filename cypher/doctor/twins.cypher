// Counts the relations that are there twice: from and to the same entities, of one
// type and one owner.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// plan:    NodeByLabelScan      every relation is looked at
MATCH (a:AcervoEntity)
CALL (a) {
  MATCH (a)-[r]->(b:AcervoEntity)
  WHERE r.owner IS NOT NULL AND r.layer IS NOT NULL AND ($owners IS NULL OR r.owner IN $owners)
  WITH b, type(r) AS type, r.owner AS owner, count(*) AS times
  WHERE times > 1
  RETURN times
}
RETURN coalesce(sum(times - 1), 0) AS found
