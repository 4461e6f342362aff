package acervo

import (
	"context"
	"fmt"
	"maps"
	"slices"

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

// SearchWay is a way in which a search finds or ranks entities.
type SearchWay string

// The ways of a search.
const (
	// ByText finds by the words of names and of current facts.
	ByText SearchWay = "text"
	// ByVectors finds by what texts mean, with [Options.Embedder], what
	// [Client.Reembed] made vectors of.
	ByVectors SearchWay = "vectors"
	// ByGraph ranks what the others find by how far it is from what the text names,
	// or, if it names nothing, from what is hot in the session: being it, one relation
	// away, or two. What is farther isn't ranked.
	ByGraph SearchWay = "graph"
)

// SearchParams says what is searched for.
type SearchParams struct {
	// Text is what somebody asks, in words of any language, up to 64 KiB. It is
	// never read as a query language.
	Text string
	// Ways are how, ByText or ByVectors among them. Default: all if there is an
	// embedder, and vectors that the memory sees; else ByText alone.
	Ways []SearchWay
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
	// Ways are how it was searched.
	Ways []SearchWay `json:"ways"`
	// VectorError says why ByVectors isn't among Ways, if it would be by default but
	// for an error, such as an embedder that doesn't answer.
	VectorError string `json:"vector_error,omitempty"`
}

// SearchHit is an entity that was found.
type SearchHit struct {
	// Node has its 10 newest facts and 10 relations at the most.
	Node Node `json:"node"`
	// Score ranks the hits of one search: from 0 to 1, and 1 more for what the text
	// names. ByText alone, it is by words; else it sums 1/(60+rank) over the ways
	// (reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009).
	Score float64 `json:"score"`
	// Ranks are its places, from 1, in each way that found or ranked it. ByGraph,
	// those of one distance share the best one.
	Ranks map[SearchWay]int `json:"ranks"`
	// Named: the text has a name of the entity in it, as a message of a turn has.
	Named bool `json:"named"`
	// Facts are those that were found by words, best first, 5 at the most.
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
// With [Options.Embedder] and vectors ([Client.Reembed]), the 200 entities whose
// meanings are nearest to the text's count too, and what is near in the graph comes
// before what isn't: see [SearchWay]. Others' vectors hide nothing of the owner's: where
// the owner, or the UNIVERSAL layer, has up to 5,000 vectors, each is compared; where
// there are more, the vector index is asked for up to the 10,000 nearest of all owners,
// and if too few of them are the owner's, the first 5,000 by id are compared. The text
// is sent to the embedder. If that fails, the search goes without, and VectorError says
// so; if Ways name ByVectors, it fails with an [*EmbedderError], or with a
// [*VectorIndexError] if the vectors that are there have other dimensions.
//
// A search sees what was committed before it. It knows no other time than now.
func (m *Memory) Search(ctx context.Context, params SearchParams) (*SearchResult, error) {
	s := m.search(params)
	if err := joinFaults(s.faults); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	if err := s.embed(ctx); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	transact := m.client.transact
	if s.plain() {
		transact = m.client.once
	}
	var result *SearchResult
	if err := transact(ctx, neo4j.AccessModeRead, cypher.SearchFind.Name, func(r runner) (err error) {
		result, err = s.run(ctx, r)
		return err
	}); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return result, nil
}

// SearchTx is [Memory.Search] in a transaction of the caller. What that one wrote is
// found by its names, and by its words once it is committed. The transaction is open
// while the embedder works.
func (m *Memory) SearchTx(ctx context.Context, tx Tx, params SearchParams) (*SearchResult, error) {
	s := m.search(params)
	return inTx(ctx, m, tx, "search", operation[SearchResult]{faults: s.faults, run: func(ctx context.Context, r runner) (*SearchResult, error) {
		if err := s.embed(ctx); err != nil {
			return nil, err
		}
		return s.run(ctx, r)
	}})
}

// searching is one search.
type searching struct {
	m      *Memory
	params SearchParams
	faults []*FieldError
	query  fulltext.Query
	grams  []ontology.Gram
	chosen bool // the caller said by which ways
	vector []float32
	failed error // of the embedder, if the search goes on without
}

func (m *Memory) search(params SearchParams) *searching {
	params.Limit = orDefault(params.Limit, 10)
	s := &searching{m: m, params: params, query: fulltext.Parse(params.Text), grams: ontology.Grams(params.Text, ontology.MaxWords), chosen: len(params.Ways) > 0}
	s.faults = append(m.checkNow(), params.check()...)
	switch {
	case !s.chosen && m.client.opts.Embedder != nil:
		s.params.Ways = []SearchWay{ByText, ByVectors, ByGraph}
	case !s.chosen:
		s.params.Ways = []SearchWay{ByText}
	}
	if s.by(ByVectors) {
		s.faults = append(s.faults, m.client.checkEmbedder()...)
	}
	return s
}

func (s *searching) by(w SearchWay) bool { return slices.Contains(s.params.Ways, w) }

// plain reports whether one statement is enough: nothing has to be fused.
func (s *searching) plain() bool { return len(s.params.Ways) == 1 && s.by(ByText) }

// embed makes the vector of the text.
func (s *searching) embed(ctx context.Context) error {
	if !s.by(ByVectors) {
		return nil
	}
	vectors, err := s.m.client.embed(ctx, []string{s.params.Text}, 0)
	if err != nil {
		return s.without(ctx, err)
	}
	s.vector = vectors[0]
	return nil
}

// without has the search go on without vectors, unless they were asked for.
func (s *searching) without(ctx context.Context, err error) error {
	if s.chosen || ctx.Err() != nil {
		return err
	}
	s.params.Ways, s.failed = []SearchWay{ByText}, err
	return nil
}

func (s *searching) run(ctx context.Context, r runner) (*SearchResult, error) {
	var near []string
	if s.by(ByVectors) {
		var err error
		if near, err = s.m.nearest(ctx, r, s.m.client.opts.Embedder.Model(), s.vector); err != nil {
			return nil, err
		}
		if len(near) == 0 {
			if err := s.noVectors(ctx, r); err != nil {
				return nil, err
			}
		}
	}
	if !s.plain() {
		return s.fused(ctx, r, near)
	}
	records, err := r.run(ctx, cypher.SearchFind, s.values(map[string]any{
		"offset": int64(s.params.Offset), "limit": int64(s.params.Limit + 1),
		"at": nil, "facts": int64(listed + 1), "relations": int64(listed + 1),
	}))
	if err != nil {
		return nil, err
	}
	result := s.result(len(records) > s.params.Limit)
	for i, record := range records[:min(len(records), s.params.Limit)] {
		answer := record.AsMap()
		result.Hits = append(result.Hits, s.hit(SearchHit{
			Node: decodeNode(answer, listed, listed), Score: floatOf(answer["score"]), Named: boolOf(answer["named"]),
			Ranks: map[SearchWay]int{ByText: s.params.Offset + i + 1},
		}, mapsOf(answer["matched"])))
	}
	return result, nil
}

// noVectors says why no vector was found, if it is for the dimensions of the text's.
func (s *searching) noVectors(ctx context.Context, r runner) error {
	index, err := vectorIndex(ctx, r)
	if err != nil {
		return err
	}
	if index.there && index.dimensions != len(s.vector) {
		return s.without(ctx, &VectorIndexError{Stored: index.dimensions, Dimensions: len(s.vector)})
	}
	return s.without(ctx, nil)
}

// values are the parameters that the statements of a search share.
func (s *searching) values(others map[string]any) map[string]any {
	values := map[string]any{
		"owner": s.m.owner, "session": s.m.session, "starts": starts(s.grams),
		"names": s.m.visible(s.query.Lucene("label")), "statements": s.m.visible(s.query.Lucene("text")),
		"window": int64(searchWindow), "matched": int64(matchedFacts),
	}
	maps.Copy(values, others)
	return values
}

func (s *searching) result(more bool) *SearchResult {
	result := &SearchResult{Hits: []SearchHit{}, More: more, Ways: s.params.Ways}
	if s.failed != nil {
		result.VectorError = s.failed.Error()
	}
	return result
}

// fused ranks what the ways find by all of them.
func (s *searching) fused(ctx context.Context, r runner, near []string) (*SearchResult, error) {
	records, err := r.run(ctx, cypher.SearchRank, s.values(nil))
	if err != nil {
		return nil, err
	}
	answer := records[0].AsMap()
	named, seeds := stringsOf(answer["mentioned"]), stringsOf(answer["mentioned"])
	if len(seeds) == 0 {
		seeds = stringsOf(answer["hot"])
	}
	facts := map[string][]map[string]any{}
	ranked := map[SearchWay]map[string]int{ByText: {}, ByVectors: placed(near)}
	if s.by(ByText) {
		var found []string
		for _, f := range mapsOf(answer["found"]) {
			key := stringOf(f["key"])
			found, facts[key] = append(found, key), mapsOf(f["facts"])
		}
		ranked[ByText] = placed(found)
	}
	if s.by(ByGraph) && len(seeds) > 0 {
		if ranked[ByGraph], err = s.distances(ctx, r, seeds[:min(len(seeds), graphSeeds)]); err != nil {
			return nil, err
		}
	}
	hits := fuse(ranked, named)
	page := hits[min(len(hits), s.params.Offset):min(len(hits), s.params.Offset+s.params.Limit)]
	keys := make([]string, len(page))
	for i, h := range page {
		keys[i] = h.key
	}
	nodes, err := s.m.details(ctx, r, detailQuery{keys: keys, facts: listed, relations: listed})
	if err != nil {
		return nil, err
	}
	byKey := make(map[string]Node, len(nodes))
	for _, n := range nodes {
		byKey[string(n.Key())] = n
	}
	result := s.result(len(hits) > s.params.Offset+s.params.Limit)
	for _, h := range page {
		if n, ok := byKey[h.key]; ok { // or it was removed meanwhile
			result.Hits = append(result.Hits, s.hit(SearchHit{Node: n, Score: h.score, Named: slices.Contains(named, h.key), Ranks: h.ranks}, facts[h.key]))
		}
	}
	return result, nil
}

// How far a search looks around in the graph.
const (
	graphSeeds   = 10  // entities from which it looks
	graphEach    = 30  // relations of an entity
	graphThrough = 100 // entities whose relations are the second ones
)

// distances gives entities by how many relations away they are.
func (s *searching) distances(ctx context.Context, r runner, seeds []string) (map[string]int, error) {
	records, err := r.run(ctx, cypher.SearchAround, map[string]any{
		"owner": s.m.owner, "keys": seeds, "each": int64(graphEach), "most": int64(graphThrough),
	})
	if err != nil {
		return nil, err
	}
	answer := records[0].AsMap()
	distances := map[string]int{}
	for distance, keys := range [][]string{seeds, stringsOf(answer["near"]), stringsOf(answer["far"])} {
		for _, key := range keys {
			if _, nearer := distances[key]; !nearer {
				distances[key] = distance
			}
		}
	}
	return distances, nil
}

func (p *SearchParams) check() []*FieldError {
	var faults []*FieldError
	if rule := ontology.CheckText(p.Text, ontology.MaxText); rule != "" {
		faults = append(faults, &FieldError{Index: -1, Field: "text", Value: ontology.Shorten(p.Text), Rule: rule})
	}
	for i, w := range p.Ways {
		if w != ByText && w != ByVectors && w != ByGraph || slices.Contains(p.Ways[:i], w) {
			faults = append(faults, &FieldError{Index: -1, Field: "ways", Value: ontology.Shorten(string(w)), Rule: "is none of text, vectors and graph, or is there twice"})
		}
	}
	if len(p.Ways) == 1 && p.Ways[0] == ByGraph {
		faults = append(faults, &FieldError{Index: -1, Field: "ways", Value: string(ByGraph), Rule: "ranks what others find: it needs text or vectors"})
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

// hit gives a hit the facts by which it was found, and the highlights.
func (s *searching) hit(hit SearchHit, facts []map[string]any) SearchHit {
	hit.Facts, hit.Highlights = []StoredFact{}, []Highlight{}
	var named map[string]bool
	if hit.Named {
		named = map[string]bool{}
		for _, g := range s.grams {
			named[g.ID] = true
		}
	}
	highlight := func(field, text string) {
		ranges := s.query.Ranges(text)
		if id, err := ontology.ID(text); field != "fact" && err == nil && named[id] {
			ranges = []fulltext.Range{{Start: 0, End: len(text)}}
		}
		if len(ranges) > 0 {
			hit.Highlights = append(hit.Highlights, Highlight{field, text, ranges})
		}
	}
	highlight("label", hit.Node.Label)
	for _, alias := range hit.Node.Aliases {
		highlight("alias", alias)
	}
	for _, f := range facts {
		fact := decodeFact(f)
		hit.Facts = append(hit.Facts, fact)
		highlight("fact", fact.Text)
	}
	return hit
}
