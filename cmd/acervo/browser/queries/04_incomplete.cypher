// What is incomplete
// Entities whose type isn't known yet, and what they lack: ask for it when it comes up.
MATCH (e:AcervoEntity)
WHERE e.owner = 'sandy' AND e.status = 'incomplete' AND e.id IS NOT NULL
RETURN e.label AS entity, e.pending_fields AS missing, e.created_at AS since
ORDER BY e.owner, e.status, e.id
