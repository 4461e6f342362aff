// Stores facts of a pack.
//
// access:  write
// param:   pack STRING
// param:   version STRING
// param:   rows LIST<MAP>       i, key, about, id, text
// param:   digest STRING        of the UNIVERSAL layer's owner
// param:   now DATETIME
// returns: i INTEGER
// returns: created BOOLEAN
// index:   acervo_pack_name
// index:   acervo_entity_key
// index:   acervo_fact_key
// plan:    Eager                facts are read before the first is written; bounded by the batch
// plan:    CartesianProduct     of two unique index seeks
MATCH (p:AcervoPack {name: $pack})
UNWIND $rows AS row
MATCH (e:AcervoEntity {owner: 'world', id: row.id})
MERGE (f:AcervoFact {key: row.key})
WITH p, row, e, f, f.created_at IS NULL AS created
FOREACH (_ IN CASE WHEN created THEN [1] END |
  SET f:Universal, f.owner = 'world', f.owner_digest = $digest, f.about = row.about, f.text = row.text, f.source = 'world', f.sources = ['world'], f.confidence = 1.0,
      f.created_at = $now, f.valid_from = $now
  CREATE (e)-[:HAS_FACT]->(f))
MERGE (p)-[x:PROVIDES]->(f)
ON CREATE SET x.created = created
SET x.version = $version
RETURN row.i AS i, created
