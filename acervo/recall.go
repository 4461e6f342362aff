package acervo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
	"github.com/acervo-graph/acervo/recall"
)

// Recall says how the context of a message is found.
type Recall string

const (
	// RecallSmart takes what the message asks for. What it names comes first, and
	// what was spoken of before stays away. If it names nothing, it is what the
	// message goes on with ("and where does she live?": what was hot or warm in the
	// turn before), the owner's entities of a type that it speaks of ("which people do
	// I know?"), else what was hot or warm. Relations that it speaks of come first
	// ("where does Lucía live?"). Chat that asks nothing gets nothing. Only the
	// context is another: what becomes hot is the same as with RecallStrict.
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
	// WhyFollowUp: it was hot or warm before, and the message goes on with it.
	WhyFollowUp Why = "follow_up"
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
}

// readRelations is how many relations of an entity are read where those that the
// message speaks of are looked for.
const readRelations = 64

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
	smart   bool
	grams   []ontology.Gram
	budget  int
	explain bool
}

// ask reads a message. Without a message there is nothing to be smart about.
func (m *Memory) ask(message string, mode Recall, budget int, explain bool) *question {
	q := &question{grams: ontology.Grams(message, ontology.MaxWords), budget: orDefault(budget, 1000), explain: explain}
	if q.smart = mode != RecallStrict && strings.TrimSpace(message) != ""; q.smart {
		q.Query = m.client.reader().Read(message)
	}
	return q
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
	types := make([]string, len(q.Types))
	for i, t := range q.Types {
		types[i] = t.Type
	}
	return map[string]any{
		"starts": starts(q.grams),
		"ask": map[string]any{
			"smart": q.smart, "weak": orEmpty(q.Weak), "types": types, "goes_on": q.GoesOn, "asks": !q.Chat, "listed": int64(q.listed()),
		},
		"nodes": int64(contextNodes), "facts": int64(contextFacts + 1), "relations": int64(q.relations() + 1),
	}
}

// recalled is what a statement found for a question, in the order of the context.
type recalled struct {
	nodes []recalledNode
	list  []recalledNode // of the types
	more  bool           // there are more of the types
}

// recalledNode is an entity and why it is there. Of one that is listed only, there
// may be no more than its heading.
type recalledNode struct {
	Node
	why Why
	by  string
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
		node := recalledNode{Node: n, why: WhyHot}
		switch {
		case slices.Contains(mentioned, key):
			node.why, node.by = q.named(&n, names)
		case q.smart:
			node.why = WhyFollowUp
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
			f.list = append(f.list, recalledNode{n, WhyType, n.Type})
		}
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
func (q *question) whyRelation(n *Node, r NodeRelation) (Why, string) {
	switch {
	case slices.Contains(q.Relations, r.Type):
		return WhyRelation, r.Type
	case q.rank(r) < notAsked:
		return WhyNeighborType, r.Neighbor.Type
	}
	return WhyEntity, n.ID
}
