// What is no longer so, packs of world knowledge, and the indexes that find what
// hangs on one entity for all owners, see docs/data-model.md.
CREATE CONSTRAINT acervo_ended_key IF NOT EXISTS
FOR (n:AcervoEnded) REQUIRE (n.owner, n.key) IS UNIQUE;

// Ended relations by the entity that they come from, and by the one they went to.
CREATE INDEX acervo_ended_from IF NOT EXISTS
FOR (n:AcervoEnded) ON (n.owner, n.from, n.key);

CREATE INDEX acervo_ended_to IF NOT EXISTS
FOR (n:AcervoEnded) ON (n.owner, n.to, n.key);

CREATE CONSTRAINT acervo_pack_name IF NOT EXISTS
FOR (n:AcervoPack) REQUIRE n.name IS UNIQUE;

// The names of one entity.
CREATE INDEX acervo_alias_entity IF NOT EXISTS
FOR (n:AcervoAlias) ON (n.entity, n.owner);

// The owners that use one UNIVERSAL entity.
CREATE INDEX acervo_reference_id IF NOT EXISTS
FOR (n:AcervoReference) ON (n.id, n.owner);
