// Writes something, in a transaction that is rolled back, to see if that is allowed.
//
// access:  write
// index:   acervo_schema_name
MATCH (m:AcervoSchema)
WHERE m.name IS NOT NULL
WITH m
LIMIT 1
SET m.applied_at = m.applied_at
