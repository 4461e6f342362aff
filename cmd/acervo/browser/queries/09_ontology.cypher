// The ontology
// The types with their attributes, and how each came to be known.
MATCH (t:AcervoType)
WHERE t.name IS NOT NULL
RETURN t.name AS type, t.origin AS origin, t.layer_default AS layer, t.attributes AS attributes
ORDER BY t.name
