// Lists the applied migrations. The node that registrations of types and
// relations wait on has no checksum and is left out.
//
// access:  read
// returns: name STRING
// returns: checksum STRING
// returns: applied_at DATETIME
// index:   acervo_schema_name
MATCH (m:AcervoSchema)
WHERE m.name IS NOT NULL AND m.checksum IS NOT NULL
RETURN m.name AS name, m.checksum AS checksum, m.applied_at AS applied_at
ORDER BY name
