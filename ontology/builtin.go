package ontology

// The layers that built-in types advise; see [Type.LayerDefault].
const (
	universal = "UNIVERSAL"
	personal  = "PERSONAL"
)

// BuiltinTypes returns the types that every memory knows, as a copy of the
// caller's own.
func BuiltinTypes() []Type {
	builtin := func(name, layer string, attributes ...string) Type {
		return Type{Name: name, Attributes: attributes, LayerDefault: layer, Origin: OriginBuiltin}
	}
	return []Type{
		builtin("Persona", personal, "nombre", "edad", "rol", "relacion_con_owner"),
		builtin("Personaje", universal, "nombre", "universo", "creador"),
		builtin("Organizacion", personal, "nombre", "tipo", "industria", "ubicacion"),
		builtin("Proyecto", personal, "nombre", "stack", "scaffold", "arquitectura", "modulos", "estado"),
		builtin("Lugar", universal, "nombre", "tipo", "region", "pais"),
		builtin("Tecnologia", universal, "nombre", "tipo", "version"),
		builtin("Obra", universal, "nombre", "autor", "fecha"),
		builtin("Universo", universal, "nombre", "editorial"),
		builtin("Editorial", universal, "nombre", "pais"),
		builtin("Documento", personal, "nombre", "tipo", "path", "contenido_resumen"),
		builtin("Regla", personal, "descripcion", "aplica_a", "tecnologia", "severity"),
	}
}

// BuiltinRelations returns the relations that every memory knows, as a copy of
// the caller's own.
func BuiltinRelations() []Relation {
	names := []string{
		"IS_A", "CREATED_BY", "ALIAS_OF", "PART_OF", "SET_IN", "DEBUTED_IN", "PUBLISHED_BY",
		"TRABAJA_EN", "VIVE_EN", "DUEÑO_DE", "PERTENECE_A", "USA_TECNOLOGIA", "TIENE_MODULO",
		"GUSTA_DE", "FAMILIAR_DE", "RELACIONADO_CON",
	}
	relations := make([]Relation, len(names))
	for i, name := range names {
		relations[i] = Relation{Name: name, Origin: OriginBuiltin, SingleValued: name == "VIVE_EN"}
	}
	return relations
}
