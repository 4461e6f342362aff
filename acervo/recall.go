package acervo

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/fulltext"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
	"github.com/acervo-graph/acervo/recall"
)

// Recall says how the context of a message is found.
type Recall string

const (
	// RecallSmart takes what the message asks for. What it names comes first, and
	// what was spoken of before stays away. If it names nothing, it is the owner's own
	// entity, the one with the owner's name or with it as an alias, of a message in the
	// first person ("where do I live?"), what the message goes on with ("and where does she live?": what was hot or warm in the
	// turn before), the owner's entities of a type that it speaks of ("which people do
	// I know?") and what its words find ("which instruments do I play?", see
	// [Memory.Search]); without any of these, if it says little by itself ("has
	// children?"), what was hot or warm. Relations that it speaks of come first
	// ("where does Lucía live?"), which takes a transaction of its own statements in
	// place of one round trip. Chat that asks nothing gets nothing. Only the context is
	// another: what becomes hot is the same as with RecallStrict.
	RecallSmart Recall = "smart"
	// RecallStrict takes what the message names and what is hot, nothing more.
	RecallStrict Recall = "strict"
)

// Why says why a line of a context is there.
type Why string

// The reasons for entities, then those for lines about them.
const (
	// WhyNamed: the message names it; By is the name's id.
	WhyNamed Why = "named"
	// WhyAlias: the message names it by an alias; By is the alias.
	WhyAlias Why = "alias"
	// WhyHot: it is hot in the session.
	WhyHot Why = "hot"
	// WhyOwner: it is the owner's own entity, and the message is about who says it.
	WhyOwner Why = "owner"
	// WhyFollowUp: it was hot or warm before, and the message goes on with it.
	WhyFollowUp Why = "follow_up"
	// WhyText: words of the message find it, with a Score.
	WhyText Why = "text"
	// WhyType: the message speaks of its type, By.
	WhyType Why = "type"
	// WhyEntity: a fact or a relation of the entity By, which is there.
	WhyEntity Why = "entity"
	// WhyRelation: the message speaks of the relation By.
	WhyRelation Why = "relation"
	// WhyNeighborType: a relation to an entity of the type By, of which the message
	// speaks.
	WhyNeighborType Why = "neighbor_type"
	// WhyNeighbor: a neighbor of the entity By, which is there.
	WhyNeighbor Why = "neighbor"
)

// Explanation says why a line of a context is there.
type Explanation struct {
	// Line is the line, without its end.
	Line string `json:"line"`
	Why  Why    `json:"why"`
	// By is what it comes from, see [Why]; entities by their ids.
	By string `json:"by,omitempty"`
	// Score ranks what was found by words, from 0 to 1.
	Score float64 `json:"score,omitempty"`
}

// readRelations is how many relations of an entity are read where those that the
// message speaks of are looked for.
const readRelations = 64

// maxRelated is how many of the relations that a message speaks of are looked for in
// statements of their own.
const maxRelated = 3

// What the words of a message find: how many names, and how many facts, are looked
// at, and how many entities there are at the most.
const (
	recallWindow = 100
	recallHits   = 8
)

// maxListed is how many entities of the types that a message speaks of are listed.
const maxListed = 1000

func checkRecall(r Recall) []*FieldError {
	switch r {
	case "", RecallSmart, RecallStrict:
		return nil
	}
	return []*FieldError{{Index: -1, Field: "recall", Value: ontology.Shorten(string(r)), Rule: "is neither smart nor strict"}}
}

// question is a message and what it asks for.
type question struct {
	recall.Query
	text    [2]string // queries for names and for facts
	other   [2]string // without the words for types
	smart   bool
	self    any // the id of the owner's own entity, nil if the message isn't about it
	grams   []ontology.Gram
	budget  int
	explain bool
}

// ask reads a message. Without a message there is nothing to be smart about.
func (m *Memory) ask(message string, mode Recall, budget int, explain bool) *question {
	q := &question{grams: ontology.Grams(message, ontology.MaxWords), budget: orDefault(budget, 1000), explain: explain}
	if q.smart = mode != RecallStrict && strings.TrimSpace(message) != ""; q.smart {
		q.Query = m.client.reader().Read(message)
		if id, err := ontology.ID(m.owner); q.Self && err == nil && m.owner != layers.SourceWorld {
			q.self = id
		}
		if m.at.IsZero() { // the index knows no other time than now
			q.text = m.queries(q.Text)
			if q.other = q.text; q.OtherText != q.Text {
				q.other = m.queries(q.OtherText)
			}
		}
	}
	return q
}

// queries are those of a search for a text in names and in facts.
func (m *Memory) queries(text string) [2]string {
	query := fulltext.Parse(text)
	return [2]string{m.visible(query.Lucene("label")), m.visible(query.Lucene("text"))}
}

// reader reads messages by the ontology as this client last read it.
func (c *Client) reader() *recall.Reader {
	o := c.snapshot()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.messages == nil || c.messages.Ontology() != o {
		c.messages = recall.New(o)
	}
	return c.messages
}

// values are the parameters of the statements that find a context.
func (q *question) values() map[string]any {
	types := make([]map[string]any, len(q.Types))
	for i, t := range q.Types {
		types[i] = map[string]any{"type": t.Type, "words": t.Words}
	}
	return map[string]any{
		"starts": starts(q.grams),
		"ask": map[string]any{
			"self": q.self, "relates": len(q.Relations) > 0,
			"smart": q.smart, "weak": orEmpty(q.Weak), "types": types, "goes_on": q.GoesOn, "elliptical": q.Elliptical, "asks": !q.Chat, "listed": int64(q.listed()),
			"text": q.text[:], "other": q.other[:], "hits": int64(recallHits),
		},
		"window": int64(recallWindow),
		"nodes":  int64(contextNodes), "facts": int64(contextFacts + 1), "relations": int64(q.relations() + 1),
	}
}

// recalled is what a statement found for a question, in the order of the context.
type recalled struct {
	nodes []recalledNode
	list  []recalledNode // of the types
	hits  []recalledNode // by the words of the message
	more  bool           // there are more of the types
}

// recalledNode is an entity and why it is there. Of one that is listed only, there
// may be no more than its heading.
type recalledNode struct {
	Node
	Explanation // without a line
	// matched are facts that the words of the message find; only these are told of an
	// entity that they don't find by its name.
	matched []StoredFact
	only    bool
}

// relate reads relations that a message speaks of, where an entity has more
// relations than were read. A relation whose name isn't plain, and the fourth and
// later ones, are left to those.
func (m *Memory) relate(ctx context.Context, r runner, q *question, answer map[string]any) error {
	hubs := map[string]map[string]any{}
	for _, d := range mapsOf(answer["details"]) {
		key := stringOf(d["key"])
		if layer, _, _ := layers.Key(key).Split(); layer == layers.Personal && len(mapsOf(d["relations"])) > q.relations() {
			hubs[key] = d
		}
	}
	for _, name := range q.Relations[:min(len(q.Relations), maxRelated)] {
		statement, ok := cypher.ContextRelated.For(name)
		if !ok || len(hubs) == 0 {
			continue
		}
		records, err := r.run(ctx, statement, map[string]any{
			"owner": m.owner, "at": m.asOf(), "keys": slices.Sorted(maps.Keys(hubs)), "relations": int64(q.relations()),
		})
		if err != nil {
			return err
		}
		for _, record := range records {
			found := record.AsMap()
			hub := hubs[stringOf(found["key"])]
			relations, _ := found["relations"].([]any)
			for _, relation := range mapsOf(hub["relations"]) {
				if relation["type"] != name {
					relations = append(relations, relation)
				}
			}
			hub["relations"] = relations
		}
	}
	return nil
}

// find makes what a context is made of from what a statement read.
func (q *question) find(answer map[string]any) recalled {
	nodes := map[layers.Key]Node{}
	for _, d := range mapsOf(answer["details"]) {
		n := decodeNode(d, contextFacts, q.relations())
		nodes[n.Key()] = n
	}
	var f recalled
	taken := map[layers.Key]bool{}
	names := map[string]bool{}
	mentioned := stringsOf(answer["mentioned"])
	for _, key := range stringsOf(answer["spoken"]) {
		n, ok := nodes[layers.Key(key)]
		if !ok {
			continue
		}
		taken[n.Key()] = true
		node := recalledNode{Node: n, Explanation: Explanation{Why: WhyHot}}
		switch {
		case slices.Contains(mentioned, key):
			node.Why, node.By = q.named(&n, names)
		case key == stringOf(answer["self"]):
			node.Why = WhyOwner
		case q.smart:
			node.Why = WhyFollowUp
		}
		f.nodes = append(f.nodes, node)
	}
	listed := mapsOf(answer["listed"])
	if f.more = len(listed) == q.listed(); f.more {
		listed = listed[:len(listed)-1]
	}
	wanted := q.openTypes(f.nodes, names)
	for _, l := range listed {
		n, ok := nodes[layers.Key(stringOf(l["key"]))]
		if !ok {
			n = decodeNode(l, 0, 0)
		}
		if !taken[n.Key()] && slices.Contains(wanted, n.Type) {
			taken[n.Key()] = true
			f.list = append(f.list, recalledNode{Node: n, Explanation: Explanation{Why: WhyType, By: n.Type}})
		}
	}
	for _, h := range mapsOf(answer["found"]) {
		n, ok := nodes[layers.Key(stringOf(h["key"]))]
		if !ok || taken[n.Key()] {
			continue
		}
		score := floatOf(h["score"])
		hit := recalledNode{Node: n, Explanation: Explanation{Why: WhyText, Score: score / (1 + score)}, only: !boolOf(h["named"])}
		for _, fact := range mapsOf(h["facts"]) {
			hit.matched = append(hit.matched, decodeFact(fact))
		}
		f.hits = append(f.hits, hit)
	}
	return f
}

// listed is how many entities of types are read at the most: one more than are
// listed.
func (q *question) listed() int { return min(q.budget, maxListed) + 1 }

// relations is how many relations of an entity are read.
func (q *question) relations() int {
	if len(q.Relations)+len(q.Types) > 0 {
		return readRelations
	}
	return contextRelations
}

// named says by which name a message names an entity, and adds the ids of those
// that it uses.
func (q *question) named(n *Node, names map[string]bool) (Why, string) {
	used := func(id string) bool {
		return slices.ContainsFunc(q.grams, func(g ontology.Gram) bool { return g.ID == id })
	}
	why, by := WhyNamed, n.ID
	direct := used(n.ID)
	names[n.ID] = direct
	for _, alias := range append([]string{n.Label}, n.Aliases...) {
		if id, err := ontology.ID(alias); err == nil && used(id) {
			if names[id] = true; !direct {
				why, by, direct = WhyAlias, alias, true
			}
		}
	}
	return why, by
}

// openTypes are the types that a message speaks of by words that belong to no name
// in it, and of which nothing that it speaks of has a neighbor: the neighbor is the
// answer then.
func (q *question) openTypes(nodes []recalledNode, names map[string]bool) []string {
	var open []string
	for _, t := range q.Types {
		inName := false
		for name, used := range names {
			inName = inName || used && strings.Contains("_"+name+"_", "_"+t.Words+"_")
		}
		answered := slices.ContainsFunc(nodes, func(n recalledNode) bool {
			return slices.ContainsFunc(n.Relations, func(r NodeRelation) bool { return r.Neighbor.Type == t.Type })
		})
		if !inName && !answered {
			open = append(open, t.Type)
		}
	}
	return open
}

// order puts the relations first that a message speaks of, then those to entities
// of a type that it speaks of, and keeps as many as a context shows. It says how
// many are asked for.
func (q *question) order(n *recalledNode) int {
	slices.SortStableFunc(n.Relations, func(a, b NodeRelation) int { return cmp.Compare(q.rank(a), q.rank(b)) })
	if len(n.Relations) > contextRelations {
		n.Relations, n.MoreRelations = n.Relations[:contextRelations], true
	}
	asked := 0
	for asked < len(n.Relations) && q.rank(n.Relations[asked]) < notAsked {
		asked++
	}
	return asked
}

// notAsked ranks a relation that a message doesn't speak of.
const notAsked = 1 << 20

func (q *question) rank(r NodeRelation) int {
	if i := slices.Index(q.Relations, r.Type); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(q.Types, func(t recall.TypeMention) bool { return t.Type == r.Neighbor.Type }); i >= 0 {
		return len(q.Relations) + i
	}
	return notAsked
}

// whyRelation says why a relation of an entity is there.
func (q *question) whyRelation(id string, r NodeRelation) Explanation {
	switch {
	case slices.Contains(q.Relations, r.Type):
		return Explanation{Why: WhyRelation, By: r.Type}
	case q.rank(r) < notAsked:
		return Explanation{Why: WhyNeighborType, By: r.Neighbor.Type}
	}
	return Explanation{Why: WhyEntity, By: id}
}
