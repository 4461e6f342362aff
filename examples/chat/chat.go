package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/acervo-graph/acervo/acervo"
)

// Model is a language model: whatever has these two methods. Known is what the memory
// gives for the message.
type Model interface {
	// Answer answers a message.
	Answer(ctx context.Context, known, message string) (string, error)
	// Extract gives what a message says that is worth remembering, as a document like
	// those of acervo upsert; "" if there is nothing.
	Extract(ctx context.Context, known, message string) (string, error)
}

// chat is one conversation of one owner.
type chat struct {
	memory *acervo.Memory
	model  Model
	out    io.Writer
}

// turn answers one message and remembers what it says.
func (c *chat) turn(ctx context.Context, message string) error {
	turn, err := c.memory.Turn(ctx, acervo.TurnParams{Message: message})
	if err != nil {
		return err
	}
	answer, err := c.model.Answer(ctx, turn.Context, message)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	fmt.Fprintln(c.out, strings.TrimSpace(answer))
	document, err := c.model.Extract(ctx, turn.Context, message)
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	return c.remember(ctx, document)
}

// remember stores what a model extracted. The model says what is remembered; whose it
// is and in which layer is none of its business, so that is left out.
func (c *chat) remember(ctx context.Context, document string) error {
	for d, err := range acervo.DecodeDocuments(strings.NewReader(document)) {
		if err != nil {
			return fmt.Errorf("extracted: %w", err)
		}
		learned := acervo.UpsertParams{Entities: d.Params.Entities, Relations: d.Params.Relations, Facts: d.Params.Facts}
		r, err := c.memory.UpsertEntities(ctx, learned)
		if err != nil {
			return fmt.Errorf("extracted: %w", err)
		}
		for _, e := range append(r.Entities, r.Implied...) {
			if e.Created {
				fmt.Fprintf(c.out, "  + %s (%s)\n", e.Label, e.Type)
			}
		}
		for _, rel := range r.Relations {
			for _, ended := range rel.Ended {
				fmt.Fprintf(c.out, "  - %s %s %s\n", rel.From, rel.Type, ended)
			}
			if rel.Created {
				fmt.Fprintf(c.out, "  + %s %s %s\n", rel.From, rel.Type, rel.To)
			}
		}
		for _, f := range r.Facts {
			if f.Created {
				fmt.Fprintf(c.out, "  + %s: %s\n", f.Entity, f.Text)
			}
		}
	}
	return nil
}
