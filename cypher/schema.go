package cypher

import (
	"fmt"
	"regexp"
	"strings"
)

// Index is an index, or a constraint with the index behind it, that a migration makes.
type Index struct {
	// Name is that of the index and the constraint.
	Name string
	// Migration is that of the schema, with the statement alone that makes it.
	Migration Migration
	// Unique: it is a constraint.
	Unique bool
	// Doubles counts what would break the constraint: how many nodes there are
	// beside the first of each key. It is empty for an index.
	Doubles Statement
	// RemoveDoubles removes these nodes and keeps the one of each key with the most
	// relationships. It is for people: nothing runs it.
	RemoveDoubles string
}

var (
	madeIndex  = regexp.MustCompile(`^CREATE (CONSTRAINT|INDEX) (acervo_\w+) IF NOT EXISTS\s+FOR \(n:(\w+)\)`)
	uniqueness = regexp.MustCompile(`REQUIRE \(?([^)]+?)\)? IS UNIQUE`)
)

// Indexes returns the indexes and constraints of all migrations, in their order.
func Indexes() []Index {
	var all []Index
	for _, m := range Migrations() {
		for _, text := range m.Statements {
			found := madeIndex.FindStringSubmatch(text)
			if found == nil {
				continue
			}
			index := Index{Name: found[2], Migration: Migration{Name: m.Name, Checksum: m.Checksum, Statements: []string{text}}, Unique: found[1] == "CONSTRAINT"}
			if key := uniqueness.FindStringSubmatch(text); key != nil {
				index.Doubles = doubles(found[2], found[3], key[1])
				index.RemoveDoubles = removeDoubles(found[3], key[1])
			}
			all = append(all, index)
		}
	}
	return all
}

func doubles(name, label, key string) Statement {
	return Statement{
		Name: "doubles/" + name,
		Text: "MATCH (n:" + label + ")\nWHERE " + there(key) + "\n" +
			"WITH [" + key + "] AS key, count(*) AS times\nWHERE times > 1\nRETURN coalesce(sum(times - 1), 0) AS found",
		Access:  Read,
		Returns: []Field{{"found", "INTEGER"}},
		Plan:    map[string]string{},
	}
}

func removeDoubles(label, key string) string {
	return "MATCH (n:" + label + ") WHERE " + there(key) + " WITH n ORDER BY COUNT { (n)--() } DESC " +
		"WITH [" + key + "] AS key, collect(n) AS same UNWIND tail(same) AS n DETACH DELETE n"
}

// there says that every property of a key is there.
func there(key string) string {
	return strings.ReplaceAll(key, ",", " IS NOT NULL AND") + " IS NOT NULL"
}

// VectorIndexName is the name of the vector index, which no migration makes, since it
// has the dimensions of what is stored.
const VectorIndexName = "acervo_vectors"

// VectorIndex returns the statement that makes the vector index for vectors of so many
// dimensions, and the one that drops it.
func VectorIndex(dimensions int) (create, drop string) {
	return fmt.Sprintf("CREATE VECTOR INDEX %s IF NOT EXISTS\nFOR (n:AcervoVector) ON (n.embedding)\n"+
		"OPTIONS {indexConfig: {`vector.dimensions`: %d, `vector.similarity_function`: 'cosine'}}", VectorIndexName, dimensions), "DROP INDEX " + VectorIndexName + " IF EXISTS"
}
