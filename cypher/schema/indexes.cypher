// Lists Acervo's indexes as they are, and the one that finds nodes by their labels,
// which Neo4j makes with each database.
//
// access:  read
// returns: name STRING
// returns: lookup BOOLEAN       it finds nodes by their labels
// returns: state STRING         ONLINE, POPULATING or FAILED
// returns: unique BOOLEAN       a constraint stands behind it
// returns: message STRING       why it failed
SHOW INDEXES YIELD name, state, type, entityType, failureMessage, owningConstraint
WHERE name STARTS WITH 'acervo_' OR type = 'LOOKUP' AND entityType = 'NODE'
RETURN name, type = 'LOOKUP' AS lookup, state, owningConstraint IS NOT NULL AS unique, failureMessage AS message
