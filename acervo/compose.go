package acervo

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// EstimateTokens estimates how many tokens a text has for a model: one for every
// four characters of ASCII, and one for each other letter. It is meant to be
// too high rather than too low; give a tokenizer's own counter for exact budgets.
func EstimateTokens(text string) int { return tally{}.with(text).tokens() }

// tally counts letters for [EstimateTokens].
type tally struct{ ascii, other int }

func (t tally) with(text string) tally {
	for _, r := range text {
		if r <= unicode.MaxASCII {
			t.ascii++
		} else {
			t.other++
		}
	}
	return t
}

func (t tally) tokens() int { return (t.ascii+3)/4 + t.other }

// composed is the text of a context, and, if that was asked for, why each of its lines
// is there.
type composed struct {
	text            string
	tokens, omitted int
	lines           []Explanation
}

// composer adds lines while the budget lasts.
type composer struct {
	text      strings.Builder
	question  *question
	said      map[string]bool // relations, by their ends and type
	shown     map[layers.Key]bool
	neighbors []relatedNode
	count     func(string) int // nil: EstimateTokens
	tally     tally            // of the text, for EstimateTokens
	omitted   int
	lines     []Explanation
}

// relatedNode is a neighbor of the node with the id of.
type relatedNode struct {
	Neighbor
	of string
}

// composeContext writes what a model should know: each node with its facts and
// relations, then those of a list, then those that words find, then a line for each
// neighbor. Each line says which layer it is of, as "the user said" or "known fact".
// A relation is written once, as a sentence in its own direction, whichever of its
// ends comes first.
func composeContext(f recalled, q *question, count func(string) int) composed {
	c := composer{question: q, said: map[string]bool{}, shown: map[layers.Key]bool{}, count: count}
	for _, n := range slices.Concat(f.nodes, f.list, f.hits) {
		c.shown[n.Key()] = true
	}
	for i := range f.nodes {
		c.node(&f.nodes[i])
	}
	c.list(f)
	for i := range f.hits {
		c.node(&f.hits[i])
	}
	for i, n := range c.neighbors {
		text := "- " + describe(n.Label, n.Type, n.Layer, n.PendingFields) + "\n"
		if i == 0 {
			text = "Related:\n" + text
		}
		c.add(text, Explanation{Why: WhyNeighbor, By: n.of})
	}
	text := strings.TrimSuffix(c.text.String(), "\n")
	if count == nil {
		count = EstimateTokens
	}
	return composed{text: text, tokens: count(text), omitted: c.omitted, lines: c.lines}
}

// node adds a node: what is asked for of it comes first.
func (c *composer) node(n *recalledNode) {
	asked := c.question.order(n)
	facts, relations := withoutFacts(n.Facts, n.matched), n.Relations
	more := n.MoreFacts || n.MoreRelations
	if n.only {
		more = more || len(facts) > 0 || len(relations) > asked
		facts, relations = nil, relations[:asked]
	}
	if !c.add(heading(&n.Node)+"\n", n.Explanation) {
		c.omitted += len(n.matched) + len(facts) + len(relations)
		return
	}
	for _, r := range relations[:asked] {
		c.relation(n, r)
	}
	for _, f := range n.matched {
		c.add(toldLine(f), Explanation{Why: WhyText, By: n.ID, Score: n.Score})
	}
	c.facts(n.ID, facts)
	for _, r := range relations[asked:] {
		c.relation(n, r)
	}
	if more {
		c.add("- (more is known)\n", Explanation{Why: WhyEntity, By: n.ID})
	}
}

// withoutFacts leaves out facts that are told elsewhere.
func withoutFacts(facts, told []StoredFact) []StoredFact {
	return slices.DeleteFunc(slices.Clone(facts), func(f StoredFact) bool {
		return slices.ContainsFunc(told, func(t StoredFact) bool { return t.Text == f.Text && t.Layer == f.Layer })
	})
}

// add adds a text if the budget lasts.
func (c *composer) add(text string, why Explanation) bool {
	tally, fits := c.fits(text)
	if !fits {
		c.omitted++
		return false
	}
	c.tally = tally
	c.text.WriteString(text)
	if c.question.explain {
		for line := range strings.Lines(text) {
			why.Line = strings.TrimSuffix(line, "\n")
			c.lines = append(c.lines, why)
		}
	}
	return true
}

// fits tells whether the budget lasts for a text, and the tally with it.
func (c *composer) fits(text string) (tally, bool) {
	t := c.tally.with(text)
	if c.count != nil { // any other counter may depend on what stands before
		return t, c.count(c.text.String()+text) <= c.question.budget
	}
	return t, t.tokens() <= c.question.budget
}

// facts adds facts of a node in their order; where the budget isn't enough for all,
// the last ones.
func (c *composer) facts(id string, facts []StoredFact) { c.factsBefore(id, facts, "") }

// factsBefore leaves room for what comes after them.
func (c *composer) factsBefore(id string, facts []StoredFact, after string) {
	kept := ""
	for _, f := range slices.Backward(facts) {
		line := toldLine(f)
		if _, fits := c.fits(line + kept + after); fits {
			kept = line + kept
		} else {
			c.omitted++
		}
	}
	c.add(kept, Explanation{Why: WhyEntity, By: id})
}

// list adds as many of the listed nodes as the budget lasts for, and only then
// their facts, those of the first ones first.
func (c *composer) list(f recalled) {
	headings, n := "", 0
	for ; n < len(f.list); n++ {
		longer := headings + heading(&f.list[n].Node) + "\n"
		if _, fits := c.fits(longer); !fits {
			break
		}
		headings = longer
	}
	c.omitted += len(f.list) - n
	for i := range f.list[:n] {
		node := &f.list[i]
		line := heading(&node.Node) + "\n"
		headings = headings[len(line):]
		c.add(line, node.Explanation)
		c.factsBefore(node.ID, node.Facts, headings)
	}
	if f.more && n > 0 && n == len(f.list) {
		c.add("(more is known)\n", f.list[n-1].Explanation)
	}
}

// relation adds a sentence for a relation, once, and notes the neighbor.
func (c *composer) relation(n *recalledNode, r NodeRelation) {
	from, to, fromLabel, toLabel := n.Key(), r.Neighbor.Key(), n.Label, r.Neighbor.Label
	if !r.Outgoing {
		from, to, fromLabel, toLabel = to, from, toLabel, fromLabel
	}
	name := fmt.Sprintf("%q %q %q %s", from, r.Type, to, r.Layer)
	if !c.said[name] {
		c.said[name] = true
		c.add(line(r.Layer, r.Source, r.Confidence, oneLine(fromLabel)+" "+oneLine(r.Type)+" "+oneLine(toLabel)), c.question.whyRelation(n.ID, r))
	}
	if !c.shown[r.Neighbor.Key()] {
		c.shown[r.Neighbor.Key()] = true
		c.neighbors = append(c.neighbors, relatedNode{r.Neighbor, n.ID})
	}
}

// toldLine is a fact with who says so.
func toldLine(f StoredFact) string { return line(f.Layer, f.Source, f.Confidence, f.Text) }

// heading is the line that a node starts with.
func heading(n *Node) string { return describe(n.Label, n.Type, n.Layer, n.PendingFields) }

func describe(label, typ string, layer layers.Layer, pending []string) string {
	if typ == ontology.Unknown {
		typ = "type unknown"
	}
	text := fmt.Sprintf("%s (%s, %s", oneLine(label), oneLine(typ), layer)
	if len(pending) > 0 {
		text += "; incomplete, missing: " + strings.Join(pending, ", ")
	}
	return text + ")"
}

// line is a statement with who says so.
func line(layer layers.Layer, source string, confidence float64, text string) string {
	said := "the user said"
	switch {
	case layer == layers.Universal:
		said = "known fact"
	case source != layers.SourceUser && source != layers.SourceUserAssertion:
		said = "from " + oneLine(source)
	}
	if confidence < 1 {
		said += fmt.Sprintf(" (confidence %.2g)", confidence)
	}
	return "- " + said + ": " + oneLine(text) + "\n"
}

// oneLine keeps a text from looking like lines of its own.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
