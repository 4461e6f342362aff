package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// at reads a time, or a day, which begins in UTC; "" is no time.
func at(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, &acervo.FieldError{Index: -1, Field: "at", Value: shortened(text), Rule: "is neither like 2026-03-01T12:00:00Z nor like 2026-03-01"}
}

type correctFactInput struct {
	Entity     string `json:"entity" jsonschema:"the name of the entity that the fact is about"`
	Text       string `json:"text" jsonschema:"the fact that is wrong, as node or turn gave it"`
	Correction string `json:"correction" jsonschema:"what is right, as one whole sentence"`
	Source     string `json:"source,omitempty" jsonschema:"who says so, for example mail; left out for the user"`
	EntityID   string `json:"entity_id,omitempty" jsonschema:"the entity's exact id, which counts instead of the name"`
	EntityType string `json:"entity_type,omitempty" jsonschema:"the entity's type, where several have the name"`
	At         string `json:"at,omitempty" jsonschema:"since when the correction holds, as 2026-03-01 or a full RFC 3339 time; now if left out"`
}

func (s *service) addCorrectFact() {
	add(s, tool[correctFactInput, acervo.CorrectFactResult]{
		name: "correct_fact", title: "Correct a fact", effect: destroys, idempotent: true,
		description: "Replaces a fact that is wrong, or no longer so, by what is right. The old one stays in the history.",
		example:     correctFactInput{Entity: "Lighthouse", Text: "Lighthouse goes live in May", Correction: "Lighthouse goes live in June"},
		run: func(ctx context.Context, _ call, in correctFactInput) (*acervo.CorrectFactResult, string, error) {
			when, err := at(in.At)
			if err != nil {
				return nil, "", err
			}
			r, err := s.memory.CorrectFact(ctx, acervo.CorrectFactParams{
				Entity: acervo.EntityRef{Name: in.Entity, ID: in.EntityID, Type: in.EntityType},
				Text:   in.Text, Correction: in.Correction, Source: in.Source, At: when,
			})
			if err != nil {
				return nil, "", err
			}
			text := "Corrected"
			if !r.Corrected {
				text = "That had been corrected before"
			}
			return r, fmt.Sprintf("%s: %s: %q is now %q.", text, r.Entity, r.Text, r.Correction), nil
		},
	})
}

type retractFactInput struct {
	Entity     string `json:"entity" jsonschema:"the name of the entity that the fact is about"`
	Text       string `json:"text" jsonschema:"the fact, as node or turn gave it"`
	EntityID   string `json:"entity_id,omitempty" jsonschema:"the entity's exact id, which counts instead of the name"`
	EntityType string `json:"entity_type,omitempty" jsonschema:"the entity's type, where several have the name"`
	At         string `json:"at,omitempty" jsonschema:"until when it was so, as 2026-03-01 or a full RFC 3339 time; now if left out"`
	Remove     bool   `json:"remove,omitempty" jsonschema:"take it out of the history, too, as if it had never been said; only if the user wants that"`
}

func (s *service) addRetractFact() {
	add(s, tool[retractFactInput, acervo.RetractFactResult]{
		name: "retract_fact", title: "Retract a fact", effect: destroys, idempotent: true,
		description: "Ends a fact that is wrong, or no longer so, where nothing takes its place. It stays in the history, unless remove is true. Where something does take its place, use correct_fact.",
		example:     retractFactInput{Entity: "Lighthouse", Text: "Lighthouse goes live in May"},
		run: func(ctx context.Context, _ call, in retractFactInput) (*acervo.RetractFactResult, string, error) {
			when, err := at(in.At)
			if err != nil {
				return nil, "", err
			}
			r, err := s.memory.RetractFact(ctx, acervo.RetractFactParams{
				Entity: acervo.EntityRef{Name: in.Entity, ID: in.EntityID, Type: in.EntityType},
				Text:   in.Text, At: when, Remove: in.Remove,
			})
			if err != nil {
				return nil, "", err
			}
			text := "Retracted"
			switch {
			case in.Remove:
				text = "Removed, with its history"
			case !r.Retracted:
				text = "That had been retracted before"
			}
			return r, fmt.Sprintf("%s: %s: %q.", text, r.Entity, r.Text), nil
		},
	})
}

type endRelationInput struct {
	From     string `json:"from" jsonschema:"the name of the entity that the relation starts at"`
	Type     string `json:"type" jsonschema:"the relation, as node or turn gave it, for example TRABAJA_EN"`
	To       string `json:"to" jsonschema:"the name of the entity that the relation leads to"`
	FromID   string `json:"from_id,omitempty" jsonschema:"the exact id of from, which counts instead of the name"`
	FromType string `json:"from_type,omitempty" jsonschema:"the type of from, where several have its name"`
	ToID     string `json:"to_id,omitempty" jsonschema:"the exact id of to, which counts instead of the name"`
	ToType   string `json:"to_type,omitempty" jsonschema:"the type of to, where several have its name"`
	At       string `json:"at,omitempty" jsonschema:"until when it was so, as 2026-03-01 or a full RFC 3339 time; now if left out"`
}

func (s *service) addEndRelation() {
	add(s, tool[endRelationInput, acervo.EndRelationResult]{
		name: "end_relation", title: "End a relation", effect: destroys, idempotent: true,
		description: "Ends a relation that is no longer so, for example where somebody left a company. It stays in the history. " +
			"A relation of which there is one at a time, such as VIVE_EN (lives in), ends by itself when remember gets the new one.",
		example: endRelationInput{From: "Ada", Type: "TRABAJA_EN", To: "Acme"},
		run: func(ctx context.Context, _ call, in endRelationInput) (*acervo.EndRelationResult, string, error) {
			when, err := at(in.At)
			if err != nil {
				return nil, "", err
			}
			r, err := s.memory.EndRelation(ctx, acervo.EndRelationParams{At: when, RelationRef: acervo.RelationRef{
				From: acervo.EntityRef{Name: in.From, ID: in.FromID, Type: in.FromType}, Type: in.Type,
				To: acervo.EntityRef{Name: in.To, ID: in.ToID, Type: in.ToType},
			}})
			if err != nil {
				return nil, "", err
			}
			text := "Ended"
			if !r.Ended {
				text = "That had ended before"
			}
			return r, fmt.Sprintf("%s: %s %s %s.", text, r.From, oneLine(r.Type), r.To), nil
		},
	})
}

type forgetInput struct {
	Entity     string `json:"entity" jsonschema:"the name of the entity"`
	EntityID   string `json:"entity_id,omitempty" jsonschema:"its exact id, which counts instead of the name"`
	EntityType string `json:"entity_type,omitempty" jsonschema:"its type, where several have the name"`
	Confirm    bool   `json:"confirm,omitempty" jsonschema:"false or left out: say what would be removed and do nothing; true: remove it, after the user agreed to just that"`
}

func (s *service) addForget() {
	add(s, tool[forgetInput, acervo.RemoveEntityResult]{
		name: "forget", title: "Forget an entity", effect: destroys, idempotent: true,
		description: "Removes one entity for good, with its facts, relations, aliases and history, as if it had never been said. " +
			"Call it without confirm first, tell the user what would go, and call it with confirm only if the user agrees.",
		example: forgetInput{Entity: "Lighthouse"},
		run: func(ctx context.Context, _ call, in forgetInput) (*acervo.RemoveEntityResult, string, error) {
			r, err := s.memory.RemoveEntity(ctx, acervo.RemoveEntityParams{
				Entity: acervo.EntityRef{Name: in.Entity, ID: in.EntityID, Type: in.EntityType}, DryRun: !in.Confirm,
			})
			if err != nil {
				return nil, "", err
			}
			text := fmt.Sprintf("%s (id %s), %d facts, %d relations, %d ended relations and %d aliases", oneLine(r.Label), r.ID, r.Facts, r.Relations, r.Ended, r.Aliases)
			if r.DryRun {
				return r, "Nothing was removed yet. With confirm true, this would be gone for good: " + text + ". Ask the user first.", nil
			}
			return r, "Forgotten: " + text + ".", nil
		},
	})
}

type mergeInput struct {
	Keep       string `json:"keep" jsonschema:"the name of the entity that stays"`
	Absorb     string `json:"absorb" jsonschema:"the name of the entity that becomes part of it; its name becomes an alias"`
	KeepID     string `json:"keep_id,omitempty" jsonschema:"the exact id of keep, which counts instead of the name"`
	KeepType   string `json:"keep_type,omitempty" jsonschema:"the type of keep, where several have its name"`
	KeepLayer  string `json:"keep_layer,omitempty" jsonschema:"the layer of keep, where both layers have its name"`
	AbsorbID   string `json:"absorb_id,omitempty" jsonschema:"the exact id of absorb, which counts instead of the name"`
	AbsorbType string `json:"absorb_type,omitempty" jsonschema:"the type of absorb, where several have its name"`
	Confirm    bool   `json:"confirm,omitempty" jsonschema:"false or left out: say what would be done and do nothing; true: merge, which can't be undone, after the user agreed"`
}

func (s *service) addMerge() {
	add(s, tool[mergeInput, acervo.MergeResult]{
		name: "merge", title: "Merge two entities", effect: destroys, idempotent: true,
		description: "Makes one entity of two that are the same thing, for example NYC and New York City. It can't be undone. " +
			"Call it without confirm first, tell the user what would be done, and call it with confirm only if the user agrees.",
		example: mergeInput{Keep: "New York City", Absorb: "NYC"},
		schema:  func(f fields) { f.layer("keep_layer") },
		run: func(ctx context.Context, _ call, in mergeInput) (*acervo.MergeResult, string, error) {
			r, err := s.memory.Merge(ctx, acervo.MergeParams{
				Keep:   acervo.EntityRef{Name: in.Keep, ID: in.KeepID, Type: in.KeepType, Layer: layers.Layer(in.KeepLayer)},
				Absorb: acervo.EntityRef{Name: in.Absorb, ID: in.AbsorbID, Type: in.AbsorbType},
				DryRun: !in.Confirm,
			})
			if err != nil {
				return nil, "", err
			}
			text := fmt.Sprintf("%s becomes part of %s, with %d facts and %d relations; %d facts and %d relations are there already, %d relations between the two are dropped",
				r.Absorb, r.Keep, r.Facts, r.Relations, r.DoubleFacts, r.DoubleRelations, r.SelfRelations)
			if r.DryRun {
				return r, "Nothing was merged yet. With confirm true, for good: " + text + ". Ask the user first.", nil
			}
			return r, "Merged: " + text + ".", nil
		},
	})
}
