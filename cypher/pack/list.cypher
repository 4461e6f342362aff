// Lists the packs with what each provides.
//
// access:  read
// param:   name STRING          null: all
// returns: pack MAP
// returns: provides INTEGER     entities and facts
// index:   acervo_pack_name
MATCH (p:AcervoPack)
WHERE p.name IS NOT NULL AND ($name IS NULL OR p.name = $name)
RETURN properties(p) AS pack, COUNT { (p)-[:PROVIDES]->() } AS provides
ORDER BY p.name
