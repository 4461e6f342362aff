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

// composed is the text of a context, and why each of its lines is there.
type composed struct {
	text            string
	tokens, omitted int
	lines           []Explanation
}

// composer adds lines while the budget lasts.
type composer struct {
	text    strings.Builder
	said    map[string]bool // relations, by their ends and type
	budget  int
	count   func(string) int // nil: EstimateTokens
	tally   tally            // of the text, for EstimateTokens
	omitted int
	lines   []Explanation
}

// composeContext writes what a model should know: each node with its facts and
// relations, then those of a list, then a line for each neighbor. Each line says
// which layer it is of, as "the user said" or "known fact". A relation is written
// once, as a sentence in its own direction, whichever of its ends comes first; those
// that are asked for come before the facts.
func composeContext(f recalled, q *question, count func(string) int) composed {
	c := composer{said: map[string]bool{}, budget: q.budget, count: count}
	shown := map[layers.Key]bool{}
	for _, n := range append(f.nodes, f.list...) {
		shown[n.Key()] = true
	}
	var neighbors []Neighbor
	var of []string // ids of the nodes that they are neighbors of
	for i := range f.nodes {
		n := &f.nodes[i]
		if !c.add(heading(&n.Node)+"\n", n.why, n.by) {
			c.omitted += len(n.Facts) + min(len(n.Relations), contextRelations)
			continue
		}
		asked := q.order(n)
		for i, r := range n.Relations {
			if i == asked {
				c.facts(n)
			}
			c.relation(q, n, r)
			if !shown[r.Neighbor.Key()] {
				shown[r.Neighbor.Key()] = true
				neighbors, of = append(neighbors, r.Neighbor), append(of, n.ID)
			}
		}
		if asked == len(n.Relations) {
			c.facts(n)
		}
		if n.MoreFacts || n.MoreRelations {
			c.add("- (more is known)\n", WhyEntity, n.ID)
		}
	}
	c.list(f)
	for i, n := range neighbors {
		text := "- " + describe(n.Label, n.Type, n.Layer, n.PendingFields) + "\n"
		if i == 0 {
			text = "Related:\n" + text
		}
		c.add(text, WhyNeighbor, of[i])
	}
	text := strings.TrimSuffix(c.text.String(), "\n")
	if count == nil {
		count = EstimateTokens
	}
	return composed{text: text, tokens: count(text), omitted: c.omitted, lines: c.lines}
}

// add adds a text if the budget lasts.
func (c *composer) add(text string, why Why, by string) bool {
	tally, fits := c.fits(text)
	if !fits {
		c.omitted++
		return false
	}
	c.tally = tally
	c.text.WriteString(text)
	for line := range strings.Lines(text) {
		c.lines = append(c.lines, Explanation{Line: strings.TrimSuffix(line, "\n"), Why: why, By: by})
	}
	return true
}

// fits tells whether the budget lasts for a text, and the tally with it.
func (c *composer) fits(text string) (tally, bool) {
	t := c.tally.with(text)
	if c.count != nil { // any other counter may depend on what stands before
		return t, c.count(c.text.String()+text) <= c.budget
	}
	return t, t.tokens() <= c.budget
}

// facts adds the facts of a node in their order; where the budget isn't enough for
// all, the last ones.
func (c *composer) facts(n *recalledNode) {
	kept := ""
	for _, f := range slices.Backward(n.Facts) {
		line := stated(f)
		if _, fits := c.fits(line + kept); fits {
			kept = line + kept
		} else {
			c.omitted++
		}
	}
	c.add(kept, WhyEntity, n.ID)
}

// list adds as many of the listed nodes as the budget lasts for, and only then
// their facts, those of the first ones first.
func (c *composer) list(f recalled) {
	var headings string
	n := 0
	for ; n < len(f.list); n++ {
		with := headings + heading(&f.list[n].Node) + "\n"
		if _, fits := c.fits(with); !fits {
			break
		}
		headings = with
	}
	c.omitted += len(f.list) - n
	for i := range n {
		node := &f.list[i]
		line := heading(&node.Node) + "\n"
		headings = strings.TrimPrefix(headings, line)
		c.add(line, node.why, node.by)
		kept := ""
		for _, f := range slices.Backward(node.Facts) {
			if _, fits := c.fits(stated(f) + kept + headings); fits {
				kept = stated(f) + kept
			} else {
				c.omitted++
			}
		}
		c.add(kept, WhyEntity, node.ID)
	}
	if f.more && n == len(f.list) && n > 0 {
		c.add("(more is known)\n", WhyType, f.list[n-1].Type)
	}
}

// relation adds a sentence for a relation, once.
func (c *composer) relation(q *question, n *recalledNode, r NodeRelation) {
	from, to, fromLabel, toLabel := n.Key(), r.Neighbor.Key(), n.Label, r.Neighbor.Label
	if !r.Outgoing {
		from, to, fromLabel, toLabel = to, from, toLabel, fromLabel
	}
	name := fmt.Sprintf("%q %q %q %s", from, r.Type, to, r.Layer)
	if c.said[name] {
		return
	}
	c.said[name] = true
	why, by := q.whyRelation(&n.Node, r)
	c.add(line(r.Layer, r.Source, r.Confidence, oneLine(fromLabel)+" "+oneLine(r.Type)+" "+oneLine(toLabel)), why, by)
}

func stated(f StoredFact) string { return line(f.Layer, f.Source, f.Confidence, f.Text) }

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
