// Package cypher holds every statement that Acervo sends to Neo4j.
//
// Each statement is a .cypher file of its own with a header that says who may
// run it, what it takes, what it returns, which index serves it and which
// costly operators its plan may hold, and why. The files are embedded and
// loaded once into the variables of this package, so that a wrong name doesn't
// compile. The package knows neither the driver nor the graph's meaning.
//
// Values never become statement text. The one exception is a relationship type
// that is a plain identifier, see [Template.For].
package cypher
