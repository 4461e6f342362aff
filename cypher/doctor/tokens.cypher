// Counts the names that are in use in the whole database, and tells the server's time.
//
// access:  read
// returns: labels INTEGER
// returns: relations INTEGER
// returns: keys INTEGER
// returns: now DATETIME
// plan:    CartesianProduct     of single rows, one from each subquery
CALL db.labels() YIELD label
WITH count(*) AS labels
CALL () {
  CALL db.relationshipTypes() YIELD relationshipType
  RETURN count(*) AS relations
}
CALL () {
  CALL db.propertyKeys() YIELD propertyKey
  RETURN count(*) AS keys
}
RETURN labels, relations, keys, datetime.realtime() AS now
