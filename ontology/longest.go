package ontology

import (
	"cmp"
	"slices"
)

// Longest returns the ids of the grams that are known, each once, in the order
// of the message. A known gram that lies inside a longer known one doesn't
// count: New York isn't a mention of York. Known is asked once for each id that
// matters, from the start of the message on.
func Longest(grams []Gram, known func(id string) bool) []string {
	sorted := slices.Clone(grams)
	slices.SortStableFunc(sorted, func(a, b Gram) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	answers := make(map[string]bool)
	taken := make(map[string]bool)
	var ids []string
	end := 0 // of the known grams so far
	for _, g := range sorted {
		if g.End <= end {
			continue
		}
		answer, asked := answers[g.ID]
		if !asked {
			answer = known(g.ID)
			answers[g.ID] = answer
		}
		if !answer {
			continue
		}
		end = g.End
		if !taken[g.ID] {
			taken[g.ID] = true
			ids = append(ids, g.ID)
		}
	}
	return ids
}
