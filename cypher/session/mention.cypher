// Makes hot what each of some names finds: the owner's own entities, else the
// UNIVERSAL ones.
//
// access:  write
// param:   owner STRING
// param:   session STRING
// param:   names LIST<STRING>   distinct ids of names
// param:   starts LIST<LIST>    for each name: its id, its place, and lists of the same and the next place
// param:   hot_limit INTEGER    how many keys a list of the session holds
// param:   now DATETIME
// returns: mentioned LIST<STRING>
// returns: found LIST<STRING>   the names that found something
// returns: hot LIST<STRING>
// returns: warm LIST<STRING>
// index:   acervo_session_key
// index:   acervo_entity_key
// index:   acervo_alias_key
// plan:    Eager                one session is read, then set
// plan:    CartesianProduct     of single rows, one from each subquery
// include: mentions
WITH mentioned
CALL () {
  CALL () {
    UNWIND [$owner, 'world'] AS space
    UNWIND $names AS name
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = space AND e.id >= name AND e.id <= name
    RETURN name
  UNION
    UNWIND [$owner, 'world'] AS space
    UNWIND $names AS name
    MATCH (a:AcervoAlias)
    USING INDEX a:AcervoAlias(owner, id, entity)
    WHERE a.owner = space AND a.id = name AND a.entity IS NOT NULL
    RETURN name
  }
  RETURN collect(name) AS found
}
OPTIONAL CALL (mentioned) {
  WITH mentioned
  WHERE mentioned <> []
  MERGE (s:AcervoSession {owner: $owner, id: $session})
  ON CREATE SET s.turn = 0, s.hot = [], s.warm = []
  SET s.updated_at = $now
  WITH s, mentioned
  SET s.warm = [k IN s.warm WHERE NOT k IN mentioned],
      s.hot = (mentioned + [k IN s.hot WHERE NOT k IN mentioned])[..$hot_limit]
  RETURN s
}
RETURN mentioned, found, coalesce(s.hot, []) AS hot, coalesce(s.warm, []) AS warm
