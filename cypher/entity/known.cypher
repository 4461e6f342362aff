// Looks up which ids of many are those of entities of a space, and which of them
// mean an entity otherwise: in another space, or by an alias. Of a space that holds
// nothing, no id is looked up.
//
// access:  read
// param:   scope STRING         owner of the space
// param:   other STRING         owner of the other space
// param:   ids LIST<STRING>
// returns: there LIST<LIST>     entities of the space: id, element id, label, type, status, verified, confidence
// returns: otherwise LIST<STRING>  ids of those of the other space
// returns: aliases LIST<STRING>
// index:   acervo_entity_key
// index:   acervo_alias_key
// plan:    CartesianProduct     of single rows, one from each subquery
CALL () {
  WITH CASE WHEN EXISTS { MATCH (n:AcervoEntity) WHERE n.owner = $scope AND n.id IS NOT NULL } THEN $ids ELSE [] END AS ids
  MATCH (e:AcervoEntity)
  USING INDEX e:AcervoEntity(owner, id)
  WHERE e.owner = $scope AND e.id IN ids
  RETURN collect([e.id, elementId(e), e.label, e.type, e.status, e.verified_at IS NOT NULL, e.confidence_for_owner]) AS there
}
CALL () {
  WITH CASE WHEN EXISTS { MATCH (n:AcervoEntity) WHERE n.owner = $other AND n.id IS NOT NULL } THEN $ids ELSE [] END AS ids
  MATCH (e:AcervoEntity)
  USING INDEX e:AcervoEntity(owner, id)
  WHERE e.owner = $other AND e.id IN ids
  RETURN collect(e.id) AS otherwise
}
CALL () {
  UNWIND [$scope, $other] AS owner
  WITH owner, CASE WHEN EXISTS { MATCH (n:AcervoAlias) WHERE n.owner = owner AND n.id IS NOT NULL AND n.entity IS NOT NULL } THEN $ids ELSE [] END AS ids
  MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(owner, id, entity)
  WHERE a.owner = owner AND a.id IN ids AND a.entity IS NOT NULL
  RETURN collect(DISTINCT a.id) AS aliases
}
RETURN there, otherwise, aliases
