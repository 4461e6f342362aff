// The history of a fact
// What was corrected, and by what; current facts have no end.
MATCH (f:AcervoFact)
WHERE f.owner = 'sandy' AND f.about = 'p:butaco' AND f.created_at IS NOT NULL
OPTIONAL MATCH (n:AcervoFact)-[:SUPERSEDES]->(f)
RETURN f.text AS fact, f.valid_from AS since, f.valid_to AS until, n.text AS corrected_by
ORDER BY since
