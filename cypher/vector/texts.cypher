// Reads what the texts of entities of one space are made of, one page by id, and
// what their vectors were made of.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   after STRING         id of the last of the page before, or empty
// param:   limit INTEGER
// param:   facts INTEGER        how many facts of an entity at the most
// returns: entity MAP
// returns: texts LIST<STRING>   of current facts of the space, newest first
// returns: model STRING         null: there is no vector
// returns: dimensions INTEGER
// returns: digest STRING        of the text that the vector was made of
// index:   acervo_entity_key
// index:   acervo_fact_about
// index:   acervo_vector_key
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, id)
WHERE e.owner = $space AND e.id > $after
WITH e
ORDER BY e.owner, e.id
LIMIT $limit
CALL (e) {
  WITH CASE e.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id AS key
  MATCH (f:AcervoFact)
  WHERE f.owner = $space AND f.about = key AND f.created_at IS NOT NULL AND f.valid_to IS NULL
  WITH f
  ORDER BY f.owner DESC, f.about DESC, f.created_at DESC // all of the index, or everything is sorted
  LIMIT $facts
  RETURN collect(f.text) AS texts
}
OPTIONAL MATCH (v:AcervoVector {owner: e.owner, id: e.id})
RETURN properties(e) AS entity, texts, v.model AS model, v.dimensions AS dimensions, v.digest AS digest
ORDER BY e.id
