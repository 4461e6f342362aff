// What is hot and warm in a session
// The entities that the conversation is about, those used last first, with their relations.
MATCH (s:AcervoSession {owner: 'sandy', id: 'demo'})
UNWIND s.hot + s.warm AS key
MATCH (e:AcervoEntity {owner: CASE WHEN key STARTS WITH 'w:' THEN 'world' ELSE s.owner END, id: substring(key, 2)})
OPTIONAL MATCH (e)-[r]-(n:AcervoEntity)
WHERE r.owner IN [s.owner, 'world']
RETURN e, r, n
