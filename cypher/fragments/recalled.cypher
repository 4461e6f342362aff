WITH *, [t IN $ask.types WHERE none(k IN mentioned WHERE '_' + substring(k, 2) + '_' CONTAINS '_' + t.words + '_') | t.type] AS types
CALL (types) {
  CALL (types) {
    UNWIND range(0, size(types) - 1) AS place
    CALL (place, types) {
      MATCH (e:AcervoEntity)
      USING INDEX e:AcervoEntity(owner, type, id)
      WHERE e.owner = $owner AND e.type = types[place] AND e.id IS NOT NULL
      RETURN e
      ORDER BY e.owner, e.type, e.id // all of the index, or everything is sorted
      LIMIT $ask.listed
    }
    RETURN place, 'p:' + e.id AS key, e
  UNION ALL
    WITH types
    WHERE types <> []
    MATCH (ref:AcervoReference)
    USING INDEX SEEK ref:AcervoReference(owner, id)
    WHERE ref.owner = $owner AND ref.id IS NOT NULL
    WITH types, ref
    ORDER BY ref.owner, ref.id // all of the index, or everything is sorted
    LIMIT $ask.listed
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = 'world' AND e.id >= ref.id AND e.id <= ref.id AND e.type IN types
    RETURN head([i IN range(0, size(types) - 1) WHERE types[i] = e.type]) AS place, 'w:' + e.id AS key, e
  }
  WITH place, key, e
  ORDER BY place, key
  LIMIT $ask.listed
  RETURN collect({key: key, entity: e {.id, .label, .type, .layer, .status, .pending_fields}}) AS listed
}
CALL () {
  OPTIONAL MATCH (e:AcervoEntity)
  USING INDEX e:AcervoEntity(owner, id)
  WHERE e.owner = $owner AND e.id >= $ask.self AND e.id <= $ask.self
  OPTIONAL MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(owner, id, entity)
  WHERE a.owner = $owner AND a.id = $ask.self AND a.entity IS NOT NULL
  WITH coalesce('p:' + e.id, a.entity) AS key
  ORDER BY key
  LIMIT 1
  RETURN key AS self
}
WITH *, all(k IN mentioned WHERE substring(k, 2) IN $ask.weak) AS open
WITH *, CASE WHEN NOT open THEN ['', ''] WHEN listed = [] THEN $ask.text ELSE $ask.other END AS searches
WITH *, coalesce(searches[0], '') AS in_names, coalesce(searches[1], '') AS in_facts
// include: searched
CALL (called, told) {
  UNWIND called + told AS hit
  WITH hit.key AS key, max(CASE WHEN hit.fact IS NULL THEN hit.score ELSE 0.0 END) AS by_name,
       max(CASE WHEN hit.fact IS NULL THEN 0.0 ELSE hit.score END) AS by_fact
  WITH key, by_name, by_name + by_fact AS score
  ORDER BY score DESC, key
  LIMIT $ask.hits
  WITH collect({key: key, score: score, named: by_name > 0,
    facts: [f IN [t IN told WHERE t.key = key | t.fact][..$facts] | f {.owner, .text, .source, .sources, .source_details, .confidence, .created_at, .valid_from}]}) AS hits
  RETURN [h IN hits WHERE h.score >= hits[0].score / 2] AS found
}
WITH *, CASE
  WHEN NOT $ask.smart THEN mentioned + [k IN hot WHERE NOT k IN mentioned]
  WHEN open AND $ask.asks AND self IS NOT NULL AND ($ask.relates OR listed = [] AND found = [] AND NOT $ask.goes_on)
    THEN mentioned + [k IN [self] WHERE NOT k IN mentioned] + [k IN before WHERE $ask.goes_on AND k <> self AND NOT k IN mentioned]
  WHEN open AND $ask.asks AND ($ask.goes_on OR $ask.elliptical AND listed = [] AND found = []) THEN mentioned + [k IN before WHERE NOT k IN mentioned]
  ELSE mentioned
END[..$nodes] AS spoken
CALL (spoken, listed, found) {
  UNWIND (spoken + [f IN found | f.key] + [l IN listed | l.key])[..$nodes] AS key
  WITH DISTINCT key
// include: details
  RETURN collect({key: key, entity: properties(e), names: names, facts: facts, relations: relations}) AS details
}
