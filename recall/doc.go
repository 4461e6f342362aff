// Package recall says what a message asks of a memory beside what it names: a
// type of entities, a relation, what was spoken of before, or nothing at all.
//
// Its rules are words: spanish.go and english.go hold a table each, and another
// language is one more such table in the list of [languages].
//
// It is pure: nothing here reads, writes, logs or keeps state. Everything is safe
// for concurrent use.
//
//	q := recall.New(ontology.Builtin()).Read("¿A qué personas conozco?")
//	q.Types // Persona
//	q.Chat  // false
package recall
