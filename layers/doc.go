// Package layers says whose knowledge is what: the two layers of the memory,
// what each admits, and the states that a node can be in.
//
// UNIVERSAL knowledge is about the world, comes from the source "world" and is
// shared by every owner. PERSONAL knowledge is what one owner said, and no other
// owner ever sees it. A relation is only as shared as its ends:
//
//	layers.OfRelation(layers.Universal, layers.Personal) // PERSONAL
//
// The package is pure and keeps no state.
package layers
