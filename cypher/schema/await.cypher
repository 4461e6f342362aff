// Waits until every index of the database is online.
//
// access:  read
// param:   seconds INTEGER
CALL db.awaitIndexes($seconds)
