package acervo

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
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
	// even if it is warm or cold. Default: the context is of what is hot.
	Message string
	// Budget is how many tokens the context may have. Default 1,000.
	Budget int
	// Recall says how the context is found. Default RecallSmart.
	Recall Recall
	// Explain asks for the reason of each line of the context.
	Explain bool
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
	// Explain has the reason of each line of the context, if it was asked for.
	Explain []Explanation `json:"explain,omitempty"`
}

// Materialize makes the context of a session without changing it: what the
// message asks for ([RecallSmart]), or what it names and then what is hot, those
// used last first ([RecallStrict]). Each entity has its newest facts and some
// relations, then there is a line for each neighbor; nothing twice, within the
// budget. The cost doesn't depend on how many entities, facts and relations there
// are.
func (m *Memory) Materialize(ctx context.Context, params MaterializeParams) (*MaterializeResult, error) {
	result, err := m.materialize(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("materialize: %w", err)
	}
	return result, nil
}

func (m *Memory) materialize(ctx context.Context, params MaterializeParams) (*MaterializeResult, error) {
	faults := append(m.checkSession(), checkMessage(params.Message, params.Budget)...)
	if err := joinFaults(append(faults, checkRecall(params.Recall)...)); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	q := m.ask(params.Message, params.Recall, params.Budget, params.Explain)
	transact := m.client.once
	if len(q.Relations) > 0 {
		transact = m.client.transact // which may be several statements
	}
	var result *MaterializeResult
	err := transact(ctx, neo4j.AccessModeRead, cypher.ContextMaterialize.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.ContextMaterialize, m.contextValues(q))
		if err != nil {
			return err
		}
		answer := records[0].AsMap()
		if err := m.relate(ctx, r, q, answer); err != nil {
			return err
		}
		made := m.materialized(answer, q)
		result = &made
		return nil
	})
	return result, err
}

// contextValues are the parameters that the statements of a context share.
func (m *Memory) contextValues(q *question) map[string]any {
	values := q.values()
	values["owner"], values["session"], values["at"] = m.owner, m.session, m.asOf()
	return values
}

// materialized makes the result of what a statement read.
func (m *Memory) materialized(answer map[string]any, q *question) MaterializeResult {
	text := composeContext(q.find(answer), q, m.client.opts.CountTokens)
	return MaterializeResult{
		Turn: intOf(answer["turn"]), Mentioned: idsOf(stringsOf(answer["mentioned"])),
		Hot: idsOf(stringsOf(answer["hot"])), Warm: idsOf(stringsOf(answer["warm"])),
		Context: text.text, Tokens: text.tokens, Omitted: text.omitted, Explain: text.lines,
	}
}
