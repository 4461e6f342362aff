// Compares entities of a pack with those that are stored.
//
// access:  read
// param:   rows LIST<MAP>       i, id, label, type, attributes, aliases
// returns: i INTEGER
// returns: there BOOLEAN
// returns: type STRING          of the one that is there
// returns: same BOOLEAN         it is verified and nothing of it would change
// index:   acervo_entity_key
UNWIND $rows AS row
OPTIONAL MATCH (e:AcervoEntity {owner: 'world', id: row.id})
RETURN row.i AS i, e IS NOT NULL AS there, e.type AS type,
       e.verified_at IS NOT NULL AND e.label = row.label AND e.type = row.type AND all(a IN row.aliases WHERE a IN e.aliases)
         AND all(k IN keys(row.attributes) WHERE coalesce(e[k] = row.attributes[k], false)) AS same
