// Package provision gets a real Neo4j: the one that NEO4J_URI names, a container
// of a Docker engine, or Neo4j Community from Maven Central on the machine's own
// Java. Tests and `make up` choose in this order.
package provision
