package acervo

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/fulltext"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

const (
	// searchWindow is how many names, and how many facts, of those found a search
	// ranks.
	searchWindow = 500
	maxSearch    = 100 // hits of a page
	matchedFacts = 5   // of a hit
)

// SearchParams says what is searched for.
type SearchParams struct {
	// Text is what somebody asks, in words of any language, up to 64 KiB. It is
	// never read as a query language.
	Text string
	// Limit is how many entities a page holds, at most 100. Default 10.
	Limit int
	// Offset is how many entities are passed over; with Limit, at most 500.
	// Default 0: the first page.
	Offset int
}

// SearchResult is one page of what a search found.
type SearchResult struct {
	// Hits are entities, best first; those of one score by their keys. They are
	// empty if nothing is found.
	Hits []SearchHit `json:"hits"`
	// More says that there are more, with Offset.
	More bool `json:"more"`
}

// SearchHit is an entity that was found by a name or by its current facts.
type SearchHit struct {
	// Node has its 10 newest facts and 10 relations at the most.
	Node Node `json:"node"`
	// Score ranks the hits of one search: from 0 to 1 by its words, and 1 more for
	// what the text names.
	Score float64 `json:"score"`
	// Named: the text has a name of the entity in it, as a message of a turn has.
	Named bool `json:"named"`
	// Facts are those that were found, best first, 5 at the most.
	Facts []StoredFact `json:"facts"`
	// Highlights say where the words are, in the label, the aliases and Facts.
	Highlights []Highlight `json:"highlights"`
}

// Highlight is a text of a hit with the places of the words that were searched for.
type Highlight struct {
	// Field is "label", "alias" or "fact".
	Field string `json:"field"`
	Text  string `json:"text"`
	// Ranges are in bytes of Text (UTF-8), in their order, and don't overlap.
	Ranges []fulltext.Range `json:"ranges"`
}

// Search finds entities by their names and by the current facts about them that the
// owner sees: without regard to case and accents, in any script, and by Spanish and
// English forms of a word ("canciones" finds "canción"). What the text names comes
// first, then what has more of its words and rarer ones. Words such as "the" and "que"
// count only if there is nothing else. Of the names, and of the facts, that are found
// the best 500 count.
//
// A search sees what was committed before it. It knows no other time than now.
func (m *Memory) Search(ctx context.Context, params SearchParams) (*SearchResult, error) {
	op := m.search(params)
	if err := joinFaults(op.faults); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	var result *SearchResult
	if err := m.client.once(ctx, neo4j.AccessModeRead, cypher.SearchFind.Name, func(r runner) (err error) {
		result, err = op.run(ctx, r)
		return err
	}); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return result, nil
}

// SearchTx is [Memory.Search] in a transaction of the caller. What that one wrote is
// found by its names, and by its words once it is committed.
func (m *Memory) SearchTx(ctx context.Context, tx Tx, params SearchParams) (*SearchResult, error) {
	return inTx(ctx, m, tx, "search", m.search(params))
}

func (m *Memory) search(params SearchParams) operation[SearchResult] {
	params.Limit = orDefault(params.Limit, 10)
	faults := append(m.checkNow(), params.check()...)
	return operation[SearchResult]{faults: faults, single: true, run: func(ctx context.Context, r runner) (*SearchResult, error) {
		query := fulltext.Parse(params.Text)
		records, err := r.run(ctx, cypher.SearchFind, map[string]any{
			"owner": m.owner, "session": m.session, "starts": starts(ontology.Grams(params.Text, ontology.MaxWords)),
			"names": m.visible(query.Lucene("label")), "statements": m.visible(query.Lucene("text")), "window": int64(searchWindow),
			"offset": int64(params.Offset), "limit": int64(params.Limit + 1), "matched": int64(matchedFacts),
			"at": nil, "facts": int64(listed + 1), "relations": int64(listed + 1),
		})
		if err != nil {
			return nil, err
		}
		result := &SearchResult{Hits: make([]SearchHit, 0, len(records)), More: len(records) > params.Limit}
		for _, record := range records[:min(len(records), params.Limit)] {
			result.Hits = append(result.Hits, decodeHit(record.AsMap(), query, params.Text))
		}
		return result, nil
	}}
}

func (p *SearchParams) check() []*FieldError {
	var faults []*FieldError
	if rule := ontology.CheckText(p.Text, ontology.MaxText); rule != "" {
		faults = append(faults, &FieldError{Index: -1, Field: "text", Value: ontology.Shorten(p.Text), Rule: rule})
	}
	switch {
	case p.Limit > maxSearch:
		faults = append(faults, &FieldError{Index: -1, Field: "limit", Value: fmt.Sprint(p.Limit), Rule: fmt.Sprintf("is more than %d", maxSearch)})
	case p.Offset < 0:
		faults = append(faults, &FieldError{Index: -1, Field: "offset", Value: fmt.Sprint(p.Offset), Rule: "is negative"})
	case p.Offset > searchWindow-p.Limit:
		faults = append(faults, &FieldError{Index: -1, Field: "offset", Value: fmt.Sprint(p.Offset), Rule: fmt.Sprintf("and limit are more than %d", searchWindow)})
	}
	return faults
}

// visible lets a query of the full-text index find what the owner sees and nothing
// else; an empty one stays empty.
func (m *Memory) visible(query string) string {
	if query == "" {
		return ""
	}
	// ^0: it is a condition, and no reason to come first.
	return fmt.Sprintf("+owner_digest:(%s %s)^0 +(%s)", ownerDigest(m.owner), ownerDigest(layers.WorldOwner), query)
}

func decodeHit(answer map[string]any, query fulltext.Query, text string) SearchHit {
	hit := SearchHit{
		Node: decodeNode(answer, listed, listed), Score: floatOf(answer["score"]), Named: boolOf(answer["named"]),
		Facts: []StoredFact{}, Highlights: []Highlight{},
	}
	var named map[string]bool
	if hit.Named {
		named = map[string]bool{}
		for _, g := range ontology.Grams(text, ontology.MaxWords) {
			named[g.ID] = true
		}
	}
	highlight := func(field, s string) {
		ranges := query.Ranges(s)
		if id, err := ontology.ID(s); field != "fact" && err == nil && named[id] {
			ranges = []fulltext.Range{{Start: 0, End: len(s)}}
		}
		if len(ranges) > 0 {
			hit.Highlights = append(hit.Highlights, Highlight{field, s, ranges})
		}
	}
	highlight("label", hit.Node.Label)
	for _, alias := range hit.Node.Aliases {
		highlight("alias", alias)
	}
	for _, f := range mapsOf(answer["matched"]) {
		fact := decodeFact(f)
		hit.Facts = append(hit.Facts, fact)
		highlight("fact", fact.Text)
	}
	return hit
}
