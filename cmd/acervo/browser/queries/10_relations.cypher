// The relations of the ontology
// Single-valued ones end the earlier target when another one is stated.
MATCH (r:AcervoRelation)
WHERE r.name IS NOT NULL
RETURN r.name AS relation, r.origin AS origin, coalesce(r.single_valued, false) AS single_valued
ORDER BY r.name
