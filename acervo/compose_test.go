package acervo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/recall"
)

func TestContextKeepsToTheBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var f recalled
		for i := range rapid.IntRange(0, 8).Draw(t, "nodes") {
			n := Node{ID: fmt.Sprint(i), Label: rapid.String().Draw(t, "label"), Type: "Persona", Layer: layers.Personal}
			for range rapid.IntRange(0, 5).Draw(t, "facts") {
				n.Facts = append(n.Facts, StoredFact{Text: rapid.String().Draw(t, "text"), Source: "user", Layer: layers.Personal, Confidence: 1})
			}
			for j := range rapid.IntRange(0, 5).Draw(t, "relations") {
				n.Relations = append(n.Relations, NodeRelation{Type: "R", Outgoing: j%2 == 0, RelationDetails: RelationDetails{Layer: layers.Personal, Confidence: 1},
					Neighbor: Neighbor{ID: fmt.Sprint(j), Label: fmt.Sprint("n", j), Type: "Obra", Layer: layers.Universal}})
			}
			if i%3 == 2 {
				f.list = append(f.list, recalledNode{Node: n, Explanation: Explanation{Why: WhyType, By: n.Type}})
			} else {
				f.nodes = append(f.nodes, recalledNode{Node: n, matched: n.Facts[:len(n.Facts)/2], only: i%2 == 0})
			}
		}
		budget := rapid.IntRange(1, 300).Draw(t, "budget")
		q := &question{budget: budget, explain: true, Query: recall.Query{Relations: []string{"R"}[rapid.IntRange(0, 1).Draw(t, "asked"):]}}
		got := composeContext(f, q, EstimateTokens)
		if got.tokens > budget || got.tokens != EstimateTokens(got.text) {
			t.Fatalf("%d tokens of %d", got.tokens, budget)
		}
		if diff := cmp.Diff(got, composeContext(f, q, nil), cmp.AllowUnexported(composed{})); diff != "" {
			t.Fatalf("the same nodes gave another context:\n%s", diff)
		}
		var lines []string
		for _, l := range got.lines {
			lines = append(lines, l.Line)
		}
		if strings.Join(lines, "\n") != got.text {
			t.Fatalf("the lines that are explained are %q", lines)
		}
		for _, line := range strings.Split(got.text, "\n") {
			if strings.HasPrefix(line, "- the user said: n") && strings.Count(got.text, line+"\n") > 1 {
				t.Fatalf("%q is there twice", line)
			}
		}
	})
}

// TestContextKeepsTheNewestFacts: what was said last is what a small budget is for.
func TestContextKeepsTheNewestFacts(t *testing.T) {
	t.Parallel()
	n := Node{ID: "ana", Label: "Ana", Type: "Persona", Layer: layers.Personal}
	for i, text := range []string{"one", strings.Repeat("long ", 100), "two", "three"} {
		n.Facts = append(n.Facts, StoredFact{Text: text, Source: "user", Layer: layers.Personal, Confidence: 1, CreatedAt: time.Unix(int64(i), 0)})
	}
	for budget, want := range map[int]struct {
		texts   []string
		omitted int
	}{1000: {[]string{"one", "long", "two", "three"}, 0}, 40: {[]string{"one", "two", "three"}, 1}, 12: {[]string{"three"}, 3}} {
		got := composeContext(recalled{nodes: []recalledNode{{Node: n}}}, &question{budget: budget}, nil)
		at := -1
		for _, text := range want.texts {
			i := strings.Index(got.text, ": "+text)
			if i <= at {
				t.Errorf("budget %d: %q isn't there, or not in its order:\n%s", budget, text, got.text)
			}
			at = i
		}
		if got.omitted != want.omitted || strings.Count(got.text, "\n") != len(want.texts) {
			t.Errorf("budget %d leaves out %d:\n%s", budget, got.omitted, got.text)
		}
	}
}

func TestEstimateTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "北京": 2, "año": 2} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("EstimateTokens(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCheckVersion(t *testing.T) {
	t.Parallel()
	for agent, ok := range map[string]bool{
		"Neo4j/5.26.30": true, "Neo4j/5.26.0": true, "Neo4j/5.27-aura": true, "Neo4j/2026.09.0": true, "Neo4j/2025.01": true,
		"Neo4j/5.25.1": false, "Neo4j/5.9.0": false, "Neo4j/4.4.40": false, "Neo4j/dev": false, "Memgraph/5.26": false, "": false,
	} {
		if err := checkVersion(agent); (err == nil) != ok {
			t.Errorf("%s: %v", agent, err)
		}
	}
}
