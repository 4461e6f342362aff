// Stores what one call says of entities of the owner's own, all of it or nothing,
// and makes them hot in a session.
//
// The batch is plain if each row is an entity of the owner under the row's id, whose
// type is that of the row or unknown, or one that isn't there, and no other entity is
// meant by the row's name: none of the id that a homonym of its type has ("twin"),
// no UNIVERSAL one, and no alias. An entity that has the id and the type is meant
// without a further look. Of a batch that isn't plain, nothing is written and no row
// is returned; entity/upsert and others store it.
//
// Lookups ask for a range of one id: an exact lookup in a unique index locks the
// index entry in a statement that writes, also of a name that isn't there, and
// would make owners wait for each other. No other transaction may make a row's
// entity with another type after it was looked up: a division by zero ends this one.
// The entities are collected by "others": without a group, no row would give one.
//
// A relation between two entities that were there is looked for at the end that
// has fewer, first without a lock, then with one on the entity it comes from.
//
// access:  write
// param:   batch MAP            all of the following: a plan is made for each length of a list that is a parameter itself
// batch:   owner STRING         owner of all that is written
// batch:   owner_digest STRING
// batch:   rows LIST<MAP>       id, label, type, known, twin, labels, source, status, confidence, created_at, attributes; all ids are different
// batch:   relations LIST<MAP>  i, type, from, to: places of rows; source, confidence, created_at, valid_from
// batch:   facts LIST<MAP>      i, key, entity: place of a row; about, text, sources, details, confidence, created_at, valid_from
// batch:   session STRING       null: nothing is activated
// batch:   named LIST<STRING>   keys of the rows' entities, as they are in a session
// batch:   hot_limit INTEGER    how many keys a list of the session holds
// batch:   now DATETIME
// returns: entities LIST<LIST>  of each row: label, type, status, created, completed, changed
// returns: relations LIST<LIST> i, created
// returns: facts LIST<LIST>     i, created, gained: a source was added to a fact that was there
// index:   acervo_entity_key
// index:   acervo_alias_key
// index:   acervo_session_key
// index:   acervo_fact_key
// plan:    Eager                rows are looked up before the first is written; bounded by the batch
UNWIND $batch.rows AS row
OPTIONAL MATCH (n:AcervoEntity)
USING INDEX n:AcervoEntity(owner, id)
WHERE n.owner = $batch.owner AND n.id >= row.id AND n.id <= row.id
WITH row, n.type AS type
WITH collect(CASE WHEN type IS NULL OR row.type <> type THEN row END) AS open,
     count(CASE WHEN NOT type IN [row.type, 'Desconocido'] THEN 1 END) AS others
WHERE others = 0
CALL (open) {
  UNWIND open AS row
  UNWIND [[$batch.owner, row.twin], ['world', row.id], ['world', row.twin]] AS place
  MATCH (n:AcervoEntity)
  USING INDEX n:AcervoEntity(owner, id)
  WHERE n.owner = place[0] AND n.id >= place[1] AND n.id <= place[1]
  RETURN count(n) AS homonyms
}
CALL (open) {
  UNWIND open AS row
  UNWIND [$batch.owner, 'world'] AS space
  MATCH (a:AcervoAlias {owner: space, id: row.id})
  USING INDEX a:AcervoAlias(owner, id, entity)
  WHERE a.entity IS NOT NULL
  RETURN count(a) AS aliases
}
WITH homonyms + aliases AS others
WHERE others = 0
UNWIND $batch.rows AS row
MERGE (e:AcervoEntity {owner: $batch.owner, id: row.id})
ON CREATE SET
  e += row.attributes, e.label = row.label, e.type = row.known, e.layer = 'PERSONAL', e.source = row.source, e.status = row.status,
  e.confidence_for_owner = coalesce(row.confidence, 1.0), e.pending_fields = CASE WHEN row.type IS NULL THEN ['tipo'] ELSE [] END,
  e.aliases = [], e.created_at = row.created_at, e.owner_digest = $batch.owner_digest, e:$(row.labels)
WITH row, others, e, e.updated_at IS NULL AS created, row.type IS NOT NULL AND e.type = 'Desconocido' AS completed,
     1 / CASE WHEN coalesce(e.type IN [row.type, 'Desconocido'], true) THEN 1 ELSE 0 END AS same
WHERE same = 1
WITH row, others, e, created, completed,
     created OR completed OR coalesce(e.confidence_for_owner <> row.confidence, false)
     OR any(k IN keys(row.attributes) WHERE coalesce(e[k] <> row.attributes[k], e[k] IS NOT NULL OR row.attributes[k] IS NOT NULL)) AS changed
FOREACH (_ IN CASE WHEN completed THEN [1] END |
  REMOVE e:Desconocido
  SET e:$(row.known), e.type = row.known,
      e.pending_fields = [f IN e.pending_fields WHERE f <> 'tipo'],
      e.status = CASE WHEN all(f IN e.pending_fields WHERE f = 'tipo') THEN row.status ELSE e.status END)
FOREACH (_ IN CASE WHEN changed AND NOT created THEN [1] END |
  SET e += row.attributes
  SET e.confidence_for_owner = coalesce(row.confidence, e.confidence_for_owner))
FOREACH (_ IN CASE WHEN changed THEN [1] END |
  SET e.updated_at = $batch.now)
WITH others, collect(e) AS nodes, collect([e.label, e.type, e.status, created, completed, changed]) AS entities
CALL () {
  UNWIND $batch.session AS id
  MERGE (s:AcervoSession {owner: $batch.owner, id: id})
  ON CREATE SET s.turn = 0, s.hot = [], s.warm = []
  SET s.updated_at = $batch.now,
      s.warm = [k IN s.warm WHERE NOT k IN $batch.named],
      s.hot = ($batch.named + [k IN s.hot WHERE NOT k IN $batch.named])[..$batch.hot_limit]
}
CALL (nodes, entities) {
  UNWIND $batch.relations AS row
  WITH row, nodes[row.from] AS a, nodes[row.to] AS b, entities[row.from][3] OR entities[row.to][3] AS fresh
// include: related
}
CALL (nodes) {
  UNWIND $batch.facts AS row
  WITH row, nodes[row.entity] AS e
// include: told
}
RETURN entities, relations, facts
