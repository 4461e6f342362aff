package cypher

// The schema.
var (
	SchemaApplied = load("schema/applied")
	SchemaRecord  = load("schema/record")
	SchemaAwait   = load("schema/await")
	SchemaServer  = load("schema/server")
)

// The ontology.
var (
	OntologyLoad     = load("ontology/load")
	OntologyRegister = load("ontology/register")
)

// Entities, their aliases and facts.
var (
	EntityUpsert     = load("entity/upsert")
	EntityGet        = load("entity/get")
	EntityList       = load("entity/list")
	EntityListType   = load("entity/list_type")
	EntityListStatus = load("entity/list_status")
	AliasUpsert      = load("alias/upsert")
	FactUpsert       = load("fact/upsert")
)

// Relations, and the owners' references to UNIVERSAL entities.
var (
	RelationUpsert         = loadTemplate("relation/upsert")
	RelationUpsertDynamic  = load("relation/upsert_dynamic")
	RelationList           = load("relation/list")
	RelationListPersonal   = load("relation/list_personal")
	RelationListReferences = load("relation/list_references")
	ReferenceUpsert        = load("reference/upsert")
)

// Sessions and the context.
var (
	SessionGet         = load("session/get")
	SessionCycle       = load("session/cycle")
	SessionMention     = load("session/mention")
	ContextMaterialize = load("context/materialize")
	ContextTurn        = load("context/turn")
)

// StatusCounts counts what one space holds.
var StatusCounts = load("status/counts")
