// Who else's knowledge touches a UNIVERSAL entity
// Counts only: what others said is theirs.
MATCH (ref:AcervoReference)
WHERE ref.id = 'angular' AND ref.owner IS NOT NULL
RETURN count(CASE WHEN ref.owner <> 'world' THEN 1 END) AS owners, sum(COUNT { (ref)-[:REFERS]-() }) AS relations
