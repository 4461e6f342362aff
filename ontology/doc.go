// Package ontology holds what the graph's names mean: how a name becomes an id,
// which statements are the same, which types, relations and attributes there
// are, and under which other names they are known.
//
// It is pure: nothing here does I/O, and every value may be used by several
// goroutines at once.
//
//	id, err := ontology.ID("Río Negro")        // "rio_negro"
//	t, ok := ontology.Builtin().Type("person") // Persona
package ontology
