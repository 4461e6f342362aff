package acervo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// VerifyParams says what was verified.
type VerifyParams struct {
	// Entities are UNIVERSAL ones, at most 1,000.
	Entities []EntityRef
}

// VerifyResult says what became of each entity, in their order.
type VerifyResult struct {
	Entities []VerifiedEntity `json:"entities"`
}

// VerifiedEntity is an entity that is verified.
type VerifiedEntity struct {
	ID string `json:"id"`
	// Changed is false if it was verified before.
	Changed    bool      `json:"changed"`
	VerifiedAt time.Time `json:"verified_at"`
}

// Verify marks UNIVERSAL entities, with what is known of them, as verified: no
// owner's call changes their label, type, attributes or facts from then on. It
// is for [Client.World] and fails with ErrInvalid for an owner's memory, with
// ErrNotFound if an entity isn't there, and with ErrConflict if its type isn't
// known.
func (m *Memory) Verify(ctx context.Context, params VerifyParams) (*VerifyResult, error) {
	return inSession(ctx, m, cypher.EntityVerify.Name, "verify", m.verify(params))
}

// VerifyTx is [Memory.Verify] in a transaction of the caller.
func (m *Memory) VerifyTx(ctx context.Context, tx Tx, params VerifyParams) (*VerifyResult, error) {
	return inTx(ctx, m, tx, "verify", m.verify(params))
}

// checkWorld is checkWrite for calls that are for nobody but [Client.World].
func (m *Memory) checkWorld() []*FieldError {
	faults := m.checkWrite()
	if !m.world {
		faults = append(faults, &FieldError{Index: -1, Field: "owner", Value: ontology.Shorten(m.owner), Rule: "can't do this: it is for the UNIVERSAL layer, without an owner"})
	}
	return faults
}

func (m *Memory) verify(params VerifyParams) operation[VerifyResult] {
	faults := m.checkWorld()
	if n := len(params.Entities); n == 0 || n > 1000 {
		faults = append(faults, &FieldError{Index: -1, Field: "entities", Value: fmt.Sprint(n), Rule: "are not from 1 to 1000"})
	}
	for i, ref := range params.Entities {
		for _, f := range ref.check("entity", "name", "id") {
			f.Index = i
			faults = append(faults, f)
		}
	}
	return operation[VerifyResult]{faults: faults, run: func(ctx context.Context, r runner) (*VerifyResult, error) {
		ids := make([]string, len(params.Entities))
		for i, ref := range params.Entities {
			t, err := m.find(ctx, r, ref)
			if err != nil {
				return nil, err
			}
			if t.Type == ontology.Unknown {
				return nil, fmt.Errorf("entity %d, %q, has no known type, so it can't be verified: %w", i, ontology.Shorten(t.ID), ErrConflict)
			}
			ids[i] = t.ID
		}
		records, err := r.run(ctx, cypher.EntityVerify, map[string]any{"ids": ids, "now": m.client.now()})
		if err != nil {
			return nil, err
		}
		result := &VerifyResult{Entities: make([]VerifiedEntity, len(records))}
		for i, record := range records {
			answer := record.AsMap()
			result.Entities[i] = VerifiedEntity{ID: stringOf(answer["id"]), Changed: boolOf(answer["changed"]), VerifiedAt: timeOf(answer["verified_at"])}
		}
		return result, nil
	}}
}

// PromoteParams says what of an owner's shall be everybody's.
type PromoteParams struct {
	// Entity is the owner's own entity, or a UNIVERSAL one that the facts are about.
	Entity EntityRef
	// Attributes and Facts are the names of attributes and the texts of facts that
	// become UNIVERSAL. What isn't named stays the owner's. Default: none.
	Attributes []string
	Facts      []string
	// Preview shows what would become UNIVERSAL and writes nothing.
	Preview bool
}

// PromoteResult is what became, or would become, UNIVERSAL.
type PromoteResult struct {
	ID     string        `json:"id"`
	Label  string        `json:"label"`
	Type   string        `json:"type"`
	Status layers.Status `json:"status"`
	// Created is false if the UNIVERSAL entity was there.
	Created    bool           `json:"created"`
	Attributes map[string]any `json:"attributes"`
	Facts      []string       `json:"facts"`
	// KeptFacts and KeptRelations count what stays the owner's, and
	// KeptAttributes names the attributes that become the owner's own facts.
	KeptFacts      int      `json:"kept_facts"`
	KeptRelations  int      `json:"kept_relations"`
	KeptAttributes []string `json:"kept_attributes"`
	Preview        bool     `json:"preview,omitempty"`
}

// Promote turns an entity of the owner's own into a candidate of the UNIVERSAL
// layer, pending_verification, which every owner sees: its label and type, and
// the attributes and facts that are named. Everything else stays the owner's and
// is then about the UNIVERSAL entity. Of a UNIVERSAL entity, it turns facts of
// the owner about it into UNIVERSAL ones. Nothing says afterwards who promoted it.
//
// It fails with ErrNotFound if the entity, an attribute or a fact isn't the
// owner's, ErrConflict if its type isn't known or a UNIVERSAL entity of its id has
// another type, and ErrImmutable if the UNIVERSAL entity is verified and
// attributes or facts are named.
func (m *Memory) Promote(ctx context.Context, params PromoteParams) (*PromoteResult, error) {
	return inSession(ctx, m, "entity/promote", "promote", m.promote(params))
}

// PromoteTx is [Memory.Promote] in a transaction of the caller, which a preview
// can't join.
func (m *Memory) PromoteTx(ctx context.Context, tx Tx, params PromoteParams) (*PromoteResult, error) {
	return inTx(ctx, m, tx, "promote", m.promote(params))
}

func (m *Memory) promote(p PromoteParams) operation[PromoteResult] {
	faults := append(m.checkOwned(), p.Entity.check("", "entity", "entity_id")...)
	for _, text := range p.Facts {
		faults = append(faults, checkFactText("facts", text)...)
	}
	return tried(p.Preview, faults, func(ctx context.Context, r runner) (*PromoteResult, error) {
		own, err := m.find(ctx, r, p.Entity)
		if err != nil {
			return nil, err
		}
		result := &PromoteResult{
			ID: own.ID, Label: own.Label, Type: own.Type, Attributes: map[string]any{}, Facts: []string{}, KeptAttributes: []string{}, Preview: p.Preview,
		}
		shared := own
		if own.Layer == layers.Personal {
			if shared, err = m.candidate(ctx, r, own, p, result); err != nil {
				return nil, err
			}
		}
		result.Status = shared.Status
		if shared.verified && len(p.Attributes)+len(p.Facts) > 0 {
			return nil, &ImmutableError{Entity: shared.ID, Verified: true}
		}
		if own.Layer == layers.Universal && len(p.Attributes) > 0 {
			return nil, &FieldError{Index: -1, Field: "attributes", Rule: "are named, but the entity is UNIVERSAL: of that only facts of yours can be promoted"}
		}
		if err := m.promoteFacts(ctx, r, own, shared, p.Facts, result); err != nil {
			return nil, err
		}
		if own.Layer == layers.Universal {
			return result, nil
		}
		done, err := m.absorb(ctx, r, shared, own)
		if err != nil {
			return nil, err
		}
		result.KeptFacts, result.KeptRelations, result.KeptAttributes = done.Facts, done.Relations, done.StatedAttributes
		return result, nil
	})
}

// candidate finds or makes the UNIVERSAL entity that an owner's own becomes.
func (m *Memory) candidate(ctx context.Context, r runner, own target, p PromoteParams, result *PromoteResult) (target, error) {
	if own.Type == ontology.Unknown {
		return target{}, fmt.Errorf("%q has no known type, so it can't be promoted: %w", ontology.Shorten(own.ID), ErrConflict)
	}
	for _, name := range p.Attributes {
		v, ok := own.entity[name]
		if !ok || ontology.CheckAttribute(name) != nil {
			return target{}, fmt.Errorf("no attribute %q of %q: %w", ontology.Shorten(name), ontology.Shorten(own.ID), ErrNotFound)
		}
		result.Attributes[name] = v
	}
	// The id is that of the label: the owner's own may be an old name, or one that
	// means something to nobody else.
	id, err := ontology.ID(own.Label)
	if err != nil {
		return target{}, err
	}
	if twin, err := ontology.Suffix(id, own.Type); err == nil && own.ID == twin {
		id = twin
	}
	result.ID = id
	world := m.client.World()
	shared, err := world.find(ctx, r, EntityRef{ID: id})
	var missing *NotFoundError
	switch {
	case errors.As(err, &missing):
		result.Created = true
	case err != nil:
		return target{}, err
	case shared.Type != own.Type:
		return target{}, fmt.Errorf("a UNIVERSAL entity %q is there with the type %s: %w", ontology.Shorten(id), shared.Type, ErrConflict)
	case shared.verified:
		return shared, nil
	}
	batch, err := world.newBatch(UpsertParams{
		Layer: layers.Universal, NoActivation: true,
		Entities: []Entity{{ID: id, Name: own.Label, Type: own.Type, Attributes: result.Attributes}},
	})
	if err != nil {
		return target{}, err
	}
	if _, err := world.store(ctx, r, batch); err != nil {
		return target{}, err
	}
	for name, v := range result.Attributes {
		result.Attributes[name] = attributeOf(v)
	}
	return world.find(ctx, r, EntityRef{ID: id})
}

// promoteFacts makes facts of the owner UNIVERSAL ones: with another owner and
// without what says who stated them.
func (m *Memory) promoteFacts(ctx context.Context, r runner, own, shared target, texts []string, result *PromoteResult) error {
	for _, text := range texts {
		f, err := m.statement(ctx, r, own, text)
		if err != nil {
			return err
		}
		if f.current == nil {
			return m.noFact(ctx, r, own, text)
		}
		stated := stringOf(f.current["text"])
		world := stateFact(layers.WorldOwner, shared.Key(), stated, m.client.now(), f.current["valid_from"])
		world.sources = []string{layers.SourceWorld}
		stored, err := r.run(ctx, cypher.FactUpsert, map[string]any{"rows": []map[string]any{world.params(layers.WorldOwner)}})
		if err != nil {
			return err
		}
		if len(stored) == 0 {
			return errRaced // the entity isn't there any more
		}
		if _, err := r.run(ctx, cypher.FactRemove, map[string]any{"key": f.key}); err != nil {
			return err
		}
		result.Facts = append(result.Facts, stated)
	}
	return nil
}
