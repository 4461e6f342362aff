// Stores entities of a pack as verified. Of one that another pack provides too,
// only what is missing is added. An entity of another type is left alone.
//
// access:  write
// param:   pack STRING
// param:   version STRING
// param:   rows LIST<MAP>       i, id, label, type, labels, attributes, aliases
// param:   reserved LIST<STRING>  properties that are no attributes
// param:   digest STRING        of the UNIVERSAL layer's owner
// param:   now DATETIME
// returns: i INTEGER
// returns: created BOOLEAN
// returns: conflict BOOLEAN     another type is there
// index:   acervo_pack_name
// index:   acervo_entity_key
// plan:    Eager                entities are read before the first is written; bounded by the batch
MATCH (p:AcervoPack {name: $pack})
UNWIND $rows AS row
MERGE (e:AcervoEntity {owner: 'world', id: row.id})
WITH p, row, e, e.created_at IS NULL AS created, e.verified_at IS NULL AS verifies, coalesce(e.type <> row.type AND e.type <> 'Desconocido', false) AS conflict,
     EXISTS { MATCH (e)<-[:PROVIDES]-(o:AcervoPack) WHERE o.name <> $pack } AS shared,
     EXISTS { MATCH (e)<-[:PROVIDES {created: true}]-(o:AcervoPack) WHERE o.name = $pack } AS own
FOREACH (_ IN CASE WHEN created THEN [1] END |
  SET e.created_at = $now, e.owner_digest = $digest, e.layer = 'UNIVERSAL', e.source = 'world', e.confidence_for_owner = 1.0, e.aliases = [])
FOREACH (_ IN CASE WHEN NOT conflict THEN [1] END |
  REMOVE e:Desconocido
  SET e:$(row.labels), e.type = row.type, e.label = CASE WHEN shared THEN e.label ELSE row.label END, e.pending_fields = [], e.status = 'complete',
      e.verified_at = coalesce(e.verified_at, $now),
      e.aliases = CASE WHEN own AND NOT shared THEN row.aliases ELSE e.aliases + [a IN row.aliases WHERE NOT a IN e.aliases] END
  FOREACH (k IN CASE WHEN own AND NOT shared THEN [x IN keys(e) WHERE NOT x IN $reserved AND row.attributes[x] IS NULL] END |
    SET e[k] = null)
  FOREACH (k IN [x IN keys(row.attributes) WHERE e[x] IS NULL OR NOT shared] |
    SET e[k] = row.attributes[k])
  SET e.updated_at = coalesce(e.updated_at, $now)
  MERGE (p)-[x:PROVIDES]->(e)
  ON CREATE SET x.created = created OR coalesce(e.from_pack, false), x.verified = verifies
  SET x.version = $version
  REMOVE e.from_pack)
RETURN row.i AS i, created, conflict
