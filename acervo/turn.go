package acervo

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

// TurnParams is what the user said in a turn.
type TurnParams struct {
	// Message is what the user said, up to 64 KiB. What it names becomes hot.
	Message string
	// TurnID, up to 256 bytes, makes the call safe to repeat: the last 64 ids of a
	// session are applied once. Default: a new one with each call, which covers
	// the driver's own retries.
	TurnID string
	// Budget is how many tokens the context may have. Default 1,000.
	Budget int
	// Recall says how the context is found. Default RecallSmart.
	Recall Recall
	// Explain asks for the reason of each line of the context.
	Explain bool
}

// TurnResult is a session after a turn, and what a model should know in it.
type TurnResult struct {
	MaterializeResult
	// Repeated: a turn of this id had been applied, nothing changed; the context is
	// made of the session as it is.
	Repeated bool `json:"repeated"`
}

// Turn does one turn in one transaction: the session ages as in
// [Memory.CycleStatus], what the message names becomes hot, and the context is
// made as by [Memory.Materialize]. What is in the context for another reason, such
// as its type, doesn't become hot: it wasn't named.
func (m *Memory) Turn(ctx context.Context, params TurnParams) (*TurnResult, error) {
	return inSession(ctx, m, cypher.ContextTurn.Name, "turn", m.turn(params))
}

// TurnTx is [Memory.Turn] in a transaction of the caller.
func (m *Memory) TurnTx(ctx context.Context, tx Tx, params TurnParams) (*TurnResult, error) {
	return inTx(ctx, m, tx, "turn", m.turn(params))
}

func (m *Memory) turn(params TurnParams) operation[TurnResult] {
	faults := append(m.checkActive(), checkTurnID(params.TurnID)...)
	faults = append(faults, checkMessage(params.Message, params.Budget)...)
	faults = append(faults, checkRecall(params.Recall)...)
	id := newTurnID(params.TurnID)
	ask := sync.OnceValue(func() *question { return m.ask(params.Message, params.Recall, params.Budget, params.Explain) })
	several := func() bool { return len(ask().Relations) > 0 }
	return operation[TurnResult]{faults: faults, single: true, several: several, run: func(ctx context.Context, r runner) (*TurnResult, error) {
		if err := m.client.knowOntology(ctx, r); err != nil {
			return nil, err
		}
		q := ask()
		values := m.contextValues(q)
		values["turn_id"], values["turn_ids"] = id, int64(rememberedTurns)
		values["hot_limit"], values["now"] = int64(hotLimit), m.client.now()
		records, err := r.run(ctx, cypher.ContextTurn, values)
		if err != nil {
			return nil, err
		}
		answer := records[0].AsMap()
		if err := m.relate(ctx, r, q, answer); err != nil {
			return nil, err
		}
		return &TurnResult{MaterializeResult: m.materialized(answer, q), Repeated: boolOf(answer["repeated"])}, nil
	}}
}

// checkMessage checks a message, which may be empty, and a budget.
func checkMessage(message string, budget int) []*FieldError {
	var faults []*FieldError
	if rule := ontology.CheckText(message, ontology.MaxText); rule != "" && rule != "is empty" {
		faults = append(faults, &FieldError{Index: -1, Field: "message", Value: ontology.Shorten(message), Rule: rule})
	}
	if budget < 0 {
		faults = append(faults, &FieldError{Index: -1, Field: "budget", Value: fmt.Sprint(budget), Rule: "is negative"})
	}
	return faults
}

func checkTurnID(id string) []*FieldError {
	if rule := ontology.CheckText(id, maxTurnID); id != "" && rule != "" {
		return []*FieldError{{Index: -1, Field: "turn_id", Value: ontology.Shorten(id), Rule: rule}}
	}
	return nil
}

// newTurnID gives a turn an id, so that the driver's retries apply it once.
func newTurnID(id string) string {
	if id == "" {
		return rand.Text()
	}
	return id
}
