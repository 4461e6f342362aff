// Finds the vectors of spaces that are nearest to one, by comparing it with each.
//
// access:  read
// param:   spaces LIST<STRING>  an owner, and world
// param:   model STRING
// param:   dimensions INTEGER
// param:   vector LIST<FLOAT>
// param:   compared INTEGER     how many vectors of a space are compared at the most
// param:   force BOOLEAN        compare the first of a space that has more, too
// param:   limit INTEGER        how many of a space at the most
// returns: space STRING
// returns: more BOOLEAN         it has more than are compared
// returns: near LIST<MAP>       id and score, from 0 to 1, the nearest first
// index:   acervo_vector_key
UNWIND $spaces AS space
CALL (space) {
  MATCH (v:AcervoVector)
  USING INDEX v:AcervoVector(owner, id)
  WHERE v.owner = space AND v.id IS NOT NULL
  WITH v
  ORDER BY v.owner, v.id
  SKIP $compared
  LIMIT 1
  RETURN count(*) > 0 AS more
}
CALL (space, more) {
  WITH space, more
  WHERE $force OR NOT more
  MATCH (v:AcervoVector)
  USING INDEX v:AcervoVector(owner, id)
  WHERE v.owner = space AND v.id IS NOT NULL
  WITH v
  ORDER BY v.owner, v.id
  LIMIT $compared
  WITH v
  WHERE v.model = $model AND v.dimensions = $dimensions
  WITH v.id AS id, vector.similarity.cosine(v.embedding, $vector) AS score
  ORDER BY score DESC, id
  LIMIT $limit
  RETURN collect({id: id, score: score}) AS near
}
RETURN space, more, near
