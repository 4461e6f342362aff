// Registers types, relations and attributes. A name that is there already, in
// whatever case and with whatever accents, keeps its spelling; attributes are
// added to those that its type has; origin goes from auto to registered and
// builtin, never back.
//
// Registrations wait for each other on one node, which is the first thing that
// a transaction locks, so that the counts are exact and nothing deadlocks.
//
// access:  write
// param:   types LIST<MAP>      key, name, attributes, layer_default, origin
// param:   relations LIST<MAP>  key, name, origin, single_valued (null: as it is)
// param:   builtin LIST<STRING> attribute names that aren't counted
// param:   now DATETIME
// returns: types LIST<MAP>      key, name, attributes, layer_default, origin, created
// returns: relations LIST<MAP>  key, name, origin, single_valued, created
// returns: auto_types INTEGER   how many types are registered automatically
// returns: auto_relations INTEGER
// returns: auto_attributes INTEGER  distinct attribute names that are counted
// index:   acervo_schema_name
// index:   acervo_type_key
// index:   acervo_relation_key
// plan:    Eager                names are created and counted in one statement; at most a few thousand
// plan:    CartesianProduct     of single rows, one from each subquery
MERGE (lock:AcervoSchema {name: 'ontology'})
SET lock.updated_at = $now
WITH lock
CALL () {
  UNWIND $types AS row
  MERGE (t:AcervoType {key: row.key})
  ON CREATE SET t.name = row.name, t.attributes = [], t.layer_default = row.layer_default, t.created_at = $now
  WITH row, t, t.origin IS NULL AS created
  SET t.origin = CASE
        WHEN 'builtin' IN [t.origin, row.origin] THEN 'builtin'
        WHEN 'registered' IN [t.origin, row.origin] THEN 'registered'
        ELSE 'auto' END,
      t.attributes = t.attributes + [a IN row.attributes WHERE NOT a IN t.attributes],
      t.layer_default = CASE WHEN row.origin = 'auto' THEN t.layer_default ELSE coalesce(row.layer_default, t.layer_default) END
  RETURN collect(t {.key, .name, .attributes, .layer_default, .origin, created: created}) AS types
}
CALL () {
  UNWIND $relations AS row
  MERGE (r:AcervoRelation {key: row.key})
  ON CREATE SET r.name = row.name, r.created_at = $now
  WITH row, r, r.origin IS NULL AS created
  SET r.origin = CASE
        WHEN 'builtin' IN [r.origin, row.origin] THEN 'builtin'
        WHEN 'registered' IN [r.origin, row.origin] THEN 'registered'
        ELSE 'auto' END,
      r.single_valued = CASE row.origin
        WHEN 'builtin' THEN coalesce(r.single_valued, row.single_valued) // what was registered by hand stays
        ELSE coalesce(row.single_valued, r.single_valued) END
  RETURN collect(r {.key, .name, .origin, .single_valued, created: created}) AS relations
}
WITH types, relations
CALL () {
  MATCH (t:AcervoType)
  WHERE t.name IS NOT NULL
  UNWIND CASE t.attributes WHEN [] THEN [null] ELSE t.attributes END AS attribute
  RETURN count(DISTINCT CASE WHEN t.origin = 'auto' THEN t END) AS auto_types,
         count(DISTINCT CASE WHEN NOT attribute IN $builtin THEN attribute END) AS auto_attributes
}
CALL () {
  MATCH (r:AcervoRelation)
  WHERE r.name IS NOT NULL
  RETURN count(CASE WHEN r.origin = 'auto' THEN 1 END) AS auto_relations
}
RETURN types, relations, auto_types, auto_relations, auto_attributes
