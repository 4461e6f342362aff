package acervo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// forgetBatch is how many nodes or relationships one transaction of a removal
// deletes unless told otherwise.
const forgetBatch = 1000

// ForgetParams say how an owner is forgotten.
type ForgetParams struct {
	// BatchSize is how many nodes or relationships one transaction deletes, from 1
	// to 10,000. Default 1,000.
	BatchSize int
	// Progress is called after each transaction with what has been removed so far.
	Progress func(ForgetResult)
	// DryRun counts what there is of the owner and removes nothing.
	DryRun bool
}

// ForgetResult counts what was removed.
type ForgetResult struct {
	// Nodes are counted by label, for example AcervoFact.
	Nodes map[string]int64 `json:"nodes"`
	// Relations counts the owner's relations, those to UNIVERSAL entities included.
	Relations int64 `json:"relations"`
	DryRun    bool  `json:"dry_run,omitempty"`
}

// Forget removes everything of the memory's owner: entities, facts, relations,
// aliases and sessions, with their history. Nothing else is touched: UNIVERSAL
// entities and what other owners said of them stay as they are, and so do the
// names of types, relations and attributes, which all owners share.
//
// It works in transactions of a bounded size. If it is interrupted, the same call
// goes on where it ended. The owner should not write meanwhile.
func (m *Memory) Forget(ctx context.Context, params ForgetParams) (*ForgetResult, error) {
	result, err := m.forget(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("forget: %w", err)
	}
	return result, nil
}

// checkBatch checks the size of the transactions of a removal.
func checkBatch(size *int) []*FieldError {
	if *size = orDefault(*size, forgetBatch); *size > 10_000 {
		return []*FieldError{{Index: -1, Field: "batch_size", Value: fmt.Sprint(*size), Rule: "is more than 10000"}}
	}
	return nil
}

func (m *Memory) forget(ctx context.Context, params ForgetParams) (*ForgetResult, error) {
	if err := joinFaults(append(m.checkOwned(), checkBatch(&params.BatchSize)...)); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	if params.DryRun {
		return m.countOwned(ctx)
	}
	f := forgetting{m: m, params: params, result: &ForgetResult{Nodes: map[string]int64{}}}
	// Relations first, so that no node is deleted with more relationships than a
	// transaction should hold; references last, since they lead to relations.
	for _, step := range []func(context.Context) error{f.crossing, f.relationships, f.nodes} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return f.result, nil
}

func (m *Memory) countOwned(ctx context.Context) (*ForgetResult, error) {
	result := &ForgetResult{}
	err := m.client.read(ctx, cypher.ForgetCount.Name, func(r runner) error {
		*result = ForgetResult{Nodes: map[string]int64{}, DryRun: true}
		records, err := r.run(ctx, cypher.ForgetCount, map[string]any{"owner": m.owner})
		if err != nil {
			return err
		}
		for label, n := range mapOf(records[0].AsMap()["counts"]) {
			switch {
			case label == "relations":
				result.Relations = intOf(n)
			case intOf(n) > 0:
				result.Nodes[label] = intOf(n)
			}
		}
		return nil
	})
	return result, err
}

// forgetting is one run of Forget.
type forgetting struct {
	m      *Memory
	params ForgetParams
	result *ForgetResult
}

// until runs work in transactions until it removes nothing, and counts.
func (f forgetting) until(ctx context.Context, name string, count func(n int64), work func(r runner) (int64, error)) error {
	for {
		var removed int64
		err := f.m.client.write(ctx, name, func(r runner) (err error) {
			removed, err = work(r)
			return err
		})
		if err != nil || removed == 0 {
			return err
		}
		count(removed)
		if f.params.Progress != nil {
			f.params.Progress(*f.result)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

func (f forgetting) values() map[string]any {
	return map[string]any{"owner": f.m.owner, "limit": int64(f.params.BatchSize)}
}

func (f forgetting) relations(n int64) { f.result.Relations += n }

// crossing removes the owner's relations that touch UNIVERSAL entities, each with
// what notes it. Nothing but the owner's references leads to them without walking
// those of others.
func (f forgetting) crossing(ctx context.Context) error {
	var relations int64
	return f.until(ctx, cypher.ForgetCrossing.Name, func(int64) { f.relations(relations) }, func(r runner) (int64, error) {
		relations = 0
		records, err := r.run(ctx, cypher.ForgetCrossing, f.values())
		if err != nil || len(records) == 0 {
			return 0, err
		}
		groups := map[string][]map[string]any{}
		references := make([]map[string]any, len(records))
		for i, record := range records {
			answer := record.AsMap()
			from, to, typ := layers.UniversalKey(stringOf(answer["id"])), keyOf(answer, "other"), stringOf(answer["type"])
			if !boolOf(answer["outgoing"]) {
				from, to = to, from
			}
			row := link{origin{f.m.owner, typ, from}, to}.row(f.m.client.now(), false)
			groups[typ] = append(groups[typ], row)
			references[i] = referenceOf(row, from, to)
		}
		for _, typ := range slices.Sorted(maps.Keys(groups)) {
			ended, err := r.run(ctx, cypher.RelationEnd.Of(typ), map[string]any{"rows": groups[typ]})
			if err != nil {
				return 0, err
			}
			relations += int64(len(ended)) // others are gone, by somebody's own Cypher
		}
		_, err = r.run(ctx, cypher.ReferenceEnd, map[string]any{"rows": references})
		return int64(len(records)), err
	})
}

func (f forgetting) relationships(ctx context.Context) error {
	after := ""
	var relations int64
	return f.until(ctx, cypher.ForgetRelationships.Name, func(int64) { f.relations(relations) }, func(r runner) (int64, error) {
		values := f.values()
		values["after"] = after
		records, err := r.run(ctx, cypher.ForgetRelationships, values)
		if err != nil {
			return 0, err
		}
		answer := records[0].AsMap()
		if last := stringOf(answer["last"]); last != "" {
			after = last
		}
		relations = intOf(answer["relations"])
		return intOf(answer["removed"]), nil
	})
}

func (f forgetting) nodes(ctx context.Context) error {
	statements := cypher.Owned()
	slices.Reverse(statements) // entities last, as all others name them, but for vectors, of which an entity may get one while it is there
	slices.SortStableFunc(statements, func(a, b cypher.Statement) int {
		return cmp.Compare(strings.Count(a.Name, "AcervoVector"), strings.Count(b.Name, "AcervoVector"))
	})
	for _, s := range statements {
		label := strings.TrimPrefix(s.Name, "owned/")
		count := func(n int64) { f.result.Nodes[label] += n }
		if err := f.until(ctx, s.Name, count, func(r runner) (int64, error) {
			return removed(r.run(ctx, s, f.values()))
		}); err != nil {
			return err
		}
	}
	return nil
}

// removed reads how much a statement removed.
func removed[R interface{ AsMap() map[string]any }](records []R, err error) (int64, error) {
	if err != nil || len(records) == 0 {
		return 0, err
	}
	return intOf(records[0].AsMap()["removed"]), nil
}

// RemoveEntityParams says which entity is removed.
type RemoveEntityParams struct {
	Entity EntityRef
	// BatchSize, Progress and DryRun are as in [ForgetParams].
	BatchSize int
	Progress  func(RemoveEntityResult)
	DryRun    bool
}

// RemoveEntityResult counts what was removed with an entity.
type RemoveEntityResult struct {
	ID    string       `json:"id"`
	Label string       `json:"label"`
	Layer layers.Layer `json:"layer"`
	// Facts, Relations and Ended count current and past facts, relations, and
	// relations that had ended.
	Facts     int64 `json:"facts"`
	Relations int64 `json:"relations"`
	Ended     int64 `json:"ended"`
	Aliases   int64 `json:"aliases"`
	// Sessions counts those that it was hot or warm in.
	Sessions int64 `json:"sessions"`
	DryRun   bool  `json:"dry_run,omitempty"`
}

// RemoveEntity removes an entity with its facts, relations, aliases and history,
// as if it had never been said. It works in transactions of a bounded size, the
// entity itself in the last one; if it is interrupted, the same call goes on.
//
// It fails with ErrNotFound if there is no such entity, and ErrImmutable if it is
// UNIVERSAL and the memory is an owner's. For [Client.World] it fails with
// ErrConflict if an owner or a pack uses the entity.
func (m *Memory) RemoveEntity(ctx context.Context, params RemoveEntityParams) (*RemoveEntityResult, error) {
	result, err := m.removeEntity(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("remove entity: %w", err)
	}
	return result, nil
}

// RemoveEntityTx is [Memory.RemoveEntity] in one transaction of the caller; the
// size of the batches doesn't count. A dry run can't join it.
func (m *Memory) RemoveEntityTx(ctx context.Context, tx Tx, params RemoveEntityParams) (*RemoveEntityResult, error) {
	faults := append(m.checkWrite(), params.Entity.check("", "entity", "entity_id")...)
	return inTx(ctx, m, tx, "remove entity", tried(params.DryRun, faults, func(ctx context.Context, r runner) (*RemoveEntityResult, error) {
		d, err := m.removal(ctx, r, params.Entity)
		if err != nil {
			return nil, err
		}
		return d.result, d.all(ctx, r)
	}))
}

func (m *Memory) removeEntity(ctx context.Context, params RemoveEntityParams) (*RemoveEntityResult, error) {
	faults := append(m.checkWrite(), params.Entity.check("", "entity", "entity_id")...)
	if err := joinFaults(append(faults, checkBatch(&params.BatchSize)...)); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	var d *removal
	if err := m.client.read(ctx, cypher.EntityFind.Name, func(r runner) (err error) {
		d, err = m.removal(ctx, r, params.Entity)
		if err != nil || !params.DryRun {
			return err
		}
		return d.count(ctx, r)
	}); err != nil || params.DryRun {
		if d == nil {
			return nil, err
		}
		return d.result, err
	}
	for {
		before, done := *d.result, false
		err := m.client.write(ctx, cypher.ForgetEntityRelations.Name, func(r runner) (err error) {
			*d.result = before // a transaction that is done again counts once
			done, err = d.some(ctx, r, params.BatchSize)
			return err
		})
		if err != nil {
			return nil, err
		}
		if params.Progress != nil {
			params.Progress(*d.result)
		}
		if done {
			return d.result, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// removal is the removal of one entity.
type removal struct {
	m      *Memory
	t      target
	result *RemoveEntityResult
}

// removal finds the entity and checks that it may be removed.
func (m *Memory) removal(ctx context.Context, r runner, ref EntityRef) (*removal, error) {
	t, err := m.find(ctx, r, ref)
	if err != nil {
		return nil, err
	}
	if err := m.mayChange(t); err != nil {
		return nil, err
	}
	d := &removal{m: m, t: t, result: &RemoveEntityResult{ID: t.ID, Label: t.Label, Layer: t.Layer}}
	return d, d.unused(ctx, r)
}

// unused fails with ErrConflict if somebody uses a UNIVERSAL entity.
func (d *removal) unused(ctx context.Context, r runner) error {
	if d.t.Layer != layers.Universal {
		return nil
	}
	records, err := r.run(ctx, cypher.ReferenceUsers, map[string]any{"ids": []string{d.t.ID}})
	if err != nil {
		return err
	}
	answer := records[0].AsMap()
	owners, packs := intOf(answer["owners"]), stringsOf(answer["packs"])
	if owners > 0 || len(packs) > 0 {
		used := fmt.Sprintf("%q is used by %d owners", ontology.Shorten(d.t.ID), owners)
		if len(packs) > 0 {
			used += fmt.Sprintf(" and provided by the packs %q", packs)
		}
		return fmt.Errorf("%s: %w", used, ErrConflict)
	}
	return nil
}

// count counts for a dry run.
func (d *removal) count(ctx context.Context, r runner) error {
	d.result.DryRun = true
	records, err := r.run(ctx, cypher.ForgetEntityCount, map[string]any{"owner": d.t.owner, "id": d.t.ID})
	if err != nil || len(records) == 0 {
		return err
	}
	answer := records[0].AsMap()
	d.result.Facts, d.result.Relations = intOf(answer["facts"]), intOf(answer["relations"])
	aliases, err := r.run(ctx, cypher.AliasOfEntity, map[string]any{"entity": string(d.t.Key()), "owner": d.t.owner})
	for _, record := range aliases {
		d.alias(mapOf(record.AsMap()["alias"]))
	}
	return err
}

// alias counts a name, unless an ALIAS_OF gave it.
func (d *removal) alias(a map[string]any) {
	if a["via"] == nil {
		d.result.Aliases++
	}
}

// all removes everything in one transaction.
func (d *removal) all(ctx context.Context, r runner) error {
	for {
		done, err := d.some(ctx, r, math.MaxInt32)
		if done || err != nil {
			return err
		}
	}
}

// some removes a part of what hangs on the entity, and at last the entity.
func (d *removal) some(ctx context.Context, r runner, limit int) (bool, error) {
	values := map[string]any{"owner": d.t.owner, "id": d.t.ID, "limit": int64(limit)}
	facts, err := removed(r.run(ctx, cypher.ForgetEntityFacts, values))
	if d.result.Facts += facts; err != nil || facts > 0 {
		return false, err
	}
	relations, err := r.run(ctx, cypher.ForgetEntityRelations, values)
	if err != nil {
		return false, err
	}
	if len(relations) > 0 {
		answer := relations[0].AsMap()
		if d.result.Relations += intOf(answer["removed"]); intOf(answer["deleted"]) > 0 {
			return false, nil
		}
	}
	ended, err := removed(r.run(ctx, cypher.ForgetEntityEnded, map[string]any{"owner": d.t.owner, "key": string(d.t.Key()), "limit": int64(limit)}))
	if d.result.Ended += ended; err != nil || ended > 0 {
		return false, err
	}
	return true, d.last(ctx, r)
}

// last removes the entity and its names.
func (d *removal) last(ctx context.Context, r runner) error {
	if err := d.unused(ctx, r); err != nil {
		return err
	}
	aliases, err := r.run(ctx, cypher.AliasOfEntity, map[string]any{"entity": string(d.t.Key()), "owner": d.t.owner})
	if err != nil {
		return err
	}
	var rows []map[string]any
	for _, record := range aliases {
		a := mapOf(record.AsMap()["alias"])
		rows = append(rows, map[string]any{"owner": a["owner"], "id": a["id"], "entity": a["entity"]})
		d.alias(a)
	}
	if len(rows) > 0 {
		if _, err := r.run(ctx, cypher.AliasRemove, map[string]any{"rows": rows, "via": nil}); err != nil {
			return err
		}
	}
	if _, err := r.run(ctx, cypher.AliasUnrelate, map[string]any{"owner": d.t.owner, "id": d.t.ID}); err != nil {
		return err
	}
	sessions, err := r.run(ctx, cypher.SessionPurge, map[string]any{"owner": d.t.user(), "keys": []string{string(d.t.Key())}})
	if err != nil {
		return err
	}
	d.result.Sessions = intOf(sessions[0].AsMap()["sessions"])
	if d.t.Layer == layers.Universal {
		if _, err := r.run(ctx, cypher.ReferenceRemove, map[string]any{"id": d.t.ID}); err != nil {
			return err
		}
	}
	_, err = r.run(ctx, cypher.EntityDelete, map[string]any{"owner": d.t.owner, "id": d.t.ID})
	return err
}
