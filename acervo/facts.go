package acervo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// CorrectFactParams says what was wrong and what is right.
type CorrectFactParams struct {
	// Entity is what the fact is about.
	Entity EntityRef
	// Text is the fact that was wrong; case, accents and punctuation don't matter.
	Text string
	// Correction is what is right instead.
	Correction string
	// Source, Detail and Confidence are those of the correction, as in [Fact].
	Source     string
	Detail     string
	Confidence *float64
	// At is since when the correction holds, and until when the old fact did, no
	// time to come. Default: now.
	At time.Time
}

// CorrectFactResult says what became of both facts.
type CorrectFactResult struct {
	Entity string       `json:"entity"`
	Layer  layers.Layer `json:"layer"`
	// Text and Correction are the two facts as they are stored.
	Text       string `json:"text"`
	Correction string `json:"correction"`
	// Corrected is false if that had been done before; nothing changed then.
	Corrected bool `json:"corrected"`
	// Created is false if the correction was known as a fact.
	Created bool      `json:"created"`
	ValidTo time.Time `json:"valid_to"`
}

// CorrectFact replaces a fact of the owner by another one that supersedes it.
// The old one keeps its text and gets valid_to; [Memory.Facts] shows both in the
// history. It fails with ErrNotFound if the owner has no such fact, ErrImmutable
// if it is UNIVERSAL, and ErrInvalid if it would end before it began.
func (m *Memory) CorrectFact(ctx context.Context, params CorrectFactParams) (*CorrectFactResult, error) {
	return inSession(ctx, m, cypher.FactEnd.Name, "correct fact", m.correctFact(params))
}

// CorrectFactTx is [Memory.CorrectFact] in a transaction of the caller.
func (m *Memory) CorrectFactTx(ctx context.Context, tx Tx, params CorrectFactParams) (*CorrectFactResult, error) {
	return inTx(ctx, m, tx, "correct fact", m.correctFact(params))
}

func (m *Memory) correctFact(p CorrectFactParams) operation[CorrectFactResult] {
	faults := append(m.checkWrite(), p.Entity.check("", "entity", "entity_id")...)
	faults = append(faults, m.client.checkPast("", -1, "at", p.At)...)
	for _, text := range []struct{ field, text string }{{"text", p.Text}, {"correction", p.Correction}} {
		faults = append(faults, checkFactText(text.field, text.text)...)
	}
	c := checker{client: m.client, layer: layers.Personal}
	source := p.Source
	if m.world {
		c.layer = layers.Universal
	}
	if source == "" {
		source = c.layer.FactSource()
	}
	c.source("", -1, source, "")
	confidence := c.confidence("", -1, p.Confidence)
	if rule := ontology.CheckText(p.Detail, ontology.MaxText); rule != "" && p.Detail != "" {
		c.add(&FieldError{Index: -1, Field: "detail", Value: ontology.Shorten(p.Detail), Rule: rule})
	}
	return operation[CorrectFactResult]{faults: append(faults, c.faults...), run: func(ctx context.Context, r runner) (*CorrectFactResult, error) {
		about, err := m.find(ctx, r, p.Entity)
		if err != nil {
			return nil, err
		}
		f, err := m.statement(ctx, r, about, p.Text)
		if err != nil {
			return nil, err
		}
		result := &CorrectFactResult{Entity: about.ID, Layer: c.layer, Text: f.text(p.Text), Correction: strings.TrimSpace(p.Correction)}
		newKey := factKey(m.owner, about.Key(), p.Correction)
		if f.current == nil {
			for _, e := range f.ended {
				if containsAll(stringsOf(e["by"]), []string{newKey}) {
					result.ValidTo = timeOf(e["valid_to"])
					return result, nil
				}
			}
			return nil, m.noFact(ctx, r, about, p.Text)
		}
		if result.Text == result.Correction {
			return nil, &FieldError{Index: -1, Field: "correction", Value: ontology.Shorten(p.Correction), Rule: "is what the fact says already"}
		}
		at := m.when(p.At, timeOf(f.current["valid_from"]))
		ended, err := f.end(ctx, r, at)
		if err != nil {
			return nil, err
		}
		row := factRow(m.owner, m.owner, about.Key(), result.Correction, source, m.client.now(), at)
		row["details"], row["confidence"] = with([]string{}, p.Detail), confidence
		created, err := r.run(ctx, cypher.FactUpsert, map[string]any{"rows": []map[string]any{row}})
		if err != nil {
			return nil, err
		}
		if len(created) == 0 {
			return nil, errRaced // the entity isn't there any more
		}
		if _, err := r.run(ctx, cypher.FactSupersede, map[string]any{"rows": []map[string]any{{"i": int64(0), "key": newKey, "ended": ended}}}); err != nil {
			return nil, err
		}
		result.Corrected, result.Created, result.ValidTo = true, boolOf(created[0].AsMap()["created"]), at.UTC()
		return result, nil
	}}
}

// RetractFactParams says which fact isn't so.
type RetractFactParams struct {
	// Entity is what the fact is about.
	Entity EntityRef
	// Text is the fact; case, accents and punctuation don't matter.
	Text string
	// At is until when it was so, no time to come. Default: now.
	At time.Time
	// Remove leaves nothing of it, its history included, instead of ending it.
	Remove bool
	// DryRun finds out what would be done and does nothing.
	DryRun bool
}

// RetractFactResult says what became of a fact.
type RetractFactResult struct {
	Entity string `json:"entity"`
	Text   string `json:"text"`
	// Retracted is false if that had been done before; nothing changed then.
	Retracted bool       `json:"retracted"`
	ValidTo   *time.Time `json:"valid_to,omitempty"`
	// Removed counts what was removed of it, with its history.
	Removed int64 `json:"removed,omitempty"`
	DryRun  bool  `json:"dry_run,omitempty"`
}

// RetractFact ends a fact of the owner without another in its place: it stays in
// the history, unless Remove is set. It fails with ErrNotFound if the owner has
// no such fact, ErrImmutable if it is UNIVERSAL, and ErrInvalid if it would end
// before it began.
func (m *Memory) RetractFact(ctx context.Context, params RetractFactParams) (*RetractFactResult, error) {
	return inSession(ctx, m, cypher.FactEnd.Name, "retract fact", m.retractFact(params))
}

// RetractFactTx is [Memory.RetractFact] in a transaction of the caller, which a
// dry run can't join.
func (m *Memory) RetractFactTx(ctx context.Context, tx Tx, params RetractFactParams) (*RetractFactResult, error) {
	return inTx(ctx, m, tx, "retract fact", m.retractFact(params))
}

func (m *Memory) retractFact(p RetractFactParams) operation[RetractFactResult] {
	faults := append(m.checkWrite(), p.Entity.check("", "entity", "entity_id")...)
	faults = append(faults, checkFactText("text", p.Text)...)
	faults = append(faults, m.client.checkPast("", -1, "at", p.At)...)
	return tried(p.DryRun, faults, func(ctx context.Context, r runner) (*RetractFactResult, error) {
		about, err := m.find(ctx, r, p.Entity)
		if err != nil {
			return nil, err
		}
		f, err := m.statement(ctx, r, about, p.Text)
		if err != nil {
			return nil, err
		}
		result := &RetractFactResult{Entity: about.ID, Text: f.text(p.Text), DryRun: p.DryRun}
		if f.current == nil && len(f.ended) == 0 {
			return nil, m.noFact(ctx, r, about, p.Text)
		}
		if p.Remove {
			records, err := r.run(ctx, cypher.FactRemove, map[string]any{"key": f.key})
			if err != nil {
				return nil, err
			}
			result.Retracted, result.Removed = true, intOf(records[0].AsMap()["removed"])
			return result, nil
		}
		if f.current == nil {
			result.ValidTo = optionalTime(f.ended[len(f.ended)-1]["valid_to"])
			return result, nil
		}
		at := m.when(p.At, timeOf(f.current["valid_from"]))
		if _, err := f.end(ctx, r, at); err != nil {
			return nil, err
		}
		result.Retracted, result.ValidTo = true, optionalTime(at)
		return result, nil
	})
}

func checkFactText(field, text string) []*FieldError {
	if rule := ontology.CheckText(text, ontology.MaxText); rule != "" {
		return []*FieldError{{Index: -1, Field: field, Value: ontology.Shorten(text), Rule: rule}}
	}
	return nil
}

// factRow is a fact of an owner, about an entity that a reader sees, as the
// statement takes it that adds facts.
func factRow(owner, reader string, about layers.Key, text, source string, createdAt time.Time, validFrom any) map[string]any {
	aboutOwner, id := place(reader, about)
	layer := layers.Personal
	if owner == layers.WorldOwner {
		layer = layers.Universal
	}
	return map[string]any{
		"i": int64(0), "key": factKey(owner, about, text), "owner": owner, "owner_digest": ownerDigest(owner), "about": string(about), "about_owner": aboutOwner, "about_id": id,
		"label": layer.Label(), "text": text, "sources": []string{source}, "details": []string{}, "confidence": nil, "created_at": createdAt, "valid_from": validFrom,
	}
}

// when is the time of a call at which something ends: now by default, and not
// before it began.
func (m *Memory) when(at, began time.Time) time.Time {
	if !at.IsZero() {
		return inUTC(at)
	}
	if now := m.client.now(); now.After(began) {
		return now
	}
	return inUTC(began)
}

// statement is what the database has of one statement of an owner.
type statement struct {
	key     string
	current map[string]any   // nil if it isn't current
	ended   []map[string]any // each time that it ended, the first one first
}

// statement finds what the memory's owner stated about an entity.
func (m *Memory) statement(ctx context.Context, r runner, about target, text string) (statement, error) {
	s := statement{key: factKey(m.owner, about.Key(), text)}
	records, err := r.run(ctx, cypher.FactFind, map[string]any{"rows": []map[string]any{{"i": int64(0), "key": s.key}}})
	if err != nil {
		return s, err
	}
	answer := records[0].AsMap()
	s.current, s.ended = mapOf(answer["fact"]), mapsOf(answer["ended"])
	return s, nil
}

// text is the statement as it is stored, else as it was given.
func (s statement) text(given string) string {
	if s.current != nil {
		return stringOf(s.current["text"])
	}
	return strings.TrimSpace(given)
}

// endedKey is the key that a statement gets when it ends for the n-th time.
func endedKey(key string, n int) string { return fmt.Sprintf("%s@%09d", key, n) }

// end ends the current statement and gives the key that it has then.
func (s statement) end(ctx context.Context, r runner, at time.Time) (string, error) {
	if from := timeOf(s.current["valid_from"]); at.Before(from) {
		return "", &FieldError{Index: -1, Field: "at", Value: at.UTC().Format(time.RFC3339), Rule: "is before the fact began, " + from.Format(time.RFC3339)}
	}
	key := endedKey(s.key, len(s.ended))
	records, err := r.run(ctx, cypher.FactEnd, map[string]any{"rows": []map[string]any{{"key": s.key, "ended": key, "valid_to": at}}})
	if err == nil && len(records) == 0 {
		err = errRaced // another transaction ended it
	}
	return key, err
}

// noFact says that an owner has no such fact: it may be a UNIVERSAL one.
func (m *Memory) noFact(ctx context.Context, r runner, about target, text string) error {
	if !m.world && about.Layer == layers.Universal {
		world, err := m.client.World().statement(ctx, r, about, text)
		if err != nil {
			return err
		}
		if world.current != nil {
			return &ImmutableError{Entity: about.ID, Verified: about.verified}
		}
	}
	return fmt.Errorf("no fact %q about %q: %w", ontology.Shorten(text), ontology.Shorten(about.ID), ErrNotFound)
}

// FactsParams says which facts are listed.
type FactsParams struct {
	// Entity is what the facts are about.
	Entity EntityRef
	// History adds facts that were corrected or retracted, with ValidTo set.
	History bool
	// Limit is how many facts a page holds, at most 1,000. Default 100.
	Limit int
	// After is Next of the page before. Default: the first page.
	After string
}

// FactsResult is one page of facts.
type FactsResult struct {
	Node Neighbor `json:"node"`
	// Facts are in the order in which they were said.
	Facts []FactHistory `json:"facts"`
	// Next is After of the next page, empty after the last.
	Next string `json:"next,omitempty"`
}

// FactHistory is a fact with what it corrects and what corrects it.
type FactHistory struct {
	StoredFact
	Supersedes   []string `json:"supersedes,omitempty"`
	SupersededBy []string `json:"superseded_by,omitempty"`
}

// Facts lists the facts about one entity that the owner sees, their own and
// those of the UNIVERSAL layer. It fails with ErrNotFound if there is no such
// entity, and ErrConflict if there are several.
func (m *Memory) Facts(ctx context.Context, params FactsParams) (*FactsResult, error) {
	result, err := m.facts(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	return result, nil
}

func (m *Memory) facts(ctx context.Context, params FactsParams) (*FactsResult, error) {
	if err := joinFaults(append(m.check(), params.Entity.check("", "entity", "entity_id")...)); err != nil {
		return nil, err
	}
	limit, after, err := page(params.Limit, params.After, 2)
	if err != nil {
		return nil, err
	}
	if err := checkPlace(after[0]); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	var result *FactsResult
	err = m.client.read(ctx, cypher.FactList.Name, func(r runner) error {
		about, err := m.find(ctx, r, params.Entity)
		if err != nil {
			return err
		}
		result = &FactsResult{Node: about.Neighbor, Facts: []FactHistory{}}
		records, err := r.run(ctx, cypher.FactList, map[string]any{
			"owner": m.owner, "key": string(about.Key()), "history": params.History, "at": m.asOf(), "after": after, "limit": int64(limit + 1),
		})
		if err != nil {
			return err
		}
		for i, record := range records {
			answer := record.AsMap()
			if i == limit {
				result.Next = position(stringsOf(records[i-1].AsMap()["position"])...)
				break
			}
			f := FactHistory{StoredFact: decodeFact(mapOf(answer["fact"]))}
			if texts := stringsOf(answer["supersedes"]); len(texts) > 0 {
				f.Supersedes = texts
			}
			if texts := stringsOf(answer["superseded_by"]); len(texts) > 0 {
				f.SupersededBy = texts
			}
			result.Facts = append(result.Facts, f)
		}
		return nil
	})
	return result, err
}

// checkPlace checks a time that is part of the place of a page.
func checkPlace(at string) error {
	if at == "" {
		return nil
	}
	if _, err := time.Parse(time.RFC3339Nano, at); err != nil {
		return &FieldError{Index: -1, Field: "after", Value: ontology.Shorten(at), Rule: "is not the end of a page", Err: err}
	}
	return nil
}
