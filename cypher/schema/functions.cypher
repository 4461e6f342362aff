// Lists the functions that don't come with Neo4j itself. Those in a namespace that
// isn't Cypher's own are taken for such, whatever the server says of them.
//
// access:  read
// returns: name STRING
SHOW FUNCTIONS YIELD name, isBuiltIn
WHERE NOT isBuiltIn OR name CONTAINS '.' AND NOT split(name, '.')[0] IN
  ['date', 'datetime', 'duration', 'graph', 'localdatetime', 'localtime', 'point', 'time', 'vector']
RETURN name
