package acervo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// rememberedTurns is how many ids of turns a session remembers, so that a turn
// which is sent again is applied once.
const rememberedTurns = 64

// maxTurnID is how many bytes of UTF-8 the id of a turn may hold.
const maxTurnID = 256

// CycleStatusParams says which turn begins.
type CycleStatusParams struct {
	// TurnID, up to 256 bytes, makes the call safe to repeat: the last 64 ids of a
	// session are applied once. Default: a new one with each call.
	TurnID string
}

// CycleStatusResult is a session after it aged.
type CycleStatusResult struct {
	// Turn counts the session's turns from 1.
	Turn int64 `json:"turn"`
	// Repeated: a turn of this id had been applied, nothing changed.
	Repeated bool `json:"repeated"`
	// Hot, Warm and Cooled are ids: what is hot and warm now, and what was warm
	// and is cold now.
	Hot    []string `json:"hot"`
	Warm   []string `json:"warm"`
	Cooled []string `json:"cooled"`
}

// CycleStatus begins a turn: what was hot becomes warm, what was warm becomes
// cold. It costs what is active, never what is stored.
func (m *Memory) CycleStatus(ctx context.Context, params CycleStatusParams) (*CycleStatusResult, error) {
	return inSession(ctx, m, cypher.SessionCycle.Name, "cycle status", m.cycle(params))
}

// CycleStatusTx is [Memory.CycleStatus] in a transaction of the caller.
func (m *Memory) CycleStatusTx(ctx context.Context, tx Tx, params CycleStatusParams) (*CycleStatusResult, error) {
	return inTx(ctx, m, tx, "cycle status", m.cycle(params))
}

func (m *Memory) cycle(params CycleStatusParams) operation[CycleStatusResult] {
	faults := append(m.checkActive(), checkTurnID(params.TurnID)...)
	turn := newTurnID(params.TurnID)
	return operation[CycleStatusResult]{faults: faults, single: true, run: func(ctx context.Context, r runner) (*CycleStatusResult, error) {
		records, err := r.run(ctx, cypher.SessionCycle, map[string]any{
			"owner": m.owner, "session": m.session, "turn_id": turn, "turn_ids": int64(rememberedTurns), "now": m.client.now(),
		})
		if err != nil {
			return nil, err
		}
		answer := records[0].AsMap()
		return &CycleStatusResult{
			Turn: intOf(answer["turn"]), Repeated: boolOf(answer["repeated"]), Hot: idsOf(stringsOf(answer["hot"])),
			Warm: idsOf(stringsOf(answer["warm"])), Cooled: idsOf(stringsOf(answer["cooled"])),
		}, nil
	}}
}

// MentionParams names what was mentioned.
type MentionParams struct {
	// Names are names or aliases, whole. At most 1,000.
	Names []string
}

// MentionResult is a session after a mention.
type MentionResult struct {
	// Mentioned are the ids of what the names found, in their order.
	Mentioned []string `json:"mentioned"`
	// Unknown are the names that found nothing.
	Unknown []string `json:"unknown"`
	Hot     []string `json:"hot"`
	Warm    []string `json:"warm"`
}

// Mention makes hot what the names find, however cold it was: the owner's own
// entities, else UNIVERSAL ones. Names that find nothing are listed in the
// result; if none finds anything, it fails with ErrNotFound.
func (m *Memory) Mention(ctx context.Context, params MentionParams) (*MentionResult, error) {
	return inSession(ctx, m, cypher.SessionMention.Name, "mention", m.mention(params))
}

// MentionTx is [Memory.Mention] in a transaction of the caller.
func (m *Memory) MentionTx(ctx context.Context, tx Tx, params MentionParams) (*MentionResult, error) {
	return inTx(ctx, m, tx, "mention", m.mention(params))
}

func (m *Memory) mention(params MentionParams) operation[MentionResult] {
	faults := m.checkActive()
	if n := len(params.Names); n == 0 || n > 1000 {
		faults = append(faults, &FieldError{Index: -1, Field: "names", Value: fmt.Sprint(n), Rule: "are not from 1 to 1000"})
	}
	grams := make([]ontology.Gram, len(params.Names))
	for i, name := range params.Names {
		id, err := ontology.ID(name)
		if err != nil {
			faults = append(faults, fault("name", i, "name", err))
		}
		grams[i] = ontology.Gram{ID: id, Start: 2 * i, End: 2*i + 1}
	}
	return operation[MentionResult]{faults: faults, run: func(ctx context.Context, r runner) (*MentionResult, error) {
		names := make([]string, len(grams))
		for i, g := range grams {
			names[i] = g.ID
		}
		records, err := r.run(ctx, cypher.SessionMention, map[string]any{
			"owner": m.owner, "session": m.session, "names": names, "starts": starts(grams), "hot_limit": int64(hotLimit), "now": m.client.now(),
		})
		if err != nil {
			return nil, err
		}
		answer := records[0].AsMap()
		known := stringsOf(answer["found"])
		result := &MentionResult{
			Mentioned: idsOf(stringsOf(answer["mentioned"])), Unknown: []string{},
			Hot: idsOf(stringsOf(answer["hot"])), Warm: idsOf(stringsOf(answer["warm"])),
		}
		for i, g := range grams {
			if !slices.Contains(known, g.ID) {
				result.Unknown = append(result.Unknown, params.Names[i])
			}
		}
		if len(result.Mentioned) == 0 {
			return nil, &NotFoundError{Names: result.Unknown}
		}
		return result, nil
	}}
}

// starts gives grams as the statements take them: those that start at one place
// together, with what all of them begin with, the shortest one.
func starts(grams []ontology.Gram) []any {
	list := []any{}
	ids, ends := make([]string, len(grams)), make([]int64, len(grams))
	for i, g := range grams {
		ids[i], ends[i] = g.ID, int64(g.End)
	}
	for i := 0; i < len(grams); {
		first, prefix := i, grams[i].ID
		for ; i < len(grams) && grams[i].Start == grams[first].Start; i++ {
			if len(ids[i]) < len(prefix) {
				prefix = ids[i]
			}
		}
		list = append(list, []any{prefix, int64(grams[first].Start), ids[first:i], ends[first:i]})
	}
	return list
}

// operation is a checked call: what is wrong with it, and what it does.
type operation[R any] struct {
	faults []*FieldError
	run    func(ctx context.Context, r runner) (*R, error)
	dryRun bool // its transaction is rolled back
	single bool // it is one statement, which does nothing when it is repeated
	// several, asked of a prepared client, says that it may be more this time, though
	// it is single. May be nil.
	several func() bool
}

// tried is an operation that may be a dry run: it is then done in a transaction
// that is rolled back, so that its result is exactly what would come of it.
func tried[R any](dryRun bool, faults []*FieldError, run func(ctx context.Context, r runner) (*R, error)) operation[R] {
	return operation[R]{faults: faults, run: run, dryRun: dryRun}
}

// errDryRun ends the transaction of a dry run.
var errDryRun = errors.New("dry run")

// inSession runs an operation in a transaction of its own.
func inSession[R any](ctx context.Context, m *Memory, name, what string, op operation[R]) (*R, error) {
	if err := joinFaults(op.faults); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	var result *R
	work := func(r runner) (err error) {
		result, err = op.run(ctx, r)
		if err == nil && op.dryRun {
			return errDryRun
		}
		return err
	}
	var err error
	if op.single && (op.several == nil || !op.several()) {
		err = m.client.once(ctx, neo4j.AccessModeWrite, name, work)
	} else {
		err = m.client.write(ctx, name, work)
	}
	if err != nil && !errors.Is(err, errDryRun) {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return result, nil
}

// inTx runs an operation in a transaction of the caller.
func inTx[R any](ctx context.Context, m *Memory, tx Tx, what string, op operation[R]) (*R, error) {
	if op.dryRun {
		op.faults = append(op.faults, &FieldError{Index: -1, Field: "dry_run", Rule: "can't join a transaction: it would have to be rolled back"})
	}
	if err := joinFaults(op.faults); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	result, err := op.run(ctx, m.client.joined(tx))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, classify(ctx, err))
	}
	return result, nil
}

// sessionState is a session as it is stored.
type sessionState struct {
	turn      int64
	hot, warm []string
}

// readSession reads the memory's session; one that isn't there is empty.
func (m *Memory) readSession(ctx context.Context, r runner) (sessionState, error) {
	records, err := r.run(ctx, cypher.SessionGet, map[string]any{"owner": m.owner, "session": m.session})
	if err != nil || len(records) == 0 {
		return sessionState{}, err
	}
	answer := records[0].AsMap()
	return sessionState{intOf(answer["turn"]), stringsOf(answer["hot"]), stringsOf(answer["warm"])}, nil
}

func (s sessionState) activation(key string) layers.Activation {
	switch {
	case slices.Contains(s.hot, key):
		return layers.Hot
	case slices.Contains(s.warm, key):
		return layers.Warm
	}
	return layers.Cold
}

// activated lists the keys of an activation that follow a key.
func (s sessionState) activated(a layers.Activation, after string) []string {
	keys := s.hot
	if a == layers.Warm {
		keys = s.warm
	}
	return keys[slices.Index(keys, after)+1:]
}
