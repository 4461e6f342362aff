// Package fulltext reads what somebody searches for and says it to a full-text
// index whose analyzer is standard-folding: one that splits at spaces and
// punctuation, and folds case and the accents of Latin letters.
//
// A text is words and nothing else: no sign in it is an operator. A word finds its
// Spanish and English forms, since the query names the endings that they differ in;
// the same comparison marks the words of what was found:
//
//	q := fulltext.Parse("¿Qué canciones?")
//	q.Lucene("text")             // a query for the index
//	q.Ranges("Mi canción es…")   // where it says so
//
// The package is pure and keeps no state.
package fulltext
