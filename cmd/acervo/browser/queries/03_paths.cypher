// Paths between two things across layers
// How Sandy is connected with Angular, over relations that Sandy sees.
MATCH (a:AcervoEntity {owner: 'sandy', id: 'sandy'}), (b:AcervoEntity {owner: 'world', id: 'angular'})
MATCH p = shortestPath((a)-[*..6]-(b))
WHERE all(r IN relationships(p) WHERE r.owner IN ['sandy', 'world'])
RETURN p
