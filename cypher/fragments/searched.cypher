CALL (in_names) {
  UNWIND CASE in_names WHEN '' THEN [] ELSE [in_names] END AS query
  CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
  CALL db.index.fulltext.queryNodes('acervo_search', query, {limit: $window}) YIELD node, score
  WITH node, score
  WHERE node.owner IN [$owner, 'world']
  RETURN collect({key: coalesce(node.entity, CASE node.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + node.id), score: score}) AS called
}
CALL (in_facts) {
  UNWIND CASE in_facts WHEN '' THEN [] ELSE [in_facts] END AS query
  CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
  CALL db.index.fulltext.queryNodes('acervo_search', query, {limit: $window}) YIELD node, score
  WITH node, score
  WHERE node.owner IN [$owner, 'world'] AND node.valid_to IS NULL
  ORDER BY score DESC, node.key
  RETURN collect({key: node.about, score: score, fact: node}) AS told
}
