// Gives current facts the digest of their owner, one page by key.
//
// access:  write
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// param:   digests MAP          the digest of each owner that is known by now
// returns: position LIST<STRING>  no row: the page is empty
// returns: unknown LIST<STRING>   owners whose digests are missing: the page has to be done again
// index:   acervo_fact_key
MATCH (n:AcervoFact)
USING INDEX n:AcervoFact(key)
WHERE n.key > $after[0]
WITH n
ORDER BY n.key
LIMIT $limit
FOREACH (_ IN CASE WHEN n.valid_to IS NULL AND (n.owner_digest <> $digests[n.owner] OR n.owner_digest IS NULL) THEN [1] END |
  SET n.owner_digest = $digests[n.owner])
WITH [n.key] AS position, n.owner AS owner
ORDER BY position[0]
WITH collect(position) AS positions, collect(DISTINCT CASE WHEN $digests[owner] IS NULL THEN owner END) AS unknown
WHERE positions <> []
RETURN last(positions) AS position, unknown
