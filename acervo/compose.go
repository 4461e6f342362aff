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

// composed is the text of a context.
type composed struct {
	text            string
	tokens, omitted int
}

// composer adds lines while the budget lasts.
type composer struct {
	text    strings.Builder
	said    map[string]bool // relations, by their ends and type
	budget  int
	count   func(string) int // nil: EstimateTokens
	tally   tally            // of the text, for EstimateTokens
	omitted int
}

// composeContext writes what a model should know of the nodes: each with its
// facts and relations, then a line for each neighbor. Each line says which layer
// it is of, as "the user said" or "known fact". A relation is written once, as a
// sentence in its own direction, whichever of its ends comes first.
func composeContext(nodes []Node, budget int, count func(string) int) composed {
	c := composer{said: map[string]bool{}, budget: budget, count: count}
	shown := map[layers.Key]bool{}
	for _, n := range nodes {
		shown[n.Key()] = true
	}
	var neighbors []Neighbor
	for i := range nodes {
		n := &nodes[i]
		if !c.add(heading(n) + "\n") {
			c.omitted += len(n.Facts) + len(n.Relations)
			continue
		}
		lines := make([]string, len(n.Facts))
		for i, f := range n.Facts {
			lines[i] = line(f.Layer, f.Source, f.Confidence, f.Text)
		}
		c.last(lines)
		for _, r := range n.Relations {
			c.relation(n, r)
			if !shown[r.Neighbor.Key()] {
				shown[r.Neighbor.Key()] = true
				neighbors = append(neighbors, r.Neighbor)
			}
		}
		if n.MoreFacts || n.MoreRelations {
			c.add("- (more is known)\n")
		}
	}
	for i, n := range neighbors {
		text := "- " + describe(n.Label, n.Type, n.Layer, n.PendingFields) + "\n"
		if i == 0 {
			text = "Related:\n" + text
		}
		c.add(text)
	}
	text := strings.TrimSuffix(c.text.String(), "\n")
	if count == nil {
		count = EstimateTokens
	}
	return composed{text: text, tokens: count(text), omitted: c.omitted}
}

// add adds a text if the budget lasts.
func (c *composer) add(text string) bool {
	tally, fits := c.fits(text)
	if !fits {
		c.omitted++
		return false
	}
	c.tally = tally
	c.text.WriteString(text)
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

// last adds lines in their order; where the budget isn't enough for all, the last
// ones.
func (c *composer) last(lines []string) {
	kept := ""
	for _, line := range slices.Backward(lines) {
		if _, fits := c.fits(line + kept); fits {
			kept = line + kept
		} else {
			c.omitted++
		}
	}
	c.add(kept)
}

// relation adds a sentence for a relation, once.
func (c *composer) relation(n *Node, r NodeRelation) {
	from, to, fromLabel, toLabel := n.Key(), r.Neighbor.Key(), n.Label, r.Neighbor.Label
	if !r.Outgoing {
		from, to, fromLabel, toLabel = to, from, toLabel, fromLabel
	}
	name := fmt.Sprintf("%q %q %q %s", from, r.Type, to, r.Layer)
	if c.said[name] {
		return
	}
	c.said[name] = true
	c.add(line(r.Layer, r.Source, r.Confidence, oneLine(fromLabel)+" "+oneLine(r.Type)+" "+oneLine(toLabel)))
}

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
