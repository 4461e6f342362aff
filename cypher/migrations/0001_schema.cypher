// Constraints and indexes of the stored graph, see docs/data-model.md.
// Every name starts with acervo_, so that it never meets one of the user's own.
CREATE CONSTRAINT acervo_schema_name IF NOT EXISTS
FOR (n:AcervoSchema) REQUIRE n.name IS UNIQUE;

CREATE CONSTRAINT acervo_entity_key IF NOT EXISTS
FOR (n:AcervoEntity) REQUIRE (n.owner, n.id) IS UNIQUE;

// Entities of one type, or of one status, in the order of their ids.
CREATE INDEX acervo_entity_type IF NOT EXISTS
FOR (n:AcervoEntity) ON (n.owner, n.type, n.id);

CREATE INDEX acervo_entity_status IF NOT EXISTS
FOR (n:AcervoEntity) ON (n.owner, n.status, n.id);

CREATE CONSTRAINT acervo_fact_key IF NOT EXISTS
FOR (n:AcervoFact) REQUIRE n.key IS UNIQUE;

// Facts about one entity in the order in which they were said.
CREATE INDEX acervo_fact_about IF NOT EXISTS
FOR (n:AcervoFact) ON (n.owner, n.about, n.created_at);

CREATE CONSTRAINT acervo_alias_key IF NOT EXISTS
FOR (n:AcervoAlias) REQUIRE (n.owner, n.id, n.entity) IS UNIQUE;

CREATE CONSTRAINT acervo_reference_key IF NOT EXISTS
FOR (n:AcervoReference) REQUIRE (n.owner, n.id) IS UNIQUE;

CREATE CONSTRAINT acervo_session_key IF NOT EXISTS
FOR (n:AcervoSession) REQUIRE (n.owner, n.id) IS UNIQUE;

// key is the name folded as it is matched, so that two processes which register
// Superhero and superhero at once end with one type.
CREATE CONSTRAINT acervo_type_key IF NOT EXISTS
FOR (n:AcervoType) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT acervo_type_name IF NOT EXISTS
FOR (n:AcervoType) REQUIRE n.name IS UNIQUE;

CREATE CONSTRAINT acervo_relation_key IF NOT EXISTS
FOR (n:AcervoRelation) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT acervo_relation_name IF NOT EXISTS
FOR (n:AcervoRelation) REQUIRE n.name IS UNIQUE;
