package acervo

import (
	"context"
	"fmt"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
)

// UpsertParams is one batch of what was learned.
type UpsertParams struct {
	// Layer is the layer of what the batch says. Default PERSONAL, and UNIVERSAL
	// for [Client.World]. A relation or fact that touches a PERSONAL entity is
	// PERSONAL whatever is said here.
	Layer layers.Layer
	// Source is where the entities and relations come from. Default
	// "user_assertion", and "world" in the UNIVERSAL layer, which admits no other. A
	// UNIVERSAL batch that says so itself vouches for it: a new entity whose type is
	// known is then complete, otherwise pending_verification. Neither is verified.
	Source string
	// Confidence is from 0 to 1. Default 1 for what is new; what is there keeps its own.
	Confidence *float64
	Entities   []Entity
	Relations  []Relation
	Facts      []Fact
	// NoActivation leaves the session alone. Default: what the batch names becomes hot.
	NoActivation bool
}

// Entity is a thing or person that a batch names.
type Entity struct {
	// Name finds or makes the entity; the first spelling stays its label. Up to 2,048 bytes.
	Name string
	// Type is the entity's type in whatever case, with or without accents, also in
	// English for built-in types. Empty, "Desconocido" or "Unknown" says that it
	// isn't known: a new entity is then incomplete.
	Type string
	// ID is an explicit id. Default: the id of the name, see [ontology.ID].
	ID string
	// Aliases are other names under which the entity is found.
	Aliases []string
	// Attributes are strings, booleans, integers, floats, times, and lists of one
	// of them. nil removes an attribute, an absent one stays as it is.
	Attributes map[string]any
	// Source and Confidence are those of the batch unless given.
	Source     string
	Confidence *float64
	// CreatedAt is for imports. Default: now.
	CreatedAt time.Time
}

// Relation is a directed relation between two entities, which are named as
// entities of the batch, or as ones that are there; else they are made, incomplete.
type Relation struct {
	From, To string
	// Type is the relation's name in whatever case, with or without accents, also
	// in English for built-in relations. A new name is registered as it is spelled.
	Type string
	// FromType and ToType choose among entities of one name. Default: the first.
	FromType, ToType string
	// FromID and ToID are explicit ids, which count instead of the names.
	FromID, ToID string
	// Source and Confidence are those of the batch unless given.
	Source     string
	Confidence *float64
	// ValidFrom is since when it is so, no time to come. Default: CreatedAt. Of a
	// single-valued relation, the target with the latest one is current, and each earlier one
	// ended when the next began.
	ValidFrom time.Time
	// CreatedAt is for imports. Default: now.
	CreatedAt time.Time
}

// Fact is a statement about one entity. The same statement again, but for case,
// accents and punctuation, only adds its source.
type Fact struct {
	// Entity names the entity, as in [Relation].
	Entity string
	Text   string
	// Source is who says so. Default "user", and "world" in the UNIVERSAL layer. In
	// a UNIVERSAL batch of an owner, a fact of any other source is PERSONAL.
	Source string
	// Detail says more of the source, for example the session. Default: nothing. It
	// isn't kept for a fact that an owner states in the UNIVERSAL layer, where
	// everybody would see it.
	Detail string
	// EntityType and EntityID choose among entities of one name, as in [Relation].
	EntityType, EntityID string
	// Confidence is that of the batch unless given.
	Confidence *float64
	// ValidFrom is since when it is so, no time to come. Default: CreatedAt.
	ValidFrom time.Time
	// CreatedAt is for imports. Default: now; facts of one batch are a microsecond
	// apart, so that the order in which they were said is kept.
	CreatedAt time.Time
}

// UpsertResult says what became of each item, in the order of the batch.
type UpsertResult struct {
	Entities  []EntityResult   `json:"entities"`
	Relations []RelationResult `json:"relations"`
	Facts     []FactResult     `json:"facts"`
	// Implied are the entities that relations and facts name and the batch doesn't list.
	Implied []EntityResult `json:"implied"`
	// RegisteredTypes, RegisteredRelations and RegisteredAttributes are the names
	// that the batch brought into the ontology.
	RegisteredTypes      []string `json:"registered_types"`
	RegisteredRelations  []string `json:"registered_relations"`
	RegisteredAttributes []string `json:"registered_attributes"`
}

// EntityResult says what became of an entity.
type EntityResult struct {
	ID     string        `json:"id"`
	Label  string        `json:"label"`
	Type   string        `json:"type"`
	Layer  layers.Layer  `json:"layer"`
	Status layers.Status `json:"status"`
	// Created: it is new. Completed: its type was unknown and is known now.
	// Matched: it was there. Changed: something of it was written.
	Created   bool `json:"created"`
	Matched   bool `json:"matched"`
	Completed bool `json:"completed"`
	Changed   bool `json:"changed"`
	// Reference: it was not written, as it belongs to the other layer or is verified.
	Reference bool `json:"reference"`
	// Verified: no owner's call changes it.
	Verified bool `json:"verified,omitempty"`
	// Conflict is set if it has another type than the batch says; its own stays.
	Conflict *TypeConflict `json:"conflict,omitempty"`
	// AttributeFacts are attributes that the owner states of an entity of the
	// UNIVERSAL layer: each became the owner's own fact "name: value".
	AttributeFacts []string `json:"attribute_facts,omitempty"`
	// KeptAttributes are attributes that the batch removes and an entity that
	// couldn't be written keeps.
	KeptAttributes []string `json:"kept_attributes,omitempty"`
}

// TypeConflict is a type that wasn't taken.
type TypeConflict struct {
	Stored string `json:"stored"`
	Given  string `json:"given"`
}

// RelationResult says what became of a relation.
type RelationResult struct {
	From    string       `json:"from"`
	Type    string       `json:"type"`
	To      string       `json:"to"`
	Layer   layers.Layer `json:"layer"`
	Created bool         `json:"created"`
	// Ended are the ids of the earlier targets that a single-valued relation left,
	// or, of a relation that was over before the current one began, its own.
	Ended []string `json:"ended,omitempty"`
}

// FactResult says what became of a fact.
type FactResult struct {
	Entity string       `json:"entity"`
	Text   string       `json:"text"`
	Layer  layers.Layer `json:"layer"`
	// Created: it is new. GainedSource: it was there and has one more source.
	Created      bool `json:"created"`
	GainedSource bool `json:"gained_source"`
}

// UpsertEntities stores a batch in one transaction: all of it or nothing.
//
// It fails with ErrInvalid before anything is sent if an item breaks a rule, the
// error being a [ValidationError] that names every fault; with ErrLimit if the
// ontology would grow past its limit; with ErrSchemaOutdated if the database
// isn't prepared.
func (m *Memory) UpsertEntities(ctx context.Context, params UpsertParams) (*UpsertResult, error) {
	result, err := m.upsert(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("upsert entities: %w", err)
	}
	return result, nil
}

func (m *Memory) upsert(ctx context.Context, params UpsertParams) (*UpsertResult, error) {
	batch, err := m.newBatch(params)
	if err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	result, err := m.storeOnce(ctx, batch)
	if err != nil || result != nil {
		return result, err
	}
	attempts := 0
	err = m.client.write(ctx, cypher.EntityUpsert.Name, func(r runner) (err error) {
		attempts++
		result, err = m.store(ctx, r, batch)
		if err == nil && attempts == 1 && hasConflict(result) {
			// Another process may have declared one of the types meanwhile.
			return m.recheckTypes(ctx, r)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(result.RegisteredTypes)+len(result.RegisteredRelations)+len(result.RegisteredAttributes) > 0 {
		if _, err := m.client.refresh(ctx); err != nil {
			// The batch is committed; the next call that misses a name reads it again.
			m.client.log.Warn().Err(err).Msg("ontology wasn't read again")
		}
	}
	return result, nil
}

// UpsertEntitiesTx is [Memory.UpsertEntities] in a transaction of the caller. It
// doesn't check the server and its schema. It may fail with ErrConflict if
// another transaction wrote the same entity at the same time; the caller then
// has to roll back and start again.
func (m *Memory) UpsertEntitiesTx(ctx context.Context, tx Tx, params UpsertParams) (*UpsertResult, error) {
	batch, err := m.newBatch(params)
	if err != nil {
		return nil, fmt.Errorf("upsert entities: %w", err)
	}
	r := m.client.joined(tx)
	if err := m.client.knowOntology(ctx, r); err != nil {
		return nil, fmt.Errorf("upsert entities: %w", classify(ctx, err))
	}
	result, err := m.store(ctx, r, batch)
	if err != nil {
		return nil, fmt.Errorf("upsert entities: %w", classify(ctx, err))
	}
	return result, nil
}

func hasConflict(r *UpsertResult) bool {
	for _, list := range [][]EntityResult{r.Entities, r.Implied} {
		for _, e := range list {
			if e.Conflict != nil {
				return true
			}
		}
	}
	return false
}

// recheckTypes reads the ontology in the transaction and asks for another
// attempt if other types are declared than this client knew.
func (m *Memory) recheckTypes(ctx context.Context, r runner) error {
	o, err := readOntology(ctx, r)
	if err != nil {
		return err
	}
	known := m.client.snapshot()
	m.client.setOntology(o)
	if a, b := known.DeclaredTypes(), o.DeclaredTypes(); !containsAll(a, b) {
		return errRaced
	}
	return nil
}

// Check reports what is wrong with a batch, as [Memory.UpsertEntities] would
// before it sends anything. It does no I/O.
func (m *Memory) Check(params UpsertParams) error {
	if _, err := m.newBatch(params); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	return nil
}
