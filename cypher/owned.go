package cypher

import (
	"regexp"
	"slices"
	"strings"
)

// ownedIndex finds the indexes of the migrations that begin with the owner.
var ownedIndex = regexp.MustCompile(`(?:CONSTRAINT|INDEX) (acervo_\w+) IF NOT EXISTS\s+FOR \(n:(\w+)\) (?:REQUIRE|ON) \(n\.owner, ([^)]+)\)`)

// Owned returns a statement for each label whose nodes belong to an owner, which
// deletes some of an owner's nodes and counts them. The labels are read off the
// migrations, each with an index that begins with the owner, so that forgetting
// an owner covers a label that is added later.
func Owned() []Statement {
	var all []Statement
	for _, m := range Migrations() {
		for _, text := range m.Statements {
			found := ownedIndex.FindStringSubmatch(text)
			if found == nil {
				continue
			}
			name, label := "owned/"+found[2], found[2]
			if slices.ContainsFunc(all, func(s Statement) bool { return s.Name == name }) {
				continue
			}
			all = append(all, owned(name, found[1], label, strings.Split(found[3], ", ")))
		}
	}
	return all
}

func owned(name, index, label string, rest []string) Statement {
	var where strings.Builder
	where.WriteString("n.owner = $owner")
	on := "owner"
	for _, property := range rest {
		where.WriteString(" AND " + property + " IS NOT NULL") // or the index isn't used
		on += ", " + strings.TrimPrefix(property, "n.")
	}
	return Statement{
		Name: name,
		Text: "MATCH (n:" + label + ")\nUSING INDEX n:" + label + "(" + on + ")\nWHERE " + where.String() +
			"\nWITH n\nLIMIT $limit\nDETACH DELETE n\nRETURN count(*) AS removed",
		Access:  Write,
		Params:  []Field{{"owner", "STRING"}, {"limit", "INTEGER"}},
		Returns: []Field{{"removed", "INTEGER"}},
		Indexes: []string{index},
		Plan:    map[string]string{},
	}
}
