// Counts the entities that have no vector.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// index:   acervo_vector_key
// plan:    NodeByLabelScan      every entity is looked at
MATCH (e:AcervoEntity)
WHERE ($owners IS NULL OR e.owner IN $owners) AND NOT EXISTS { MATCH (:AcervoVector {owner: e.owner, id: e.id}) }
RETURN count(e) AS found
