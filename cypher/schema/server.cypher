// Tells the server's version and edition.
//
// access:  read
// returns: version STRING
// returns: edition STRING
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
