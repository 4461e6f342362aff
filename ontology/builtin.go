package ontology

// Unknown is the type of an entity whose type isn't known yet.
const Unknown = "Desconocido"

// IsUnknown reports whether a type says that the type isn't known: it is empty,
// or Desconocido, Unknown or entidad, in whatever case.
func IsUnknown(name string) bool {
	switch Fold(name) {
	case "", "desconocido", "desconocida", "unknown", "entidad", "entity":
		return true
	}
	return false
}

// BuiltinTypes are the types that every ontology has.
func BuiltinTypes() []Type {
	universal, personal := "UNIVERSAL", "PERSONAL"
	of := func(name, layer string, attributes ...string) Type {
		return Type{Name: name, Attributes: attributes, LayerDefault: layer, Origin: OriginBuiltin}
	}
	return []Type{
		of("Persona", personal, "nombre", "edad", "rol", "relacion_con_owner"),
		of("Personaje", universal, "nombre", "universo", "creador"),
		of("Organizacion", personal, "nombre", "tipo", "industria", "ubicacion"),
		of("Proyecto", personal, "nombre", "stack", "scaffold", "arquitectura", "modulos", "estado"),
		of("Lugar", universal, "nombre", "tipo", "region", "pais"),
		of("Tecnologia", universal, "nombre", "tipo", "version"),
		of("Obra", universal, "nombre", "autor", "fecha"),
		of("Universo", universal, "nombre", "editorial"),
		of("Editorial", universal, "nombre", "pais"),
		of("Documento", personal, "nombre", "tipo", "path", "contenido_resumen"),
		of("Regla", personal, "descripcion", "aplica_a", "tecnologia", "severity"),
	}
}

// BuiltinRelations are the relations that every ontology has.
func BuiltinRelations() []Relation {
	names := []string{
		"IS_A", "CREATED_BY", "ALIAS_OF", "PART_OF", "SET_IN", "DEBUTED_IN", "PUBLISHED_BY", "TRABAJA_EN", "VIVE_EN",
		"DUEÑO_DE", "PERTENECE_A", "USA_TECNOLOGIA", "TIENE_MODULO", "GUSTA_DE", "FAMILIAR_DE", "RELACIONADO_CON",
	}
	relations := make([]Relation, len(names))
	for i, name := range names {
		relations[i] = Relation{Name: name, Origin: OriginBuiltin}
	}
	return relations
}

// typeAlias gives the built-in type that an English name, folded, stands for.
func typeAlias(folded string) string {
	switch folded {
	case "person", "people":
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

// relationAlias gives the built-in relation that another name, folded, stands for.
func relationAlias(folded string) string {
	switch folded {
	case "works_at", "works_for":
		return "TRABAJA_EN"
	case "lives_in":
		return "VIVE_EN"
	case "owns", "owner_of", "dueno_de":
		return "DUEÑO_DE"
	case "belongs_to":
		return "PERTENECE_A"
	case "uses_technology":
		return "USA_TECNOLOGIA"
	case "has_module":
		return "TIENE_MODULO"
	case "likes":
		return "GUSTA_DE"
	case "family_of":
		return "FAMILIAR_DE"
	case "related_to":
		return "RELACIONADO_CON"
	}
	return ""
}
