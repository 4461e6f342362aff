// Lists the indexes of Acervo that can't be used yet. Waiting for them in one
// statement, by db.awaitIndexes, would take part in what it waits for: an index
// that another process makes waits for the end of the transactions before it.
//
// access:  read
// returns: name STRING
// returns: failed BOOLEAN
// returns: message STRING       why it failed
SHOW INDEXES YIELD name, state, failureMessage
WHERE name STARTS WITH 'acervo_' AND state <> 'ONLINE'
RETURN name, state = 'FAILED' AS failed, failureMessage AS message
