// Lists the entities that a pack provides, or only those of other versions.
//
// access:  read
// param:   pack STRING
// param:   version STRING       null: of any; else of any other
// param:   limit INTEGER
// returns: id STRING
// returns: created BOOLEAN      the pack made it
// index:   acervo_pack_name
MATCH (p:AcervoPack {name: $pack})-[x:PROVIDES]->(e:AcervoEntity)
WHERE $version IS NULL OR x.version <> $version
RETURN e.id AS id, x.created AS created
LIMIT $limit
