MATCH (v:AcervoVector)
WHERE ($owners IS NULL OR v.owner IN $owners) AND NOT EXISTS { MATCH (:AcervoEntity {owner: v.owner, id: v.id}) }
