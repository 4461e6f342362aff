// Gives an entity what it lacks of another one that it absorbs.
//
// access:  write
// param:   owner STRING
// param:   id STRING
// param:   type STRING          null: its own stays
// param:   attributes MAP
// param:   aliases LIST<STRING>
// param:   created_at DATETIME  of the other one
// param:   now DATETIME
// index:   acervo_entity_key
// plan:    Eager                one entity is read, then set
MATCH (e:AcervoEntity {owner: $owner, id: $id})
SET e.updated_at = $now
WITH e, $type IS NOT NULL AND e.type = 'Desconocido' AS completed
FOREACH (_ IN CASE WHEN completed THEN [1] END |
  REMOVE e:Desconocido
  SET e:$($type), e.type = $type,
      e.pending_fields = [f IN e.pending_fields WHERE f <> 'tipo'],
      e.status = CASE WHEN all(f IN e.pending_fields WHERE f = 'tipo') THEN 'complete' ELSE e.status END)
SET e.aliases = e.aliases + [a IN $aliases WHERE NOT a IN e.aliases AND a <> e.label],
    e.created_at = CASE WHEN $created_at < e.created_at THEN $created_at ELSE e.created_at END,
    e += $attributes
