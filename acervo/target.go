package acervo

import (
	"context"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// EntityRef names one entity. A name or an id means the owner's own entity, if
// there is one, else the UNIVERSAL one; Layer says otherwise. Where it means
// several, the call fails with ErrConflict, an [AmbiguousError], and Type or ID has
// to choose.
type EntityRef struct {
	// Name is a name or an alias.
	Name string
	// ID is an exact id, which counts instead of the name.
	ID string
	// Type leaves out entities of other types. Default: any.
	Type string
	// Layer leaves out entities of the other layer. Default: neither.
	Layer layers.Layer
}

// check says what is wrong with a reference in the fields of a call.
func (e EntityRef) check(item, nameField, idField string) []*FieldError {
	var faults []*FieldError
	if e.Layer != "" {
		if _, err := layers.ParseLayer(string(e.Layer)); err != nil {
			faults = append(faults, fault(item, -1, strings.TrimSuffix(idField, "id")+"layer", err))
		}
	}
	if e.ID != "" {
		if rule := ontology.CheckText(e.ID, ontology.MaxID); rule != "" {
			faults = append(faults, &FieldError{Item: item, Index: -1, Field: idField, Value: ontology.Shorten(e.ID), Rule: rule})
		}
	} else if _, err := ontology.ID(e.Name); err != nil {
		faults = append(faults, fault(item, -1, nameField, err))
	}
	return faults
}

func (e EntityRef) display() string {
	if e.ID != "" {
		return e.ID
	}
	return e.Name
}

// target is one entity that a call names.
type target struct {
	Neighbor
	owner    string // that of the entity: "world" for a UNIVERSAL one
	verified bool
	entity   map[string]any // its properties
}

// user is whose names and sessions an entity may be in, as a parameter: those of
// all owners, null, if it is UNIVERSAL.
func (t target) user() any {
	if t.Layer == layers.Universal {
		return nil
	}
	return t.owner
}

// keyOf reads the key of an entity from the owner and the id of an answer.
func keyOf(answer map[string]any, name string) layers.Key {
	if stringOf(answer[name+"_owner"]) == layers.WorldOwner {
		return layers.UniversalKey(stringOf(answer[name+"_id"]))
	}
	return layers.PersonalKey(stringOf(answer[name+"_id"]))
}

// find gives the one entity that a reference means.
func (m *Memory) find(ctx context.Context, r runner, ref EntityRef) (target, error) {
	id, isName := ref.ID, ref.ID == ""
	if isName {
		var err error
		if id, err = ontology.ID(ref.Name); err != nil {
			return target{}, fault("", -1, "name", err)
		}
	}
	var typ any
	if ref.Type != "" {
		typ, _ = canonical(ref.Type, m.client.snapshot())
	}
	records, err := r.run(ctx, cypher.EntityFind, map[string]any{
		"owner": m.owner, "rows": []map[string]any{{"i": int64(0), "id": id, "name": isName, "type": typ}},
	})
	if err != nil {
		return target{}, err
	}
	if layer, err := layers.ParseLayer(string(ref.Layer)); err == nil {
		records = slices.DeleteFunc(records, func(record *neo4j.Record) bool {
			return stringOf(mapOf(record.AsMap()["entity"])["layer"]) != string(layer)
		})
	}
	if len(records) == 0 {
		return target{}, &NotFoundError{Names: []string{ref.display()}}
	}
	ambiguous := &AmbiguousError{}
	best := intOf(records[0].AsMap()["rank"])
	for _, record := range records {
		answer := record.AsMap()
		if intOf(answer["rank"]) == best {
			ambiguous.Candidates = append(ambiguous.Candidates, decodeNeighbor(mapOf(answer["entity"])))
		}
	}
	if len(ambiguous.Candidates) > 1 {
		return target{}, ambiguous
	}
	p := mapOf(records[0].AsMap()["entity"])
	return target{Neighbor: ambiguous.Candidates[0], owner: stringOf(p["owner"]), verified: p["verified_at"] != nil, entity: p}, nil
}

// lock locks an entity that was found, and reads it again: another transaction
// may have changed it, or merged or removed it, which gives errRaced.
func (t *target) lock(ctx context.Context, r runner) error {
	records, err := r.run(ctx, cypher.EntityLock, map[string]any{"owner": t.owner, "id": t.ID})
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return errRaced
	}
	t.entity = mapOf(records[0].AsMap()["entity"])
	t.Neighbor, t.verified = decodeNeighbor(t.entity), t.entity["verified_at"] != nil
	return nil
}

// mayChange fails with ErrImmutable if a memory may not change an entity: what
// is UNIVERSAL is changed by [Client.World] only.
func (m *Memory) mayChange(t target) error {
	if t.Layer == layers.Universal && !m.world {
		return &ImmutableError{Entity: t.ID, Verified: t.verified}
	}
	return nil
}

// place is where the database has the entity that a key of an owner names.
func place(owner string, k layers.Key) (string, string) {
	layer, id, _ := k.Split()
	if layer == layers.Universal {
		return layers.WorldOwner, id
	}
	return owner, id
}

// ownerIn is the owner that the database has for what this memory says in a layer.
func (m *Memory) ownerIn(l layers.Layer) string {
	if l == layers.Universal {
		return layers.WorldOwner
	}
	return m.owner
}
