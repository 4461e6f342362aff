// Likely duplicates
// Entities of one owner whose labels differ by nothing but case and spaces; acervo duplicates finds more kinds.
MATCH (e:AcervoEntity)
WHERE e.owner = 'sandy' AND e.id IS NOT NULL
WITH toLower(replace(e.label, ' ', '')) AS name, collect(e) AS found
WHERE size(found) > 1
RETURN name, [e IN found | e.label + ' (' + e.type + ', ' + e.id + ')'] AS entities
ORDER BY name
