package acervo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// RenameParams says how an entity is called from now on.
type RenameParams struct {
	Entity EntityRef
	// Name is the new name.
	Name string
}

// RenameResult says what became of an entity's names.
type RenameResult struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	// Before is the label that it had, which is an alias now.
	Before  string `json:"before"`
	Changed bool   `json:"changed"`
}

// Rename gives an entity another label. Its id stays, so that nothing loses it,
// and both names find it. It fails with ErrNotFound if there is no such entity,
// ErrConflict if another one of the same layer has the new name, and ErrImmutable
// if it is UNIVERSAL and the memory is an owner's.
func (m *Memory) Rename(ctx context.Context, params RenameParams) (*RenameResult, error) {
	return inSession(ctx, m, cypher.EntityNames.Name, "rename", m.rename(params))
}

// RenameTx is [Memory.Rename] in a transaction of the caller.
func (m *Memory) RenameTx(ctx context.Context, tx Tx, params RenameParams) (*RenameResult, error) {
	return inTx(ctx, m, tx, "rename", m.rename(params))
}

func (m *Memory) rename(p RenameParams) operation[RenameResult] {
	faults := append(m.checkWrite(), p.Entity.check("", "entity", "entity_id")...)
	id, err := ontology.ID(p.Name)
	if err != nil {
		faults = append(faults, fault("", -1, "name", err))
	}
	label := strings.TrimSpace(p.Name)
	return operation[RenameResult]{faults: faults, run: func(ctx context.Context, r runner) (*RenameResult, error) {
		t, err := m.find(ctx, r, p.Entity)
		if err != nil {
			return nil, err
		}
		if err := m.mayChange(t); err != nil {
			return nil, err
		}
		result := &RenameResult{ID: t.ID, Label: label, Before: t.Label, Changed: label != t.Label}
		if !result.Changed {
			return result, nil
		}
		if err := t.lock(ctx, r); err != nil {
			return nil, err
		}
		if err := m.nameFree(ctx, r, t, p.Name); err != nil {
			return nil, err
		}
		if id != t.ID {
			if err := storeAliases(ctx, r, map[alias]string{{t.owner, id, t.Key()}: label}, "", m.client.now()); err != nil {
				return nil, err
			}
		}
		if before, err := ontology.ID(t.Label); err == nil && before != t.ID {
			if err := storeAliases(ctx, r, map[alias]string{{t.owner, before, t.Key()}: t.Label}, "", m.client.now()); err != nil {
				return nil, err
			}
		}
		_, err = r.run(ctx, cypher.EntityNames, map[string]any{
			"owner": t.owner, "id": t.ID, "label": label, "add": []string{t.Label}, "remove": []string{label, t.Label}, "now": m.client.now(),
		})
		return result, err
	}}
}

// nameFree fails with ErrConflict if a name means another entity of a target's layer.
func (m *Memory) nameFree(ctx context.Context, r runner, t target, name string) error {
	other, err := m.find(ctx, r, EntityRef{Name: name})
	var missing *NotFoundError
	switch {
	case errors.As(err, &missing):
		return nil
	case err != nil:
		return err
	case other.Layer == t.Layer && other.ID != t.ID:
		return fmt.Errorf("%q is the name of %q; to make one of the two, merge them: %w", ontology.Shorten(name), ontology.Shorten(other.ID), ErrConflict)
	}
	return nil
}

// AliasParams names an entity and other names of it.
type AliasParams struct {
	Entity EntityRef
	// Aliases are names, at most 1,000.
	Aliases []string
}

// AliasResult says what became of an entity's aliases.
type AliasResult struct {
	ID    string       `json:"id"`
	Layer layers.Layer `json:"layer"`
	// Changed are the aliases that were added or removed; those that were there, or
	// weren't, are left out.
	Changed []string `json:"changed"`
}

// AddAlias lets other names find an entity. Those that an owner gives to a
// UNIVERSAL entity are the owner's own. It fails with ErrNotFound if there is no
// such entity.
func (m *Memory) AddAlias(ctx context.Context, params AliasParams) (*AliasResult, error) {
	return inSession(ctx, m, cypher.AliasUpsert.Name, "add alias", m.addAlias(params))
}

// AddAliasTx is [Memory.AddAlias] in a transaction of the caller.
func (m *Memory) AddAliasTx(ctx context.Context, tx Tx, params AliasParams) (*AliasResult, error) {
	return inTx(ctx, m, tx, "add alias", m.addAlias(params))
}

// RemoveAlias takes names from an entity: an owner's own names only. The label
// and the id stay. It fails with ErrNotFound if there is no such entity or it has
// none of the names.
func (m *Memory) RemoveAlias(ctx context.Context, params AliasParams) (*AliasResult, error) {
	return inSession(ctx, m, cypher.AliasRemove.Name, "remove alias", m.removeAlias(params))
}

// RemoveAliasTx is [Memory.RemoveAlias] in a transaction of the caller.
func (m *Memory) RemoveAliasTx(ctx context.Context, tx Tx, params AliasParams) (*AliasResult, error) {
	return inTx(ctx, m, tx, "remove alias", m.removeAlias(params))
}

// checked gives the names with their ids.
func (p AliasParams) checked() ([]batchAlias, []*FieldError) {
	faults := p.Entity.check("", "entity", "entity_id")
	if n := len(p.Aliases); n == 0 || n > 1000 {
		faults = append(faults, &FieldError{Index: -1, Field: "aliases", Value: fmt.Sprint(n), Rule: "are not from 1 to 1000"})
	}
	var names []batchAlias
	for i, name := range p.Aliases {
		id, err := ontology.ID(name)
		if err != nil {
			faults = append(faults, fault("alias", i, "name", err))
		}
		names = append(names, batchAlias{id, strings.TrimSpace(name)})
	}
	return names, faults
}

func (m *Memory) addAlias(p AliasParams) operation[AliasResult] {
	names, faults := p.checked()
	return operation[AliasResult]{faults: append(m.checkWrite(), faults...), run: func(ctx context.Context, r runner) (*AliasResult, error) {
		t, known, err := m.named(ctx, r, p.Entity)
		if err != nil {
			return nil, err
		}
		result := &AliasResult{ID: t.ID, Layer: t.Layer, Changed: []string{}}
		add := map[alias]string{}
		for _, name := range names {
			if _, there := known[name.id]; !there && name.id != t.ID {
				add[alias{m.owner, name.id, t.Key()}] = name.label
				result.Changed = with(result.Changed, name.label)
			}
		}
		if len(result.Changed) == 0 {
			return result, nil
		}
		if t.owner == m.owner {
			if err := t.lock(ctx, r); err != nil {
				return nil, err
			}
		}
		if err := storeAliases(ctx, r, add, "", m.client.now()); err != nil {
			return nil, err
		}
		return result, m.listAliases(ctx, r, t, result.Changed, nil)
	}}
}

func (m *Memory) removeAlias(p AliasParams) operation[AliasResult] {
	names, faults := p.checked()
	return operation[AliasResult]{faults: append(m.checkWrite(), faults...), run: func(ctx context.Context, r runner) (*AliasResult, error) {
		t, known, err := m.named(ctx, r, p.Entity)
		if err != nil {
			return nil, err
		}
		result := &AliasResult{ID: t.ID, Layer: t.Layer, Changed: []string{}}
		var rows []map[string]any
		var listed []string
		for _, name := range names {
			label, there := known[name.id]
			for _, a := range stringsOf(t.entity["aliases"]) { // an alias may have the id of the label
				if id, err := ontology.ID(a); err == nil && id == name.id && m.ownerIn(t.Layer) == m.owner {
					listed, label, there = append(listed, a), a, true
				}
			}
			if there {
				rows = append(rows, map[string]any{"owner": m.owner, "id": name.id, "entity": string(t.Key())})
				result.Changed = with(result.Changed, label)
			}
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("none of %q is an alias of %q: %w", p.Aliases, ontology.Shorten(t.ID), ErrNotFound)
		}
		if _, err := r.run(ctx, cypher.AliasRemove, map[string]any{"rows": rows, "via": nil}); err != nil {
			return nil, err
		}
		return result, m.listAliases(ctx, r, t, nil, listed)
	}}
}

// named finds an entity and the names that the memory's owner gave it, by id.
// Names that come from an ALIAS_OF aren't among them.
func (m *Memory) named(ctx context.Context, r runner, ref EntityRef) (target, map[string]string, error) {
	t, err := m.find(ctx, r, ref)
	if err != nil {
		return t, nil, err
	}
	records, err := r.run(ctx, cypher.AliasOfEntity, map[string]any{"entity": string(t.Key()), "owner": m.owner})
	if err != nil {
		return t, nil, err
	}
	known := map[string]string{}
	for _, record := range records {
		if a := mapOf(record.AsMap()["alias"]); a["via"] == nil {
			known[stringOf(a["id"])] = stringOf(a["label"])
		}
	}
	return t, known, nil
}

// listAliases changes the aliases that an entity lists, if it is the memory's own.
func (m *Memory) listAliases(ctx context.Context, r runner, t target, add, remove []string) error {
	if t.owner != m.owner {
		return nil
	}
	_, err := r.run(ctx, cypher.EntityNames, map[string]any{
		"owner": t.owner, "id": t.ID, "label": nil, "add": orEmpty(add), "remove": orEmpty(remove), "now": m.client.now(),
	})
	return err
}
