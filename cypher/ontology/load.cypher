// Reads the whole ontology: a few thousand nodes at the most.
//
// access:  read
// returns: types LIST<MAP>      name, attributes, layer_default, origin
// returns: relations LIST<MAP>  name, origin, single_valued
// index:   acervo_type_name
// index:   acervo_relation_name
// plan:    CartesianProduct     of single rows, one from each subquery
CALL () {
  MATCH (t:AcervoType)
  WHERE t.name IS NOT NULL
  RETURN collect(t {.name, .attributes, .layer_default, .origin}) AS types
}
CALL () {
  MATCH (r:AcervoRelation)
  WHERE r.name IS NOT NULL
  RETURN collect(r {.name, .origin, .single_valued}) AS relations
}
RETURN types, relations
