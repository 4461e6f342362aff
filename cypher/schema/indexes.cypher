// Lists Acervo's indexes as they are.
//
// access:  read
// returns: name STRING
// returns: state STRING         ONLINE, POPULATING or FAILED
// returns: unique BOOLEAN       a constraint stands behind it
// returns: message STRING       why it failed
SHOW INDEXES YIELD name, state, failureMessage, owningConstraint
WHERE name STARTS WITH 'acervo_'
RETURN name, state, owningConstraint IS NOT NULL AS unique, failureMessage AS message
