package main

import "slices"

// scenarios are all that there are, in the order in which they run. Those of the
// growth come last, since they change the size of the database.
func scenarios() []scenario {
	return slices.Concat([]scenario{
		upsertOf("upsert", "3 entities, 3 relations and 3 facts, all of them new", false),
		upsertOf("upsert-again", "3 entities, 3 relations and 3 facts that are there", true),
		turn(),
		bulk("bulk", "a graph for an owner who has nothing", loadTuning{}),
		bulk("bulk-merge", "the same; the baseline can be repeated too", loadTuning{merge: true}),
	}, hubScenarios(), concurrencyScenarios(), growthScenarios())
}
