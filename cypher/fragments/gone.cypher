MATCH (ref:AcervoReference)
WHERE ($owners IS NULL OR ref.owner IN $owners) AND NOT EXISTS { MATCH (:AcervoEntity {owner: 'world', id: ref.id}) }
