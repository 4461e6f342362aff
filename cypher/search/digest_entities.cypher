// Gives entities the digest of their owner, one page by owner and id.
//
// access:  write
// param:   after LIST<STRING>   position of the last of the page before, or empty strings
// param:   limit INTEGER
// param:   digests MAP          the digest of each owner that is known by now
// returns: position LIST<STRING>  no row: the page is empty
// returns: unknown LIST<STRING>   owners whose digests are missing: the page has to be done again
// index:   acervo_entity_key
MATCH (n:AcervoEntity)
USING INDEX n:AcervoEntity(owner, id)
WHERE n.owner >= $after[0] AND n.id IS NOT NULL AND (n.owner > $after[0] OR n.id > $after[1])
WITH n
ORDER BY n.owner, n.id
LIMIT $limit
FOREACH (_ IN CASE WHEN n.owner_digest <> $digests[n.owner] OR n.owner_digest IS NULL THEN [1] END |
  SET n.owner_digest = $digests[n.owner])
WITH [n.owner, n.id] AS position, n.owner AS owner
ORDER BY position[0], position[1]
WITH collect(position) AS positions, collect(DISTINCT CASE WHEN $digests[owner] IS NULL THEN owner END) AS unknown
WHERE positions <> []
RETURN last(positions) AS position, unknown
