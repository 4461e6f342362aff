// Reads entities by name or key, each with its newest facts, some relations and
// its activation in a session.
//
// access:  read
// param:   owner STRING
// param:   session STRING       null: everything is cold
// param:   names LIST<STRING>   ids of names; own and UNIVERSAL entities, and aliases
// param:   keys LIST<STRING>
// param:   type STRING          null: any
// param:   at DATETIME          null: what is current; else what was valid then
// param:   facts INTEGER        how many facts of an entity at the most
// param:   relations INTEGER    how many relations of an entity at the most
// returns: key STRING
// returns: activation STRING
// returns: entity MAP
// returns: names LIST<STRING>  the owner's own names of a UNIVERSAL entity
// returns: facts LIST<MAP>
// returns: relations LIST<MAP>
// index:   acervo_session_key
// index:   acervo_entity_key
// index:   acervo_alias_key
// index:   acervo_fact_about
// index:   acervo_alias_entity
// index:   acervo_ended_from
// index:   acervo_ended_to
// index:   acervo_reference_key
// plan:    CartesianProduct     of single rows, one from each subquery
OPTIONAL MATCH (s:AcervoSession {owner: $owner, id: $session})
WITH coalesce(s.hot, []) AS hot, coalesce(s.warm, []) AS warm
CALL () {
  MATCH (e:AcervoEntity)
  WHERE e.owner IN [$owner, 'world'] AND e.id IN $names
  RETURN CASE e.owner WHEN 'world' THEN 'w:' ELSE 'p:' END + e.id AS key
UNION
  MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(owner, id, entity)
  WHERE a.owner IN [$owner, 'world'] AND a.id IN $names AND a.entity IS NOT NULL
  RETURN a.entity AS key
UNION
  UNWIND $keys AS key
  RETURN key
}
// include: details
WITH hot, warm, key, e, names, facts, relations
WHERE $type IS NULL OR e.type = $type
RETURN key,
       CASE WHEN key IN hot THEN 'hot' WHEN key IN warm THEN 'warm' ELSE 'cold' END AS activation,
       properties(e) AS entity, names, facts, relations
ORDER BY key
