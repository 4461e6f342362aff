// Package integration holds the tests that need a real Neo4j. They get one by
// themselves, see [github.com/acervo-graph/acervo/integration/provision], and
// are left out by go test -short only.
package integration
