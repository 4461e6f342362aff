// Package fault holds the tests that break things on purpose: a proxy between the
// client and a real Neo4j cuts, stalls, delays and drops what goes through it, and
// clients and servers are killed. A model in memory knows what was acknowledged, and
// the whole graph is compared with it. docs/reliability.md says what was measured.
//
// `make fault` runs hundreds of rounds, `go test` a few. These set something else:
//
//	ACERVO_FAULT_ROUNDS     how many rounds of the proxy
//	ACERVO_FAULT_KILLS      how many clients are killed; a quarter as many loads, a tenth as many servers
//	ACERVO_FAULT_DEADLINES  how many calls with a deadline
//	ACERVO_FAULT_SEED       the seed of the first round, which is printed
//	ACERVO_FAULT_VERBOSE    not empty: a line for each call of a round
package fault
