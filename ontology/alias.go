package ontology

// typeAlias returns the built-in type that a folded name also stands for, or "".
// Only names of the same meaning are here: a wider one would lose what was said.
func typeAlias(folded string) string {
	switch folded {
	case "person":
		return "Persona"
	case "character":
		return "Personaje"
	case "organization", "organisation", "company":
		return "Organizacion"
	case "project":
		return "Proyecto"
	case "place", "location":
		return "Lugar"
	case "technology":
		return "Tecnologia"
	case "work":
		return "Obra"
	case "universe":
		return "Universo"
	case "publisher":
		return "Editorial"
	case "document":
		return "Documento"
	case "rule":
		return "Regla"
	}
	return ""
}

// relationAlias returns the built-in relation that a folded name also stands
// for, or "". Direction counts: a name that reads the other way is no alias.
func relationAlias(folded string) string {
	switch folded {
	case "works_at":
		return "TRABAJA_EN"
	case "lives_in":
		return "VIVE_EN"
	case "owns", "owner_of", "dueno_de", "dueña_de", "duena_de":
		return "DUEÑO_DE"
	case "belongs_to":
		return "PERTENECE_A"
	case "uses_technology":
		return "USA_TECNOLOGIA"
	case "has_module":
		return "TIENE_MODULO"
	case "likes":
		return "GUSTA_DE"
	case "family_of", "relative_of":
		return "FAMILIAR_DE"
	case "related_to":
		return "RELACIONADO_CON"
	}
	return spanishAlias(folded)
}

// spanishAlias returns the built-in relation with an English name that a folded
// Spanish one stands for, or "".
func spanishAlias(folded string) string {
	switch folded {
	case "es_un", "es_una":
		return "IS_A"
	case "creado_por", "creada_por":
		return "CREATED_BY"
	case "alias_de":
		return "ALIAS_OF"
	case "parte_de":
		return "PART_OF"
	case "publicado_por", "publicada_por":
		return "PUBLISHED_BY"
	}
	return ""
}
