package mcp

import (
	"bytes"
	"context"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// rememberInput is what the tool remember takes. The names are those of documents,
// by which it is read, so that integers stay as they are.
type rememberInput struct {
	Entities  []entityInput   `json:"entities,omitempty" jsonschema:"the things and people that were named; list each one whose type is known, also if it was remembered before: nothing is doubled"`
	Relations []relationInput `json:"relations,omitempty" jsonschema:"how two entities stand to each other; prefer a relation over a fact where one fits"`
	Facts     []factInput     `json:"facts,omitempty" jsonschema:"single statements about one entity that no relation or attribute says"`
}

type entityInput struct {
	Name       string         `json:"name" jsonschema:"the name as people write it, for example Ada Lovelace; no description, no pronoun; of the user, their own name"`
	Type       string         `json:"type,omitempty" jsonschema:"the type; left out if it isn't known: the entity is then incomplete, and a later call with its type completes it"`
	Aliases    []string       `json:"aliases,omitempty" jsonschema:"other names under which it is found"`
	Attributes map[string]any `json:"attributes,omitempty" jsonschema:"lasting properties: strings, numbers, booleans, or lists of one of these; null removes one"`
	ID         string         `json:"id,omitempty" jsonschema:"the exact id of a stored entity, only to tell several of one name apart"`
}

type relationInput struct {
	From      string `json:"from" jsonschema:"the name of the entity that the relation starts at"`
	Type      string `json:"type" jsonschema:"the relation"`
	To        string `json:"to" jsonschema:"the name of the entity that the relation leads to"`
	FromType  string `json:"from_type,omitempty" jsonschema:"the type of from, only where several have its name"`
	ToType    string `json:"to_type,omitempty" jsonschema:"the type of to, only where several have its name"`
	FromID    string `json:"from_id,omitempty" jsonschema:"the exact id of from, which counts instead of the name"`
	ToID      string `json:"to_id,omitempty" jsonschema:"the exact id of to, which counts instead of the name"`
	ValidFrom string `json:"valid_from,omitempty" jsonschema:"since when it is so, for example 2026-03-01T00:00:00Z; left out if that wasn't said"`
}

type factInput struct {
	Entity     string `json:"entity" jsonschema:"the name of the entity that it is about"`
	Text       string `json:"text" jsonschema:"one short whole sentence, in the user's language, that can be understood alone"`
	Source     string `json:"source,omitempty" jsonschema:"who says so, for example mail; left out for the user"`
	EntityType string `json:"entity_type,omitempty" jsonschema:"the type of the entity, only where several have its name"`
	EntityID   string `json:"entity_id,omitempty" jsonschema:"the exact id of the entity, which counts instead of the name"`
	ValidFrom  string `json:"valid_from,omitempty" jsonschema:"since when it is so, for example 2026-03-01T00:00:00Z; left out if that wasn't said"`
}

func (s *service) addRemember() {
	add(s, tool[rememberInput, acervo.UpsertResult]{
		name: "remember", title: "Remember", effect: adds, idempotent: true,
		description: "Stores what was learned about people, things and how they stand to each other, in one batch: all of it or nothing. " +
			"Call it once for all that a message says and that is worth knowing in later conversations. The same again changes nothing. " +
			"Where something remembered before is wrong now, use correct_fact, retract_fact or end_relation.",
		example: rememberInput{
			Entities:  []entityInput{{Name: "Ada", Type: "Persona"}, {Name: "Lighthouse", Type: "Proyecto", Aliases: []string{"the ERP"}}},
			Relations: []relationInput{{From: "Ada", Type: "DUEÑO_DE", To: "Lighthouse"}},
			Facts:     []factInput{{Entity: "Lighthouse", Text: "Lighthouse goes live in May"}},
		},
		schema: func(f fields) {
			entity, relation := fields(f["entities"].Items.Properties), fields(f["relations"].Items.Properties)
			entity["type"].Description += "; one of " + builtinTypes() + " where one fits (English names are known, too), else a new type in the singular, which is registered"
			relation["type"].Description += "; one of " + builtinRelations() + " where one fits (English names are known, too), else a new one like REPORTS_TO, which is registered"
		},
		run: func(ctx context.Context, c call, _ rememberInput) (*acervo.UpsertResult, string, error) {
			var params acervo.UpsertParams
			for doc, err := range acervo.DecodeDocuments(bytes.NewReader(c.arguments)) {
				if err != nil {
					return nil, "", err
				}
				params = doc.Params
			}
			if len(params.Entities)+len(params.Relations)+len(params.Facts) == 0 {
				return nil, "", &acervo.FieldError{Index: -1, Field: "entities, relations and facts", Rule: "are all empty"}
			}
			r, err := s.memory.UpsertEntities(ctx, params)
			if err != nil {
				return nil, "", err
			}
			return r, rememberedText(r), nil
		},
	})
}

func builtinTypes() string {
	return names(ontology.BuiltinTypes(), func(t ontology.Type) string { return t.Name })
}

func builtinRelations() string {
	return names(ontology.BuiltinRelations(), func(r ontology.Relation) string { return r.Name })
}

// rememberedText says what became of each item.
func rememberedText(r *acervo.UpsertResult) string {
	var l lines
	incomplete := []string{}
	entity := func(e acervo.EntityResult, implied bool) {
		state := "known"
		switch {
		case e.Created:
			state = "new"
		case e.Completed:
			state = "completed"
		case e.Reference:
			state = "shared knowledge, which isn't changed"
		}
		if implied {
			state += ", not listed as an entity"
		}
		l.add("- %s (%s): %s", oneLine(e.Label), oneLine(e.Type), state)
		if e.Conflict != nil {
			l.add("  is stored as %s, not %s, which was not taken", oneLine(e.Conflict.Stored), oneLine(e.Conflict.Given))
		}
		for _, text := range e.AttributeFacts {
			l.add("  became a fact: %s", oneLine(text))
		}
		for _, name := range e.KeptAttributes {
			l.add("  keeps its attribute %s", oneLine(name))
		}
		if e.Status == layers.Incomplete {
			incomplete = append(incomplete, oneLine(e.Label))
		}
	}
	l.add("Remembered.")
	for _, e := range r.Entities {
		entity(e, false)
	}
	for _, e := range r.Implied {
		entity(e, true)
	}
	for _, rel := range r.Relations {
		l.add("- %s %s %s: %s", rel.From, oneLine(rel.Type), rel.To, newOr(rel.Created, "known"))
		for _, ended := range rel.Ended {
			l.add("  ended: %s %s %s", rel.From, oneLine(rel.Type), ended)
		}
	}
	for _, f := range r.Facts {
		state := newOr(f.Created, "known")
		if f.GainedSource {
			state = "known, one more source"
		}
		l.add("- %s: %s: %s", f.Entity, oneLine(f.Text), state)
	}
	if len(incomplete) > 0 {
		l.add("Types still unknown: %s. Remember them again with a type as soon as it is known.", names(incomplete, oneLine))
	}
	return l.text()
}

func newOr(created bool, otherwise string) string {
	if created {
		return "new"
	}
	return otherwise
}
