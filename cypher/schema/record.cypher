// Notes a migration as applied. Two processes may do so at once.
//
// access:  write
// param:   name STRING
// param:   checksum STRING
// param:   now DATETIME
// returns: applied BOOLEAN      false if another process was first
// index:   acervo_schema_name
// plan:    Eager                one node is read, then compared
MERGE (m:AcervoSchema {name: $name})
ON CREATE SET m.checksum = $checksum, m.applied_at = $now
RETURN m.applied_at = $now AS applied
