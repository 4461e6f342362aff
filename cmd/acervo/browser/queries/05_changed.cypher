// What changed this week
// Facts that were stated, corrected or retracted in the last seven days.
MATCH (f:AcervoFact)
WHERE f.owner = 'sandy' AND f.about IS NOT NULL AND f.created_at IS NOT NULL
  AND (f.created_at > datetime() - duration('P7D') OR f.valid_to > datetime() - duration('P7D'))
RETURN f.about AS entity, f.text AS fact, f.created_at AS stated, f.valid_to AS until
ORDER BY stated DESC
LIMIT 50
