// Full-text search, see docs/data-model.md. Before it, owner_digest is filled in
// what is there, by the statements in search/. The index is written after a commit,
// which would take several times as long otherwise, and who reads it waits for that.
CREATE FULLTEXT INDEX acervo_search IF NOT EXISTS
FOR (n:AcervoEntity|AcervoAlias|AcervoFact) ON EACH [n.label, n.text, n.owner_digest]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding', `fulltext.eventually_consistent`: true}};
