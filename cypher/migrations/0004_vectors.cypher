// Vectors of entities, see docs/vectors.md. The vector index itself is made when
// the first vectors are, since it has their size.
CREATE CONSTRAINT acervo_vector_key IF NOT EXISTS
FOR (n:AcervoVector) REQUIRE (n.owner, n.id) IS UNIQUE;
