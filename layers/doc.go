// Package layers holds the two layers of the graph and what each admits, and the
// words for where knowledge comes from, how complete it is and how recently it
// was used.
//
// It is pure: nothing here does I/O.
//
//	layers.OfRelation(layers.Personal, layers.Universal) // PERSONAL
package layers
