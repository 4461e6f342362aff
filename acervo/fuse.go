package acervo

import (
	"cmp"
	"maps"
	"slices"
)

// fusionConstant is the k of reciprocal rank fusion, which keeps the first places of
// one way from deciding alone: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
// outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009.
const fusionConstant = 60

// fusedHit is an entity with its places.
type fusedHit struct {
	key   string
	score float64
	ranks map[SearchWay]int
}

// placed gives the place of each key of a list, from 1.
func placed(keys []string) map[string]int {
	places := make(map[string]int, len(keys))
	for i, key := range keys {
		places[key] = i + 1
	}
	return places
}

// fuse ranks entities by what the ways say of them: their places by text and by
// vectors, which find, and their distances in the graph, which only rank what was
// found. What is named comes first; those of one score are in the order of their keys.
func fuse(found map[SearchWay]map[string]int, named []string) []fusedHit {
	hits := map[string]*fusedHit{}
	for _, w := range []SearchWay{ByText, ByVectors} { // an order, since sums of floats depend on it
		for key, place := range found[w] {
			if hits[key] == nil {
				hits[key] = &fusedHit{key: key, ranks: map[SearchWay]int{}}
			}
			hits[key].rank(w, place)
		}
	}
	nearer := map[int]int{} // how many hits there are of each distance
	for key, distance := range found[ByGraph] {
		if hits[key] != nil {
			nearer[distance]++
		}
	}
	for key, distance := range found[ByGraph] {
		if hits[key] == nil {
			continue
		}
		place := 1
		for d, n := range nearer {
			if d < distance {
				place += n
			}
		}
		hits[key].rank(ByGraph, place)
	}
	for _, key := range named {
		if hits[key] != nil {
			hits[key].score++
		}
	}
	list := make([]fusedHit, 0, len(hits))
	for _, key := range slices.Sorted(maps.Keys(hits)) {
		list = append(list, *hits[key])
	}
	slices.SortStableFunc(list, func(a, b fusedHit) int { return cmp.Compare(b.score, a.score) })
	return list
}

func (h *fusedHit) rank(w SearchWay, place int) {
	h.ranks[w] = place
	h.score += 1 / float64(fusionConstant+place)
}
