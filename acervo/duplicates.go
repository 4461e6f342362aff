package acervo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/unicode/norm"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// Why two entities may be one.
const (
	// ReasonSameName: they have the same name, and different types or layers.
	ReasonSameName = "same_name"
	// ReasonAlias: an alias of one is the name or an alias of the other.
	ReasonAlias = "alias"
	// ReasonAccent: their names differ by nothing but accents and the like.
	ReasonAccent = "accent"
	// ReasonEditDistance: their names differ by one letter, from eight letters on
	// by two. Names that differ by a number or a word of one letter don't count.
	ReasonEditDistance = "edit_distance"
)

// DuplicatesParams says how likely duplicates are listed.
type DuplicatesParams struct {
	// Limit is how many pairs a page holds, at most 1,000. Default 100.
	Limit int
	// After is Next of the page before. Default: the first page.
	After string
}

// DuplicatesResult is one page of likely duplicates.
type DuplicatesResult struct {
	Pairs []DuplicatePair `json:"pairs"`
	// Next is After of the next page, empty after the last.
	Next string `json:"next,omitempty"`
}

// DuplicatePair are two entities that may be one.
type DuplicatePair struct {
	A Neighbor `json:"a"`
	B Neighbor `json:"b"`
	// Reason is one of the Reason constants.
	Reason string `json:"reason"`
	// Distance counts the letters that differ, for [ReasonEditDistance].
	Distance int `json:"distance,omitempty"`
}

// Duplicates lists entities that may be one: pairs of the owner's own, and of
// one of their own and a UNIVERSAL one of the same name; pairs of UNIVERSAL
// entities for [Client.World]. It merges nothing; see [Memory.Merge]. It reads the
// names of every entity of the owner, about 300 bytes each, and compares names
// only where a part of them is equal.
func (m *Memory) Duplicates(ctx context.Context, params DuplicatesParams) (*DuplicatesResult, error) {
	result, err := m.duplicates(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("duplicates: %w", err)
	}
	return result, nil
}

// scanned is how many names one read gives.
const scanned = 5000

func (m *Memory) duplicates(ctx context.Context, params DuplicatesParams) (*DuplicatesResult, error) {
	if err := joinFaults(m.checkNow()); err != nil {
		return nil, err
	}
	limit, after, err := page(params.Limit, params.After, 2)
	if err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	var names []namedEntity
	if err := m.pages(ctx, cypher.EntityScan, 1, scanned, func(answer map[string]any) error {
		names = append(names, newNamedEntity(mapOf(answer["entity"])))
		return nil
	}); err != nil {
		return nil, err
	}
	pairs := likelyPairs(names)
	if !m.world {
		shared, err := m.alsoUniversal(ctx, names)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, shared...)
	}
	slices.SortFunc(pairs, comparePairs)
	result := &DuplicatesResult{Pairs: []DuplicatePair{}}
	for _, p := range pairs {
		place := []string{string(p.A.Key()), string(p.B.Key())}
		if slices.Compare(place, after) <= 0 {
			continue
		}
		if len(result.Pairs) == limit {
			end := result.Pairs[limit-1]
			result.Next = position(string(end.A.Key()), string(end.B.Key()))
			break
		}
		result.Pairs = append(result.Pairs, p)
	}
	return result, nil
}

func comparePairs(a, b DuplicatePair) int {
	return cmp.Or(cmp.Compare(a.A.Key(), b.A.Key()), cmp.Compare(a.B.Key(), b.B.Key()))
}

// alsoUniversal pairs entities of an owner's own with UNIVERSAL ones of their names.
func (m *Memory) alsoUniversal(ctx context.Context, names []namedEntity) ([]DuplicatePair, error) {
	var pairs []DuplicatePair
	for chunk := range slices.Chunk(names, scanned) {
		rows := make([]map[string]any, len(chunk))
		for i, n := range chunk {
			rows[i] = map[string]any{"i": int64(i), "id": n.name, "name": true, "type": nil}
		}
		var found []DuplicatePair
		if err := m.client.read(ctx, cypher.EntityFind.Name, func(r runner) error {
			records, err := r.run(ctx, cypher.EntityFind, map[string]any{"owner": layers.WorldOwner, "rows": rows})
			found = found[:0]
			for _, record := range records {
				answer := record.AsMap()
				found = append(found, DuplicatePair{A: chunk[intOf(answer["i"])].Neighbor, B: decodeNeighbor(mapOf(answer["entity"])), Reason: ReasonSameName})
			}
			return err
		}); err != nil {
			return nil, err
		}
		pairs = append(pairs, found...)
	}
	return pairs, nil
}

// namedEntity is an entity with the ids of its names.
type namedEntity struct {
	Neighbor
	name    string // the id of its label
	aliases []string
}

func newNamedEntity(p map[string]any) namedEntity {
	n := namedEntity{Neighbor: decodeNeighbor(p)}
	var err error
	if n.name, err = ontology.ID(n.Label); err != nil {
		n.name = n.ID
	}
	for _, a := range stringsOf(p["aliases"]) {
		if id, err := ontology.ID(a); err == nil && id != n.name {
			n.aliases = with(n.aliases, id)
		}
	}
	return n
}

// pairing collects pairs, each once, with the first reason that is found.
type pairing struct {
	names []namedEntity
	pairs map[[2]int]DuplicatePair
}

func (p *pairing) add(i, j int, reason string, distance int) {
	if i == j {
		return
	}
	if i > j {
		i, j = j, i
	}
	if _, ok := p.pairs[[2]int{i, j}]; !ok {
		p.pairs[[2]int{i, j}] = DuplicatePair{A: p.names[i].Neighbor, B: p.names[j].Neighbor, Reason: reason, Distance: distance}
	}
}

// likelyPairs finds the entities of one space, sorted by id, that may be one.
func likelyPairs(names []namedEntity) []DuplicatePair {
	p := &pairing{names: names, pairs: map[[2]int]DuplicatePair{}}
	p.equal(func(n namedEntity) string { return n.name }, ReasonSameName)
	p.aliases()
	p.equal(func(n namedEntity) string { return withoutMarks(n.name) }, ReasonAccent)
	p.near()
	pairs := make([]DuplicatePair, 0, len(p.pairs))
	for _, pair := range p.pairs {
		pairs = append(pairs, pair)
	}
	return pairs
}

// equal pairs each entity with the ones before it that have the same key.
func (p *pairing) equal(key func(namedEntity) string, reason string) {
	seen := map[string][]int{}
	for i, n := range p.names {
		k := key(n)
		for _, j := range seen[k] {
			p.add(j, i, reason, 0)
		}
		seen[k] = append(seen[k], i)
	}
}

func (p *pairing) aliases() {
	byName := map[string][]int{}
	for i, n := range p.names {
		byName[n.name] = append(byName[n.name], i)
		if n.ID != n.name {
			byName[n.ID] = append(byName[n.ID], i)
		}
		for _, a := range n.aliases {
			byName[a] = append(byName[a], i)
		}
	}
	for i, n := range p.names {
		for _, a := range n.aliases {
			for _, j := range byName[a] {
				p.add(i, j, ReasonAlias, 0)
			}
		}
	}
}

// withoutMarks drops every combining mark, that of ñ too.
func withoutMarks(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(id))
}

// allowed is how many letters of a name of some length may differ.
func allowed(length int) int {
	switch {
	case length < 4:
		return 0
	case length < 8:
		return 1
	}
	return 2
}

// fixed gives what has to be equal in two names for them to be near: numbers and
// words of one letter tell things of one kind apart, as Rev A and Rev B.
func fixed(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "_") {
		if len([]rune(word)) == 1 || strings.ContainsFunc(word, unicode.IsDigit) {
			b.WriteString(word + "_")
		}
	}
	return b.String()
}

// near pairs names by their edit distance. A name that k letters may differ in
// is cut into k+1 parts: a near one holds one of them unchanged, at most k places
// away. So only names that share such a part are compared.
func (p *pairing) near() {
	type part struct {
		length, number int
		text, fixed    string
	}
	order := make([]int, len(p.names))
	for i := range order {
		order[i] = i
	}
	runes := make([][]rune, len(p.names))
	for i, n := range p.names {
		runes[i] = []rune(n.name)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(runes[a]), len(runes[b])) })
	index := map[part][]int{}
	for _, i := range order {
		name, same := runes[i], fixed(p.names[i].name)
		far := allowed(len(name))
		compared := map[int]bool{}
		for length := max(4, len(name)-far); length <= len(name); length++ {
			k := allowed(length)
			for number := range k + 1 {
				from, to := number*length/(k+1), (number+1)*length/(k+1)
				for start := max(0, from-far); start <= from+far && start+to-from <= len(name); start++ {
					for _, j := range index[part{length, number, string(name[start : start+to-from]), same}] {
						if compared[j] {
							continue
						}
						compared[j] = true
						p.compare(i, j, min(far, k))
					}
				}
			}
		}
		if far == 0 {
			continue
		}
		for number := range far + 1 {
			from, to := number*len(name)/(far+1), (number+1)*len(name)/(far+1)
			key := part{len(name), number, string(name[from:to]), same}
			index[key] = append(index[key], i)
		}
	}
}

func (p *pairing) compare(i, j, far int) {
	a, b := p.names[i], p.names[j]
	if a.Type != b.Type && a.Type != ontology.Unknown && b.Type != ontology.Unknown {
		return
	}
	if d := levenshtein.ComputeDistance(a.name, b.name); d > 0 && d <= far {
		p.add(i, j, ReasonEditDistance, d)
	}
}
