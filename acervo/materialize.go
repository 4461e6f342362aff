package acervo

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

// What a context is made of at the most.
const (
	contextNodes     = 64
	contextFacts     = 12 // of a node
	contextRelations = 12 // of a node
)

// MaterializeParams says for what a context is made.
type MaterializeParams struct {
	// Message is what the user said, up to 64 KiB. What it names is in the context
	// even if it is warm or cold. Default: nothing is named.
	Message string
	// Budget is how many tokens the context may have. Default 1,000.
	Budget int
}

// MaterializeResult is what a model should know.
type MaterializeResult struct {
	// Turn counts the session's turns; 0 before the first.
	Turn int64 `json:"turn"`
	// Mentioned are the ids of what the message names, in its order.
	Mentioned []string `json:"mentioned"`
	// Hot and Warm are ids, those used last first.
	Hot  []string `json:"hot"`
	Warm []string `json:"warm"`
	// Context is the text for the model, empty if there is nothing to say.
	Context string `json:"context"`
	// Tokens is how many the context has, Omitted how many of its lines were left
	// out for the budget.
	Tokens  int `json:"tokens"`
	Omitted int `json:"omitted"`
}

// Materialize makes the context of a session without changing it: what the
// message names, then what is hot, those used last first, each with its newest
// facts and some relations, then a line for each neighbor; nothing twice, within
// the budget. The cost doesn't depend on how many facts and relations there are.
func (m *Memory) Materialize(ctx context.Context, params MaterializeParams) (*MaterializeResult, error) {
	result, err := m.materialize(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("materialize: %w", err)
	}
	return result, nil
}

func (m *Memory) materialize(ctx context.Context, params MaterializeParams) (*MaterializeResult, error) {
	if err := joinFaults(append(m.checkSession(), checkMessage(params.Message, params.Budget)...)); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	var result *MaterializeResult
	err := m.client.once(ctx, neo4j.AccessModeRead, cypher.ContextMaterialize.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.ContextMaterialize, m.contextValues(params.Message))
		if err != nil {
			return err
		}
		made := m.materialized(records[0].AsMap(), params.Budget)
		result = &made
		return nil
	})
	return result, err
}

// contextValues are the parameters that the statements of a context share.
func (m *Memory) contextValues(message string) map[string]any {
	return map[string]any{
		"owner": m.owner, "session": m.session, "at": m.asOf(), "starts": starts(ontology.Grams(message, ontology.MaxWords)),
		"nodes": int64(contextNodes), "facts": int64(contextFacts + 1), "relations": int64(contextRelations + 1),
	}
}

// materialized makes the result of what a statement read.
func (m *Memory) materialized(answer map[string]any, budget int) MaterializeResult {
	details := mapsOf(answer["details"])
	nodes := make([]Node, len(details))
	for i, d := range details {
		nodes[i] = decodeNode(d, contextFacts, contextRelations)
	}
	text := composeContext(nodes, orDefault(budget, 1000), m.client.opts.CountTokens)
	return MaterializeResult{
		Turn: intOf(answer["turn"]), Mentioned: idsOf(stringsOf(answer["mentioned"])),
		Hot: idsOf(stringsOf(answer["hot"])), Warm: idsOf(stringsOf(answer["warm"])),
		Context: text.text, Tokens: text.tokens, Omitted: text.omitted,
	}
}
