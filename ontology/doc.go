// Package ontology says what things are called: it turns names into ids,
// spellings into one key, and knows the types and relations of the memory.
//
// It is pure: nothing here reads, writes, logs or keeps state. Everything is
// safe for concurrent use.
//
// A name becomes the id under which its entity is stored:
//
//	id, err := ontology.ID("Río Negro") // "rio_negro"
//
// A message becomes the ids that it may mention, to be looked up in an index:
//
//	grams := ontology.Grams("I use C++ and .NET.", 4)
//	ids := ontology.Longest(grams, isStored) // "c_plus_plus", "dot_net"
//
// A spelling of a type or a relation becomes the one that is stored:
//
//	o := ontology.Builtin()
//	t, ok := o.Type("organización") // Organizacion
//	r, ok := o.Relation("works_at") // TRABAJA_EN
//
// Letters, marks and digits are told apart by the Unicode tables of Go and of
// golang.org/x/text; a code point that those tables don't know yet separates
// words.
package ontology
