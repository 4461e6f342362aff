WITH *, CASE WHEN key STARTS WITH 'w:' THEN 'world' ELSE $owner END AS space, substring(key, 2) AS id
MATCH (e:AcervoEntity)
USING INDEX e:AcervoEntity(owner, id)
WHERE e.owner = space AND e.id >= id AND e.id <= id
CALL (key) {
  CALL (key) {
    MATCH (f:AcervoFact)
    WHERE f.owner = $owner AND f.about = key AND f.created_at IS NOT NULL
      AND CASE WHEN $at IS NULL THEN f.valid_to IS NULL ELSE f.valid_from <= $at AND coalesce(f.valid_to > $at, true) END // no OR, which would be planned as two seeks
    RETURN f
    ORDER BY f.owner DESC, f.about DESC, f.created_at DESC // all of the index, or everything is sorted
    LIMIT $facts
  UNION
    WITH key
    WHERE key STARTS WITH 'w:'
    MATCH (f:AcervoFact)
    WHERE f.owner = 'world' AND f.about = key AND f.created_at IS NOT NULL
      AND CASE WHEN $at IS NULL THEN f.valid_to IS NULL ELSE f.valid_from <= $at AND coalesce(f.valid_to > $at, true) END // no OR, which would be planned as two seeks
    RETURN f
    ORDER BY f.owner DESC, f.about DESC, f.created_at DESC // all of the index, or everything is sorted
    LIMIT $facts
  }
  WITH f
  ORDER BY f.created_at DESC, f.key
  LIMIT $facts
  RETURN collect(f {.owner, .text, .source, .sources, .source_details, .confidence, .created_at, .valid_from, .valid_to}) AS facts
}
CALL (key) {
  WITH key
  WHERE key STARTS WITH 'w:'
  MATCH (a:AcervoAlias)
  USING INDEX a:AcervoAlias(entity, owner)
  WHERE a.entity = key AND a.owner = $owner AND a.via IS NULL AND $owner <> 'world'
  WITH a.label AS name
  ORDER BY name
  RETURN collect(name) AS names
}
CALL (e, key) {
  CALL (e, key) {
    WITH e, key
    WHERE key STARTS WITH 'p:'
    CALL (e) { // of many facts, relations of the built-in types first: others are found by walking past the facts
      WITH e
      WHERE COUNT { (e)-[:HAS_FACT]->() } > 100
      MATCH (e)-[r:ALIAS_OF|CREATED_BY|DEBUTED_IN|`DUEÑO_DE`|FAMILIAR_DE|GUSTA_DE|IS_A|PART_OF|PERTENECE_A|PUBLISHED_BY|RELACIONADO_CON|SET_IN|TIENE_MODULO|TRABAJA_EN|USA_TECNOLOGIA|VIVE_EN]-(other:AcervoEntity)
      WHERE $at IS NULL OR r.valid_from <= $at
      WITH r
      LIMIT $relations
      RETURN collect(r) AS builtin
    }
    CALL (e, builtin) {
      UNWIND CASE WHEN size(builtin) < $relations THEN [] ELSE builtin END AS r
      RETURN r
    UNION ALL
      WITH e, builtin
      WHERE size(builtin) < $relations
      MATCH (e)-[r]-(other:AcervoEntity)
      WHERE $at IS NULL OR r.valid_from <= $at
      RETURN r
      LIMIT $relations
    }
    RETURN type(r) AS type, startNode(r) = e AS outgoing, CASE startNode(r) WHEN e THEN endNode(r) ELSE startNode(r) END AS other, properties(r) AS held, r.owner AS owner
  UNION ALL
    WITH key
    WHERE key STARTS WITH 'w:'
    UNWIND CASE WHEN $owner = 'world' THEN ['world'] ELSE [$owner, 'world'] END AS space
    WITH space, substring(key, 2) AS id
    MATCH (ref:AcervoReference)
    USING INDEX SEEK ref:AcervoReference(owner, id) // else a scan while there are few
    WHERE ref.owner = space AND ref.id >= id AND ref.id <= id
    MATCH (ref)-[r:REFERS]-(end)
    WHERE $at IS NULL OR r.valid_from <= $at
    WITH ref, r, end
    LIMIT $relations
    CALL (end) {
      WITH end
      WHERE end:AcervoEntity
      RETURN end AS other
    UNION ALL
      WITH end
      WHERE end:AcervoReference
      MATCH (other:AcervoEntity)
      USING INDEX other:AcervoEntity(owner, id)
      WHERE other.owner = 'world' AND other.id >= end.id AND other.id <= end.id
      RETURN other
    }
    RETURN r.type AS type, (startNode(r) = ref) = r.outgoing AS outgoing, other, properties(r) AS held, ref.owner AS owner
  UNION ALL
    WITH key
    WHERE $at IS NOT NULL
    UNWIND CASE WHEN $owner = 'world' OR key STARTS WITH 'p:' THEN [$owner] ELSE [$owner, 'world'] END AS space
    CALL (key, space) {
      MATCH (n:AcervoEnded)
      USING INDEX n:AcervoEnded(owner, from, key)
      WHERE n.owner = space AND n.from = key AND n.key IS NOT NULL AND n.valid_from <= $at AND n.valid_to > $at
      RETURN n, true AS outgoing, n.to AS far
      LIMIT $relations
    UNION ALL
      MATCH (n:AcervoEnded)
      USING INDEX n:AcervoEnded(owner, to, key)
      WHERE n.owner = space AND n.to = key AND n.key IS NOT NULL AND n.valid_from <= $at AND n.valid_to > $at
      RETURN n, false AS outgoing, n.from AS far
      LIMIT $relations
    }
    WITH n, outgoing, CASE WHEN far STARTS WITH 'w:' THEN 'world' ELSE n.owner END AS space, substring(far, 2) AS id
    MATCH (other:AcervoEntity)
    USING INDEX other:AcervoEntity(owner, id)
    WHERE other.owner = space AND other.id >= id AND other.id <= id
    RETURN n.type AS type, outgoing, other, properties(n) AS held, n.owner AS owner
  }
  RETURN collect({
    type: type, outgoing: outgoing, owner: owner, layer: held.layer, source: held.source, confidence: held.confidence,
    created_at: held.created_at, last_seen_at: held.last_seen_at, valid_from: held.valid_from, valid_to: held.valid_to,
    other: other {.id, .label, .type, .layer, .status, .pending_fields}}) AS relations
}
