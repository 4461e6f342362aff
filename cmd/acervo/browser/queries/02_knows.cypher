// What one owner knows about an entity, and from which source
// Current facts of the owner and of the world, found by the index on (owner, about).
MATCH (f:AcervoFact)
WHERE f.owner IN ['sandy', 'world'] AND f.about = 'w:cipolletti' AND f.created_at IS NOT NULL AND f.valid_to IS NULL
RETURN f.text AS fact, f.sources AS sources, f.owner AS said_by, f.created_at AS since
ORDER BY since
