// Finds, completes or creates the entities that one call names, makes them hot in
// a session, and, where all of them are the owner's own, stores what the call says
// of them.
//
// What is verified isn't written for an owner: it is a reference too.
//
// A row's name is looked up in the call's own space ($scope), then, if the row
// allows it, in the other one: by id, by the id that a homonym of its type has
// ("twin"), and by alias. An entity of the space that has the id and the type is
// meant without a further look. What is found in the other space is a reference and
// is never written. Two declared types tell homonyms apart; other types don't.
//
// Lookups ask for a range of one id: an exact lookup in a unique index locks the
// index entry in a statement that writes, also of a name that isn't there, and
// would make owners wait for each other. Whether the id is taken is known from the
// same lookup: another one may see what was committed in between, and would then
// make a homonym of the type that is there.
//
// Relations and facts are stored if the batch is plain: each row is an entity of
// the space under the row's id, of its type, and all are different; else the caller
// goes on in the same transaction, knowing what they are. They are PERSONAL, and
// their owner is the session's. A relation between two entities that were there is looked for at the end that
// has fewer, first without a lock, then with one on the entity it comes from.
//
// access:  write
// param:   batch MAP            all of the following: a plan is made for each length of a list that is a parameter itself
// batch:   scope STRING         owner of the nodes that may be written
// batch:   scope_digest STRING
// batch:   layer STRING         layer of the nodes that may be written
// batch:   rows LIST<MAP>       i, id, explicit, label, type, known, declared, twin, first, other, alias, labels, source, confidence, created_at, attributes, aliases, status (of a new one whose type is known)
// batch:   relations LIST<MAP>  i, type, from, to: places of rows; source, confidence, created_at, valid_from
// batch:   facts LIST<MAP>      i, key, entity: place of a row; about, text, sources, details, confidence, created_at, valid_from
// batch:   verified BOOLEAN     whether verified entities may be written
// batch:   declared LIST<STRING>  types that tell homonyms apart
// batch:   owner STRING         owner of the session
// batch:   owner_digest STRING
// batch:   session STRING       null: nothing is activated
// batch:   hot_limit INTEGER    how many keys a list of the session holds
// batch:   now DATETIME
// returns: items LIST<MAP>      i, id, universal, label, type, status, reference, by_alias, created, completed, changed, known, verified, differing: attributes that the entity holds otherwise
// returns: stored BOOLEAN       whether relations and facts were stored
// returns: relations LIST<LIST> i, created
// returns: facts LIST<LIST>     i, created, gained: a source was added to a fact that was there
// index:   acervo_entity_key
// index:   acervo_alias_key
// index:   acervo_session_key
// index:   acervo_fact_key
// plan:    Eager                rows are looked up before the first is written; bounded by the batch
UNWIND $batch.rows AS row
CALL (row) {
  OPTIONAL MATCH (n:AcervoEntity)
  USING INDEX n:AcervoEntity(owner, id)
  WHERE n.owner = $batch.scope AND n.id >= row.id AND n.id <= row.id
  RETURN n AS own
}
WITH row, own, own IS NOT NULL AND (row.explicit OR row.type IS NULL OR own.type = row.type) AS meant
CALL (row, own, meant) {
  CALL (row, own, meant) {
    WITH own WHERE own IS NOT NULL
    RETURN own AS n, 0 AS rank
  UNION ALL
    WITH row, meant WHERE NOT meant
    UNWIND [
      {owner: $batch.scope, id: row.twin, rank: 1},
      {owner: row.other, id: row.id, rank: 4}, {owner: row.other, id: row.twin, rank: 5}
    ] AS place
    MATCH (n:AcervoEntity)
    USING INDEX n:AcervoEntity(owner, id)
    WHERE n.owner = place.owner AND n.id >= place.id AND n.id <= place.id
    RETURN n, place.rank AS rank
  UNION ALL
    WITH row, meant WHERE NOT meant
    UNWIND [{owner: $batch.scope, rank: 2}, {owner: row.other, rank: 6}] AS place
    MATCH (a:AcervoAlias {owner: place.owner, id: row.alias})
    USING INDEX a:AcervoAlias(owner, id, entity)
    WHERE a.entity IS NOT NULL
    WITH place, CASE WHEN a.entity STARTS WITH 'p:' THEN place.owner ELSE 'world' END AS owner, substring(a.entity, 2) AS id
    MATCH (n:AcervoEntity)
    USING INDEX n:AcervoEntity(owner, id)
    WHERE n.owner = owner AND n.id >= id AND n.id <= id
    RETURN n, place.rank AS rank
  }
  WITH n, rank,
       row.explicit
       OR row.type IS NULL
       OR n.type = row.type
       OR CASE WHEN n.type = 'Desconocido' THEN row.first ELSE NOT (row.declared AND n.type IN $batch.declared) END AS fits
  ORDER BY rank / 4, CASE WHEN n.type = row.type THEN 0 ELSE 1 END, rank, n.id
  RETURN head(collect(CASE WHEN fits THEN {node: n, rank: rank} END)) AS found
}
WITH row, found, own IS NOT NULL AS taken
WITH row, found.node AS found, coalesce(found.rank, 0) AS rank, taken
WITH row, found, rank,
     CASE
       WHEN found IS NOT NULL AND found.owner = $batch.scope THEN found.id
       WHEN row.twin IS NULL OR (row.first AND NOT taken) THEN row.id
       ELSE row.twin
     END AS id
WITH collect({row: row, found: found, rank: rank, id: id}) AS looked,
     count(DISTINCT CASE
       WHEN id = row.id AND coalesce(found.owner = $batch.scope AND (row.type IS NULL OR found.type IN [row.type, 'Desconocido']), found IS NULL) THEN id
     END) = size($batch.rows) AS plain
UNWIND looked AS look
WITH plain, look.row AS row, look.found AS found, look.rank AS rank, look.id AS id
OPTIONAL CALL (row, found, id) {
  WITH row, found, id
  WHERE found IS NULL OR found.owner = $batch.scope AND ($batch.verified OR found.verified_at IS NULL)
  MERGE (e:AcervoEntity {owner: $batch.scope, id: id})
  ON CREATE SET
    e.label = row.label, e.type = row.known, e.layer = $batch.layer, e.source = row.source,
    e.confidence_for_owner = coalesce(row.confidence, 1.0),
    e.status = CASE WHEN row.type IS NULL THEN 'incomplete' ELSE row.status END,
    e.pending_fields = CASE WHEN row.type IS NULL THEN ['tipo'] ELSE [] END,
    e.aliases = [], e.created_at = row.created_at, e.owner_digest = $batch.scope_digest, e:$(row.labels)
  WITH row, e, e.updated_at IS NULL AS created, row.type IS NOT NULL AND e.type = 'Desconocido' AS completed
  WITH row, e, created, completed,
       [a IN row.aliases WHERE NOT a IN e.aliases] AS aliases,
       any(k IN keys(row.attributes) WHERE coalesce(e[k] <> row.attributes[k], e[k] IS NOT NULL OR row.attributes[k] IS NOT NULL)) AS attributes
  WITH row, e, created, completed, aliases, attributes,
       created OR completed OR attributes OR aliases <> [] OR coalesce(e.confidence_for_owner <> row.confidence, false) AS changed
  FOREACH (_ IN CASE WHEN completed THEN [1] END |
    REMOVE e:Desconocido
    SET e:$(row.known), e.type = row.known,
        e.pending_fields = [f IN e.pending_fields WHERE f <> 'tipo'],
        e.status = CASE WHEN all(f IN e.pending_fields WHERE f = 'tipo') THEN row.status ELSE e.status END)
  FOREACH (_ IN CASE WHEN changed THEN [1] END |
    SET e += row.attributes
    SET e.aliases = e.aliases + aliases,
        e.confidence_for_owner = coalesce(row.confidence, e.confidence_for_owner),
        e.updated_at = $batch.now)
  RETURN e, created, completed, changed
}
WITH plain, row, rank, coalesce(e, found) AS node, e IS NULL AS reference,
     CASE WHEN e IS NULL THEN [k IN keys(row.attributes) WHERE coalesce(found[k] <> row.attributes[k], found[k] IS NOT NULL OR row.attributes[k] IS NOT NULL)] ELSE [] END AS differing,
     coalesce(created, false) AS created, coalesce(completed, false) AS completed, coalesce(changed, false) AS changed
WITH plain, row, rank, node, reference, differing, created, completed, changed
ORDER BY row.i
WITH plain, collect(node) AS nodes, collect({
  i: row.i, id: node.id, universal: node.owner = 'world', label: node.label, type: node.type, status: node.status,
  reference: reference, by_alias: rank IN [2, 6], created: created, completed: completed, changed: changed,
  known: node.type IN $batch.declared, verified: node.verified_at IS NOT NULL, differing: differing}) AS items
OPTIONAL CALL (items) {
  UNWIND items AS n
  WITH collect(DISTINCT CASE WHEN n.universal THEN 'w:' ELSE 'p:' END + n.id) AS named
  WHERE $batch.session IS NOT NULL AND named <> []
  MERGE (s:AcervoSession {owner: $batch.owner, id: $batch.session})
  ON CREATE SET s.turn = 0, s.hot = [], s.warm = []
  SET s.updated_at = $batch.now
  WITH s, named
  SET s.warm = [k IN s.warm WHERE NOT k IN named],
      s.hot = (named + [k IN s.hot WHERE NOT k IN named])[..$batch.hot_limit]
  RETURN true AS activated
}
CALL (items, nodes, plain) {
  WITH items, nodes WHERE plain
  UNWIND $batch.relations AS row
  WITH row, nodes[row.from] AS a, nodes[row.to] AS b, items[row.from].created OR items[row.to].created AS fresh
// include: related
}
CALL (nodes, plain) {
  WITH nodes WHERE plain
  UNWIND $batch.facts AS row
  WITH row, nodes[row.entity] AS e
// include: told
}
RETURN items, plain AS stored, relations, facts
