package ontology

// ReservedLabels returns the labels that the memory gives to its own nodes. No
// type can be called so, in any case or accents.
func ReservedLabels() []string {
	return []string{
		"AcervoEntity", "AcervoFact", "AcervoEnded", "AcervoAlias", "AcervoReference",
		"AcervoSession", "AcervoType", "AcervoRelation", "AcervoAttribute", "AcervoPack",
		"AcervoSchema", "AcervoVector", "Universal", "Personal",
	}
}

// ReservedRelations returns the relationship types that the memory uses for
// itself. No relation can be called so, in any case or accents.
func ReservedRelations() []string {
	return []string{"HAS_FACT", "HAD_FACT", "SUPERSEDES", "PROVIDES", "REFERS"}
}

// ReservedAttributes returns the properties that the memory keeps on its own
// nodes. No attribute can be called exactly so; another spelling is another
// property.
func ReservedAttributes() []string {
	return []string{
		"owner", "id", "label", "type", "layer", "source", "confidence_for_owner", "confidence",
		"status", "pending_fields", "aliases", "created_at", "updated_at", "verified_at",
		"last_seen_at", "valid_from", "valid_to", "about", "text", "sources", "key", "entity",
		"source_details", "from_pack", "owner_digest",
	}
}
