// Finds vectors of one space among those that are nearest to one, by the index
// acervo_vectors, which holds those of all owners. In Cypher 25 the procedure is deprecated for SEARCH,
// which 5.26 doesn't have.
//
// access:  read
// param:   space STRING         an owner, or world
// param:   model STRING
// param:   dimensions INTEGER
// param:   vector LIST<FLOAT>
// param:   asked INTEGER        how many the index is asked for
// param:   limit INTEGER        how many of the space at the most
// returns: id STRING
// returns: score FLOAT          from 0 to 1
CYPHER 5
CALL db.index.vector.queryNodes('acervo_vectors', $asked, $vector) YIELD node, score
WHERE node:AcervoVector AND node.owner = $space AND node.model = $model AND node.dimensions = $dimensions
RETURN node.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
