package cypher

// The schema.
var (
	SchemaApplied = load("schema/applied")
	SchemaRecord  = load("schema/record")
	SchemaPending = load("schema/pending")
	SchemaServer  = load("schema/server")
)

// The ontology.
var (
	OntologyLoad     = load("ontology/load")
	OntologyRegister = load("ontology/register")
)

// Entities, their aliases and facts.
var (
	EntityUpsert      = load("entity/upsert")
	EntityUpsertPlain = load("entity/upsert_plain")
	EntityKnown       = load("entity/known")
	EntityCreate      = load("entity/create")
	EntityGet         = load("entity/get")
	EntityFind        = load("entity/find")
	EntityVerify      = load("entity/verify")
	EntityNames       = load("entity/names")
	EntityLock        = load("entity/lock")
	EntityAbsorb      = load("entity/absorb")
	EntityRelations   = load("entity/relations")
	EntityUnrelate    = load("entity/unrelate")
	EntityDelete      = load("entity/delete")
	EntityScan        = load("entity/scan")
	EntityList        = load("entity/list")
	EntityListType    = load("entity/list_type")
	EntityListStatus  = load("entity/list_status")
	AliasUpsert       = load("alias/upsert")
	AliasRemove       = load("alias/remove")
	AliasOfEntity     = load("alias/of_entity")
	AliasUnrelate     = load("alias/unrelate")
	FactUpsert        = load("fact/upsert")
	FactKnown         = load("fact/known")
	FactCreate        = load("fact/create")
	FactFind          = load("fact/find")
	FactEnd           = load("fact/end")
	FactSupersede     = load("fact/supersede")
	FactList          = load("fact/list")
	FactRemove        = load("fact/remove")
	FactOfEntity      = load("fact/of_entity")
	FactMove          = load("fact/move")
	FactAbsorb        = load("fact/absorb")
)

// Relations, and the owners' references to UNIVERSAL entities.
var (
	RelationCreate         = load("relation/create")
	RelationUpsert         = loadTemplate("relation/upsert")
	RelationUpsertDynamic  = load("relation/upsert_dynamic")
	RelationList           = load("relation/list")
	RelationListPersonal   = load("relation/list_personal")
	RelationListReferences = load("relation/list_references")
	RelationEnd            = loadTemplate("relation/end")
	RelationCurrent        = loadTemplate("relation/current")
	ReferenceUpsert        = load("reference/upsert")
	RelationRestore        = loadTemplate("relation/restore")
	RelationRestoreDynamic = load("relation/restore_dynamic")
	ReferenceEnd           = load("reference/end")
	ReferenceRestore       = load("reference/restore")
	ReferenceTouch         = load("reference/touch")
	ReferenceOwners        = load("reference/owners")
	ReferenceRemove        = load("reference/remove")
	ReferenceUsers         = load("reference/users")
	EndedFind              = load("ended/find")
	EndedList              = load("ended/list")
	EndedRemove            = load("ended/remove")
	EndedMove              = load("ended/move")
	EndedBetween           = load("ended/between")
)

// Sessions and the context.
var (
	SessionGet         = load("session/get")
	SessionCycle       = load("session/cycle")
	SessionMention     = load("session/mention")
	SessionReplace     = load("session/replace")
	SessionPurge       = load("session/purge")
	ContextMaterialize = load("context/materialize")
	ContextTurn        = load("context/turn")
	ContextRelated     = loadTemplate("context/related")
)

// Search, and what the migration to it fills in.
var (
	SearchFind           = load("search/find")
	SearchDigestEntities = load("search/digest_entities")
	SearchDigestAliases  = load("search/digest_aliases")
	SearchDigestFacts    = load("search/digest_facts")
)

// Forgetting; see also [Owned].
var (
	ForgetCount           = load("forget/count")
	ForgetCrossing        = load("forget/crossing")
	ForgetRelationships   = load("forget/relationships")
	ForgetEntityCount     = load("forget/entity_count")
	ForgetEntityFacts     = load("forget/entity_facts")
	ForgetEntityRelations = load("forget/entity_relations")
	ForgetEntityEnded     = load("forget/entity_ended")
)

// Export and import.
var (
	ExportEntities = load("export/entities")
	ExportShared   = load("export/shared")
	ExportAliases  = load("export/aliases")
	ExportFacts    = load("export/facts")
	ExportEnded    = load("export/ended")
	ExportSessions = load("export/sessions")
	ImportEntities = load("import/entities")
	ImportAliases  = load("import/aliases")
	ImportFacts    = load("import/facts")
	ImportEnded    = load("import/ended")
	ImportSessions = load("import/sessions")
)

// Packs of world knowledge.
var (
	PackMove             = load("pack/move")
	PackPut              = load("pack/put")
	PackList             = load("pack/list")
	PackCompare          = load("pack/compare")
	PackCompareRelations = load("pack/compare_relations")
	PackEntities         = load("pack/entities")
	PackFacts            = load("pack/facts")
	PackRelations        = load("pack/relations")
	PackProvided         = load("pack/provided")
	PackListRelations    = load("pack/list_relations")
	PackUnmark           = load("pack/unmark")
	PackDropFacts        = load("pack/drop_facts")
	PackDropEntities     = load("pack/drop_entities")
	PackRemove           = load("pack/remove")
)

// StatusCounts counts what one space holds.
var StatusCounts = load("status/counts")
