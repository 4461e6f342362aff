// Tells how the vector index is, if there is one.
//
// access:  read
// returns: state STRING         ONLINE, POPULATING or FAILED; no row: there is none
// returns: dimensions INTEGER
SHOW INDEXES YIELD name, state, options
WHERE name = 'acervo_vectors'
RETURN state, options.indexConfig.`vector.dimensions` AS dimensions
