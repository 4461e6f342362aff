package acervo

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// RelationRef names one relation of the owner.
type RelationRef struct {
	From EntityRef
	// Type is the relation's name, in whatever case and with or without accents.
	Type string
	To   EntityRef
}

func (r RelationRef) check() []*FieldError {
	faults := append(r.From.check("", "from", "from_id"), r.To.check("", "to", "to_id")...)
	if err := ontology.CheckRelation(r.Type); err != nil {
		faults = append(faults, fault("", -1, "type", err))
	}
	return faults
}

// EndRelationParams says which relation is no longer so.
type EndRelationParams struct {
	RelationRef
	// At is until when it was so, no time to come. Default: now.
	At time.Time
}

// EndRelationResult says what became of a relation.
type EndRelationResult struct {
	From string `json:"from"`
	Type string `json:"type"`
	To   string `json:"to"`
	// Ended is false if it had ended before; nothing changed then.
	Ended   bool      `json:"ended"`
	ValidTo time.Time `json:"valid_to"`
}

// EndRelation ends a relation of the owner: it leaves the graph and stays in its
// history, which [Memory.AsOf] and [NeighborsParams] read. It fails with
// ErrNotFound if the owner never stated it, ErrImmutable if it is UNIVERSAL, and
// ErrInvalid if it would end before it began.
func (m *Memory) EndRelation(ctx context.Context, params EndRelationParams) (*EndRelationResult, error) {
	return inSession(ctx, m, cypher.RelationEnd.Name, "end relation", m.endRelation(params))
}

// EndRelationTx is [Memory.EndRelation] in a transaction of the caller.
func (m *Memory) EndRelationTx(ctx context.Context, tx Tx, params EndRelationParams) (*EndRelationResult, error) {
	return inTx(ctx, m, tx, "end relation", m.endRelation(params))
}

func (m *Memory) endRelation(params EndRelationParams) operation[EndRelationResult] {
	faults := append(m.checkWrite(), params.check()...)
	return operation[EndRelationResult]{faults: append(faults, m.client.checkPast("", -1, "at", params.At)...), run: func(ctx context.Context, r runner) (*EndRelationResult, error) {
		l, from, to, err := m.link(ctx, r, params.RelationRef)
		if err != nil {
			return nil, err
		}
		result := &EndRelationResult{From: from.ID, Type: l.typ, To: to.ID, ValidTo: m.when(params.At, time.Time{})}
		outcome, err := l.end(ctx, r, result.ValidTo, true)
		if err == nil && outcome.found && !outcome.ended && params.At.IsZero() {
			result.ValidTo = m.when(params.At, outcome.validFrom) // it begins later than now: it never was so
			outcome, err = l.end(ctx, r, result.ValidTo, true)
		}
		if err != nil {
			return nil, err
		}
		if outcome.ended {
			result.Ended, result.ValidTo = true, result.ValidTo.UTC()
			return result, l.dropAliases(ctx, r)
		}
		if outcome.found {
			return nil, &FieldError{Index: -1, Field: "at", Value: result.ValidTo.UTC().Format(time.RFC3339), Rule: "is before the relation began, " + outcome.validFrom.Format(time.RFC3339)}
		}
		past, err := r.run(ctx, cypher.EndedFind, l.named())
		if err != nil {
			return nil, err
		}
		if len(past) == 0 {
			return nil, m.noRelation(ctx, r, l, from, to)
		}
		result.ValidTo = timeOf(mapOf(past[0].AsMap()["ended"])["valid_to"])
		return result, nil
	}}
}

// RemoveRelationParams says which relation is removed.
type RemoveRelationParams struct {
	RelationRef
	// DryRun finds out what would be removed and removes nothing.
	DryRun bool
}

// RemoveRelationResult says what was removed.
type RemoveRelationResult struct {
	From string `json:"from"`
	Type string `json:"type"`
	To   string `json:"to"`
	// Removed: it was there. Ended counts the times that it ended before, which
	// are removed too.
	Removed bool  `json:"removed"`
	Ended   int64 `json:"ended"`
	DryRun  bool  `json:"dry_run,omitempty"`
}

// RemoveRelation removes a relation of the owner with its history, as if it had
// never been said; [Memory.EndRelation] keeps it. It fails with ErrNotFound if
// there is nothing of it, and ErrImmutable if it is UNIVERSAL.
func (m *Memory) RemoveRelation(ctx context.Context, params RemoveRelationParams) (*RemoveRelationResult, error) {
	return inSession(ctx, m, cypher.RelationEnd.Name, "remove relation", m.removeRelation(params))
}

// RemoveRelationTx is [Memory.RemoveRelation] in a transaction of the caller,
// which a dry run can't join.
func (m *Memory) RemoveRelationTx(ctx context.Context, tx Tx, params RemoveRelationParams) (*RemoveRelationResult, error) {
	return inTx(ctx, m, tx, "remove relation", m.removeRelation(params))
}

func (m *Memory) removeRelation(params RemoveRelationParams) operation[RemoveRelationResult] {
	return tried(params.DryRun, append(m.checkWrite(), params.check()...), func(ctx context.Context, r runner) (*RemoveRelationResult, error) {
		l, from, to, err := m.link(ctx, r, params.RelationRef)
		if err != nil {
			return nil, err
		}
		result := &RemoveRelationResult{From: from.ID, Type: l.typ, To: to.ID, DryRun: params.DryRun}
		outcome, err := l.end(ctx, r, m.client.now(), false)
		if err != nil {
			return nil, err
		}
		past, err := r.run(ctx, cypher.EndedRemove, l.named())
		if err != nil {
			return nil, err
		}
		result.Removed, result.Ended = outcome.ended, intOf(past[0].AsMap()["removed"])
		if !result.Removed && result.Ended == 0 {
			return nil, m.noRelation(ctx, r, l, from, to)
		}
		return result, l.dropAliases(ctx, r)
	})
}

// noRelation says that an owner has no such relation: it may be a UNIVERSAL one.
func (m *Memory) noRelation(ctx context.Context, r runner, l link, from, to target) error {
	if !m.world && from.Layer == layers.Universal && to.Layer == layers.Universal {
		o := origin{layers.WorldOwner, l.typ, l.from}
		targets, err := currentTargets(ctx, r, o)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(targets[o], func(t current) bool { return t.to == l.to }) {
			return &ImmutableError{Entity: from.ID, Verified: from.verified}
		}
	}
	return fmt.Errorf("no relation %s from %q to %q: %w", ontology.Shorten(l.typ), ontology.Shorten(from.ID), ontology.Shorten(to.ID), ErrNotFound)
}

// origin is an entity that an owner's relations of one type lead from.
type origin struct {
	owner, typ string
	from       layers.Key
}

// link is a relation between two entities that are there.
type link struct {
	origin
	to layers.Key
}

// link finds the ends of a relation of the memory's owner.
func (m *Memory) link(ctx context.Context, r runner, ref RelationRef) (l link, from, to target, err error) {
	if from, err = m.find(ctx, r, ref.From); err != nil {
		return l, from, to, err
	}
	if to, err = m.find(ctx, r, ref.To); err != nil {
		return l, from, to, err
	}
	l = link{origin{m.owner, ref.Type, from.Key()}, to.Key()}
	if known, ok := m.client.snapshot().Relation(ref.Type); ok {
		l.typ = known.Name
	}
	return l, from, to, nil
}

func (l link) named() map[string]any {
	return map[string]any{"owner": l.owner, "from": string(l.from), "type": l.typ, "to": string(l.to)}
}

// row is the relation as the statement takes it that ends relations.
func (l link) row(at time.Time, keep bool) map[string]any {
	row := l.named()
	row["i"], row["valid_to"], row["key"], row["keep"] = int64(0), at, rand.Text(), keep
	row["from_owner"], row["from_id"] = place(l.owner, l.from)
	row["to_owner"], row["to_id"] = place(l.owner, l.to)
	return row
}

// outcome says what became of an attempt to end a relation.
type outcome struct {
	found, ended bool
	validFrom    time.Time
}

// end ends a relation at a time, or removes it where nothing is kept of it.
func (l link) end(ctx context.Context, r runner, at time.Time, keep bool) (outcome, error) {
	row := l.row(at, keep)
	records, err := r.run(ctx, cypher.RelationEnd.Of(l.typ), map[string]any{"rows": []map[string]any{row}})
	if err != nil || len(records) == 0 {
		return outcome{}, err
	}
	answer := records[0].AsMap()
	o := outcome{found: true, ended: boolOf(answer["ended"]), validFrom: timeOf(answer["valid_from"])}
	if !o.ended {
		return o, nil
	}
	reference := referenceOf(row, l.from, l.to)
	if reference == nil {
		return o, nil
	}
	_, err = r.run(ctx, cypher.ReferenceEnd, map[string]any{"rows": []map[string]any{reference}})
	return o, err
}

// dropAliases takes the names that an ALIAS_OF gave from its ends.
func (l link) dropAliases(ctx context.Context, r runner) error {
	if l.typ != aliasOf {
		return nil
	}
	_, from, _ := l.from.Split()
	_, to, _ := l.to.Split()
	rows := []map[string]any{
		{"owner": l.owner, "id": from, "entity": string(l.to)},
		{"owner": l.owner, "id": to, "entity": string(l.from)},
	}
	_, err := r.run(ctx, cypher.AliasRemove, map[string]any{"rows": rows, "via": aliasOf})
	return err
}

// current is where a relation leads now.
type current struct {
	to        layers.Key
	validFrom time.Time
}

// currentTargets lists where relations of some types lead from some entities.
func currentTargets(ctx context.Context, r runner, origins ...origin) (map[origin][]current, error) {
	targets := make(map[origin][]current, len(origins))
	for typ, list := range groupBy(origins, func(o origin) string { return o.typ }) {
		slices.SortFunc(list, func(a, b origin) int {
			return cmp.Or(strings.Compare(string(a.from), string(b.from)), strings.Compare(a.owner, b.owner))
		})
		rows := make([]map[string]any, len(list))
		for i, o := range list {
			owner, id := place(o.owner, o.from)
			rows[i] = map[string]any{"i": int64(i), "type": typ, "owner": o.owner, "from_owner": owner, "from_id": id}
		}
		records, err := r.run(ctx, cypher.RelationCurrent.Of(typ), map[string]any{"rows": rows})
		if err != nil {
			return nil, err
		}
		for _, record := range records {
			answer := record.AsMap()
			o := list[intOf(answer["i"])]
			targets[o] = append(targets[o], current{keyOf(answer, "to"), timeOf(answer["valid_from"])})
		}
	}
	return targets, nil
}

// groupBy gives the groups of a list by what their items have in common, in the
// order of that.
func groupBy[T any](list []T, common func(T) string) iter.Seq2[string, []T] {
	groups := map[string][]T{}
	for _, item := range list {
		groups[common(item)] = append(groups[common(item)], item)
	}
	return func(yield func(string, []T) bool) {
		for _, key := range slices.Sorted(maps.Keys(groups)) {
			if !yield(key, groups[key]) {
				return
			}
		}
	}
}

// between ends at a time the relations that were over later, and gives when the
// next one of them began, nil if none did.
func (o origin) between(ctx context.Context, r runner, start time.Time) (*time.Time, error) {
	records, err := r.run(ctx, cypher.EndedBetween, map[string]any{"owner": o.owner, "from": string(o.from), "type": o.typ, "start": inUTC(start)})
	if err != nil || len(records) == 0 {
		return nil, err
	}
	return optionalTime(records[0].AsMap()["next"]), nil
}

// endEarlier leaves one current relation of a single-valued type from each of some
// entities: the one that began last, and of those that began at once the one that
// was stated last. Each other ended when the next one began, be that one current or
// over itself. It gives the ids of their targets.
func endEarlier(ctx context.Context, r runner, stated map[origin]map[layers.Key]int) (map[origin][]string, error) {
	targets, err := currentTargets(ctx, r, slices.Collect(maps.Keys(stated))...)
	if err != nil {
		return nil, err
	}
	ended := map[origin][]string{}
	order := slices.SortedFunc(maps.Keys(targets), func(a, b origin) int {
		return cmp.Or(strings.Compare(a.typ, b.typ), strings.Compare(string(a.from), string(b.from)), strings.Compare(a.owner, b.owner))
	})
	for _, o := range order {
		list := targets[o]
		slices.SortFunc(list, func(a, b current) int {
			return cmp.Or(a.validFrom.Compare(b.validFrom), cmp.Compare(stated[o][a.to], stated[o][b.to]), strings.Compare(string(a.to), string(b.to)))
		})
		for i, t := range list[:len(list)-1] {
			at := inUTC(list[i+1].validFrom)
			if stated[o][t.to] > 0 { // it may have been stated late, and belong between others
				next, err := o.between(ctx, r, t.validFrom)
				if err != nil {
					return nil, err
				}
				if next != nil && next.Before(at) {
					at = inUTC(*next)
				}
			}
			if _, err := (link{o, t.to}).end(ctx, r, at, true); err != nil {
				return nil, err
			}
			_, id, _ := t.to.Split()
			ended[o] = append(ended[o], id)
		}
	}
	return ended, nil
}
