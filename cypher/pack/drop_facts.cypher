// Drops some facts of a pack, or only those of other versions: facts that it
// made and no other pack provides are deleted.
//
// access:  write
// param:   pack STRING
// param:   version STRING       null: of any; else of any other
// param:   limit INTEGER
// returns: dropped INTEGER
// returns: removed INTEGER      of them, deleted
// index:   acervo_pack_name
// plan:    Eager                facts are found before the first is deleted; bounded by the limit
MATCH (p:AcervoPack {name: $pack})-[x:PROVIDES]->(f:AcervoFact)
WHERE $version IS NULL OR x.version <> $version
WITH x, f, x.created AND NOT EXISTS { MATCH (f)<-[:PROVIDES]-(o:AcervoPack) WHERE o.name <> $pack } AS gone
LIMIT $limit
CALL (f, x) {
  MATCH (f)<-[y:PROVIDES]-(o:AcervoPack)
  WHERE o.name <> $pack AND x.created
  SET y.created = true // it is theirs to remove now
}
DELETE x
FOREACH (_ IN CASE WHEN gone THEN [1] END |
  DETACH DELETE f)
RETURN count(*) AS dropped, count(CASE WHEN gone THEN 1 END) AS removed
