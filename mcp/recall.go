package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/acervo-graph/acervo/acervo"
)

// The bounds of arguments.
const (
	maxBudget = 32_000 // tokens of a context
	maxListed = 200    // facts or relations of a node, or nodes of a page
)

type turnInput struct {
	Message string `json:"message" jsonschema:"what the user said, word for word"`
	TurnID  string `json:"turn_id,omitempty" jsonschema:"an id of this message, if there is one: the same id again changes nothing"`
	Budget  int    `json:"budget,omitempty" jsonschema:"how many tokens the context may have; 1000 if left out"`
}

func (s *service) addTurn() {
	add(s, tool[turnInput, acervo.TurnResult]{
		name: "turn", title: "Take a turn", effect: adds,
		description: "Call it first, once for each message of the user: it ages what was spoken of before, finds what the message names and gives back what is known about it. " +
			"Use that in the answer; then call remember with what the message says that is new.",
		example: turnInput{Message: "How is Lighthouse doing?"},
		schema:  func(f fields) { f.between("budget", 1, maxBudget) },
		run: func(ctx context.Context, _ call, in turnInput) (*acervo.TurnResult, string, error) {
			r, err := s.memory.Turn(ctx, acervo.TurnParams{Message: in.Message, TurnID: in.TurnID, Budget: in.Budget})
			if err != nil {
				return nil, "", err
			}
			return r, contextText(&r.MaterializeResult), nil
		},
	})
}

type contextInput struct {
	Message string `json:"message,omitempty" jsonschema:"what the user said, or the names of what is of interest; what it names is in the context"`
	Budget  int    `json:"budget,omitempty" jsonschema:"how many tokens the context may have; 1000 if left out"`
}

func (s *service) addContext() {
	add(s, tool[contextInput, acervo.MaterializeResult]{
		name: "context", title: "Get the context",
		description: "Gives what is known about what a text names and about what was spoken of last, as turn does, and changes nothing. Call it to look something up in the middle of a turn.",
		example:     contextInput{Message: "Lighthouse and Ada"},
		schema:      func(f fields) { f.between("budget", 1, maxBudget) },
		run: func(ctx context.Context, _ call, in contextInput) (*acervo.MaterializeResult, string, error) {
			r, err := s.memory.Materialize(ctx, acervo.MaterializeParams{Message: in.Message, Budget: in.Budget})
			if err != nil {
				return nil, "", err
			}
			return r, contextText(r), nil
		},
	})
}

func contextText(r *acervo.MaterializeResult) string {
	var l lines
	if r.Context == "" {
		l.add("The memory has nothing about this.")
	} else {
		l.add("%s", r.Context)
	}
	if r.Omitted > 0 {
		l.add("(%d lines left out for the budget)", r.Omitted)
	}
	return l.text()
}

type nodeInput struct {
	Name         string `json:"name,omitempty" jsonschema:"the entity's name or an alias; case and accents don't matter"`
	ID           string `json:"id,omitempty" jsonschema:"its exact id, which counts instead of the name"`
	Type         string `json:"type,omitempty" jsonschema:"its type, where several have the name"`
	MaxFacts     int    `json:"max_facts,omitempty" jsonschema:"how many facts, the newest; 20 if left out"`
	MaxRelations int    `json:"max_relations,omitempty" jsonschema:"how many relations; 20 if left out"`
}

func (s *service) addNode() {
	add(s, tool[nodeInput, acervo.NodeResult]{
		name: "node", title: "Look at an entity",
		description: "Gives all that is known about one entity: its type, attributes, facts with their sources, and its neighbours with the relations to them. Several entities of one name are all given.",
		example:     nodeInput{Name: "Lighthouse"},
		schema: func(f fields) {
			f.between("max_facts", 1, maxListed)
			f.between("max_relations", 1, maxListed)
		},
		run: func(ctx context.Context, _ call, in nodeInput) (*acervo.NodeResult, string, error) {
			r, err := s.node(ctx, in)
			if err != nil {
				return nil, "", err
			}
			return r, nodesText(r.Nodes), nil
		},
	})
}

func (s *service) node(ctx context.Context, in nodeInput) (*acervo.NodeResult, error) {
	const usual = 20
	params := acervo.NodeParams{Name: in.Name, ID: in.ID, Type: in.Type, MaxFacts: in.MaxFacts, MaxRelations: in.MaxRelations}
	for _, n := range []*int{&params.MaxFacts, &params.MaxRelations} {
		if *n == 0 {
			*n = usual
		}
	}
	return s.memory.Node(ctx, params)
}

type pendingInput struct {
	Limit int    `json:"limit,omitempty" jsonschema:"how many entities; 20 if left out"`
	After string `json:"after,omitempty" jsonschema:"next of the page before; left out for the first page"`
}

func (s *service) addPending() {
	add(s, tool[pendingInput, acervo.NodesResult]{
		name: "pending", title: "List incomplete entities",
		description: "Lists the entities whose type isn't known yet, with what is known about them. Where the conversation tells the type, or the user can be asked in passing, call remember with it.",
		example:     pendingInput{Limit: 20},
		schema:      func(f fields) { f.between("limit", 1, maxListed) },
		run: func(ctx context.Context, _ call, in pendingInput) (*acervo.NodesResult, string, error) {
			if in.Limit == 0 {
				in.Limit = 20
			}
			r, err := s.memory.Pending(ctx, acervo.PendingParams{Limit: in.Limit, After: in.After})
			if err != nil {
				return nil, "", err
			}
			text := "Nothing is incomplete."
			if len(r.Nodes) > 0 {
				text = nodesText(r.Nodes)
			}
			if r.Next != "" {
				text += fmt.Sprintf("\nThere are more: call pending again with after %q.", r.Next)
			}
			return r, text, nil
		},
	})
}

func (l *lines) heading(n acervo.Node) {
	l.add("%s (%s, %s, id %s)", oneLine(n.Label), oneLine(n.Type), n.Layer, n.ID)
}

func (l *lines) aliases(n acervo.Node) {
	if len(n.Aliases) > 0 {
		l.add("- aliases: %s", names(n.Aliases, oneLine))
	}
}

func (l *lines) fact(f acervo.StoredFact) {
	l.add("- fact: %s (from %s)", oneLine(f.Text), names(f.Sources, oneLine))
}

// nodesText describes entities.
func nodesText(nodes []acervo.Node) string {
	var l lines
	for _, n := range nodes {
		l.heading(n)
		if len(n.PendingFields) > 0 {
			l.add("- incomplete, missing: %s", strings.Join(n.PendingFields, ", "))
		}
		l.aliases(n)
		for _, name := range slices.Sorted(maps.Keys(n.Attributes)) {
			l.add("- %s: %s", oneLine(name), oneLine(fmt.Sprint(n.Attributes[name])))
		}
		for _, f := range n.Facts {
			l.fact(f)
		}
		if n.MoreFacts {
			l.add("- there are more facts: call node with a higher max_facts")
		}
		for _, r := range n.Relations {
			from, to := n.Label, r.Neighbor.Label
			if !r.Outgoing {
				from, to = to, from
			}
			l.add("- relation: %s %s %s (%s is a %s)", oneLine(from), oneLine(r.Type), oneLine(to), oneLine(r.Neighbor.Label), oneLine(r.Neighbor.Type))
		}
		if n.MoreRelations {
			l.add("- there are more relations: call node with a higher max_relations")
		}
	}
	return l.text()
}
