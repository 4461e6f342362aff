// Looks up which ids of many are those of entities of a space, and which of them
// mean an entity otherwise: in another space, or by an alias.
//
// access:  read
// param:   scope STRING         owner of the space
// param:   other STRING         owner of the other space
// param:   ids LIST<STRING>
// returns: there LIST<MAP>      entities of the space: id, label, type, status, verified, confidence
// returns: otherwise LIST<MAP>  those of the other space, alike
// returns: aliases LIST<STRING>
// index:   acervo_entity_key
// index:   acervo_alias_key
// plan:    CartesianProduct     of single rows, one from each subquery
CALL () {
  MATCH (e:AcervoEntity)
  USING INDEX e:AcervoEntity(owner, id)
  WHERE e.owner = $scope AND e.id IN $ids
  RETURN collect({id: e.id, label: e.label, type: e.type, status: e.status, verified: e.verified_at IS NOT NULL, confidence: e.confidence_for_owner}) AS there
}
CALL () {
  MATCH (e:AcervoEntity)
  USING INDEX e:AcervoEntity(owner, id)
  WHERE e.owner = $other AND e.id IN $ids
  RETURN collect({id: e.id, label: e.label, type: e.type, status: e.status, verified: e.verified_at IS NOT NULL, confidence: e.confidence_for_owner}) AS otherwise
}
CALL () {
  MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(owner, id, entity)
  WHERE a.owner IN [$scope, $other] AND a.id IN $ids AND a.entity IS NOT NULL
  RETURN collect(DISTINCT a.id) AS aliases
}
RETURN there, otherwise, aliases
