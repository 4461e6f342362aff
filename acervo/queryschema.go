package acervo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

// QuerySchemaParams says how long the text may be.
type QuerySchemaParams struct {
	// MaxBytes is how many bytes the text may have, from 8 KiB to 1 MiB. Default 16 KiB.
	MaxBytes int
}

// QuerySchemaResult is what a model needs to write statements for [Client.Query].
type QuerySchemaResult struct {
	// Text is the labels, properties, relationships and rules of the graph, with
	// examples, and the types and relations of this database.
	Text string `json:"text"`
	// Omitted counts the types and relations that found no place.
	Omitted int `json:"omitted"`
}

// QuerySchema describes the graph to a model that writes Cypher: how it is stored,
// what belongs to whom, how to ask for what is current, and the types and relations
// that this database knows, those in use first. It shows nothing that an owner
// said, but names of types, attributes and relations come from what owners say.
func (c *Client) QuerySchema(ctx context.Context, params QuerySchemaParams) (*QuerySchemaResult, error) {
	result, err := c.querySchema(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("query schema: %w", err)
	}
	return result, nil
}

func (c *Client) querySchema(ctx context.Context, params QuerySchemaParams) (*QuerySchemaResult, error) {
	var faults []*FieldError
	bounded(&faults, "max_bytes", &params.MaxBytes, 16<<10, 1<<20)
	if params.MaxBytes < 8<<10 && len(faults) == 0 {
		faults = append(faults, &FieldError{Index: -1, Field: "max_bytes", Value: fmt.Sprint(params.MaxBytes), Rule: fmt.Sprint("is less than ", 8<<10)})
	}
	if err := joinFaults(faults); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	known, err := c.refresh(ctx)
	if err != nil {
		return nil, err
	}
	var used map[string]any
	if err := c.read(ctx, cypher.SchemaUsed.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.SchemaUsed, nil)
		if err != nil {
			return err
		}
		used = map[string]any{}
		if len(records) == 1 { // a database without any label has none
			used = records[0].AsMap()
		}
		return nil
	}); err != nil {
		return nil, err
	}
	result := &QuerySchemaResult{Text: storedGraph}
	types, relations := known.Types(), known.Relations()
	inUse(types, stringsOf(used["labels"]), func(t ontology.Type) string { return t.Name })
	inUse(relations, stringsOf(used["relations"]), func(r ontology.Relation) string { return r.Name })
	// Half of what is left is for types at the most, the rest for relations.
	result.add("\nTYPES, each a label: attributes (properties of its entities)\n", len(result.Text)+(params.MaxBytes-len(result.Text))/2, len(types), func(i int) string {
		return named(types[i].Name) + ": " + strings.Join(mapped(types[i].Attributes, named), ", ") + "\n"
	})
	result.add("\nRELATIONS, each a relationship type between entities\n", params.MaxBytes, len(relations), func(i int) string {
		if relations[i].SingleValued {
			return named(relations[i].Name) + " (one at a time)\n"
		}
		return named(relations[i].Name) + "\n"
	})
	return result, nil
}

// inUse puts what is in use first, and keeps the order otherwise.
func inUse[T any](terms []T, used []string, name func(T) string) {
	rank := make(map[string]int, len(used))
	for _, u := range used {
		rank[u] = -1
	}
	slices.SortStableFunc(terms, func(a, b T) int { return rank[name(a)] - rank[name(b)] })
}

// add adds a line for each of some terms while there is room, and counts the rest.
func (r *QuerySchemaResult) add(heading string, limit, terms int, line func(i int) string) {
	const more = len("… and 1000000 more\n")
	text := heading
	for i := range terms {
		next := line(i)
		if len(r.Text)+len(text)+len(next)+more > limit {
			text += fmt.Sprintf("… and %d more\n", terms-i)
			r.Omitted += terms - i
			break
		}
		text += next
	}
	r.Text += text
}

func mapped(names []string, to func(string) string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = to(n)
	}
	return out
}

// named gives a name as it is, or as a string if it can't be written plainly in
// Cypher; names in backticks aren't safe there, since Cypher 5 decodes \uXXXX first.
func named(name string) string {
	if cypher.Plain(name) {
		return name
	}
	return cypher.Quote(ontology.Shorten(name))
}

// storedGraph is the part that is the same in every database.
const storedGraph = `A Neo4j graph. Write one Cypher statement that only reads. Pass every value as a parameter.

NODES
(:AcervoEntity) a thing; further labels: Universal or Personal, and its type. (owner, id) is unique.
  owner STRING, id STRING (its name folded: 'rio_negro'), label STRING (its name as it was said), type STRING, layer STRING ('UNIVERSAL' or 'PERSONAL'),
  status STRING ('complete', 'incomplete', 'pending_verification'), pending_fields LIST<STRING>, source STRING, confidence_for_owner FLOAT,
  aliases LIST<STRING>, owner_digest STRING (the owner in the index acervo_search), created_at, updated_at, verified_at ZONED DATETIME; attributes are properties of their own
(:AcervoFact) a statement about one entity; also Universal or Personal.
  owner STRING, about STRING (the entity's key), text STRING, source STRING, sources LIST<STRING>, confidence FLOAT, owner_digest STRING (of current ones), created_at, valid_from, valid_to ZONED DATETIME
(:AcervoAlias) another name of an entity: owner STRING, id STRING (folded), entity STRING (key), label STRING, owner_digest STRING
(:AcervoEnded) a relation that is over: owner STRING, from STRING, to STRING (keys), type STRING, key STRING, valid_from, valid_to ZONED DATETIME
(:AcervoSession) a conversation: owner STRING, id STRING, turn INTEGER, hot, warm LIST<STRING> (keys, used last first), updated_at ZONED DATETIME
(:AcervoType), (:AcervoRelation) the names listed below: name STRING, origin STRING ('builtin', 'registered', 'auto')

RELATIONSHIPS
(:AcervoEntity)-[:HAS_FACT]->(:AcervoFact) facts that are current
(:AcervoEntity)-[:HAD_FACT]->(:AcervoFact) facts that were corrected or retracted
(:AcervoFact)-[:SUPERSEDES]->(:AcervoFact) a correction and what it replaced
(:AcervoEntity)-[:<relation>]->(:AcervoEntity) relations that are current, one for each owner who stated it:
  owner STRING, layer STRING, source STRING, confidence FLOAT, created_at, last_seen_at, valid_from ZONED DATETIME

RULES
- What everybody shares has the owner 'world' (UNIVERSAL), all else the owner who said it (PERSONAL). One owner sees what is theirs and what is the world's: filter owner IN [$owner, 'world'] on every entity, every fact and every relationship. A PERSONAL fact or relation may be about a UNIVERSAL entity.
- A key names an entity: 'p:' + id is the owner's own, 'w:' + id the UNIVERSAL one.
- What is current needs no filter on time: HAS_FACT, and relationships. For facts by key, add valid_to IS NULL.
- Find by index: entities by (owner, id), (owner, type, id) or (owner, status, id); facts by (owner, about, created_at), with created_at IS NOT NULL; aliases by (owner, id). id is lower case, accents folded, words joined by _.
- A name in quotes below is no plain identifier: compare type(r), labels(e) or a key of properties(e) with it as a parameter.
- No procedures but those for full-text and vector indexes, no LOAD CSV, no USE.

EXAMPLES
-- the current facts about the owner's own entity
MATCH (e:AcervoEntity {owner: $owner, id: $id})-[:HAS_FACT]->(f:AcervoFact) WHERE f.owner = $owner RETURN f.text, f.sources ORDER BY f.created_at
-- what the owner and the world say about a UNIVERSAL entity
MATCH (f:AcervoFact) WHERE f.owner IN [$owner, 'world'] AND f.about = 'w:' + $id AND f.created_at IS NOT NULL AND f.valid_to IS NULL RETURN f.owner, f.text
-- an entity by any of its names
MATCH (e:AcervoEntity) WHERE e.owner IN [$owner, 'world'] AND (e.id = $id OR $name IN e.aliases) RETURN e.label, e.type, e.layer
-- entities of a type
MATCH (e:AcervoEntity) WHERE e.owner = $owner AND e.type = 'Persona' AND e.id IS NOT NULL RETURN e.label, e.id ORDER BY e.id LIMIT 50
-- what has a word, one without punctuation, in a name or a current fact
MATCH (e:AcervoEntity) WHERE e.owner = $owner AND e.id IS NOT NULL WITH e.owner_digest AS digest LIMIT 1 CALL db.index.fulltext.queryNodes('acervo_search', '+owner_digest:' + digest + ' +(label:' + $name + ' text:' + $name + ')', {limit: 10}) YIELD node, score WHERE node.owner = $owner RETURN labels(node), node.id, node.entity, node.about, node.text, score
-- where somebody lives
MATCH (e:AcervoEntity {owner: $owner, id: $id})-[r:VIVE_EN]->(p:AcervoEntity) WHERE r.owner = $owner RETURN p.label, r.valid_from
-- where somebody lived before
MATCH (n:AcervoEnded) WHERE n.owner = $owner AND n.from = 'p:' + $id AND n.key IS NOT NULL AND n.type = 'VIVE_EN' RETURN n.to, n.valid_from, n.valid_to
-- what the owner's conversation is about
MATCH (s:AcervoSession {owner: $owner, id: 'default'}) UNWIND s.hot + s.warm AS key MATCH (e:AcervoEntity {owner: CASE WHEN key STARTS WITH 'w:' THEN 'world' ELSE s.owner END, id: substring(key, 2)}) RETURN e.label, e.type
`
