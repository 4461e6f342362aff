package acervo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// MergeParams says which two entities are one.
type MergeParams struct {
	// Keep stays, Absorb becomes part of it.
	Keep, Absorb EntityRef
	// DryRun finds out what would be done and does nothing.
	DryRun bool
}

// MergeResult says what became of what the absorbed entity had.
type MergeResult struct {
	Keep   string `json:"keep"`
	Absorb string `json:"absorb"`
	// Facts and Relations count what was moved; DoubleFacts and DoubleRelations
	// what the kept entity had already; SelfRelations what was between the two and
	// was dropped.
	Facts           int `json:"facts"`
	DoubleFacts     int `json:"double_facts"`
	Relations       int `json:"relations"`
	DoubleRelations int `json:"double_relations"`
	SelfRelations   int `json:"self_relations"`
	// EndedRelations counts those that ended as the relation is single-valued.
	EndedRelations int64 `json:"ended_relations"`
	// Ended counts ended relations that were moved, Sessions those in which the
	// kept entity took the absorbed one's place.
	Ended    int64 `json:"ended"`
	Sessions int64 `json:"sessions"`
	// Aliases are names under which the kept entity is found now.
	Aliases []string `json:"aliases"`
	// Attributes are those that the kept entity lacked, StatedAttributes those that
	// became the owner's own facts, as the kept entity is UNIVERSAL.
	Attributes       []string `json:"attributes"`
	StatedAttributes []string `json:"stated_attributes"`
	// Completed: the kept entity's type was unknown and is the absorbed one's.
	Completed bool `json:"completed"`
	DryRun    bool `json:"dry_run,omitempty"`
}

// Merge makes one entity of two, in one transaction. Facts with their history,
// relations in their direction, aliases, activation and missing attributes go to
// the one that is kept; what it has already stays its own. The absorbed name is
// an alias afterwards.
//
// An owner merges entities of their own, or one of their own into a UNIVERSAL
// one, which isn't changed by that: what is moved stays the owner's.
// [Client.World] merges UNIVERSAL ones, for all owners. It fails with ErrNotFound
// if one of the two isn't there, ErrInvalid if they are the same, and ErrImmutable
// if an owner would absorb a UNIVERSAL one.
func (m *Memory) Merge(ctx context.Context, params MergeParams) (*MergeResult, error) {
	return inSession(ctx, m, "entity/merge", "merge", m.merge(params))
}

// MergeTx is [Memory.Merge] in a transaction of the caller, which a dry run can't
// join.
func (m *Memory) MergeTx(ctx context.Context, tx Tx, params MergeParams) (*MergeResult, error) {
	return inTx(ctx, m, tx, "merge", m.merge(params))
}

func (m *Memory) merge(p MergeParams) operation[MergeResult] {
	faults := append(m.checkWrite(), p.Keep.check("", "keep", "keep_id")...)
	faults = append(faults, p.Absorb.check("", "absorb", "absorb_id")...)
	return tried(p.DryRun, faults, func(ctx context.Context, r runner) (*MergeResult, error) {
		keep, err := m.find(ctx, r, p.Keep)
		if err != nil {
			return nil, err
		}
		absorb, err := m.find(ctx, r, p.Absorb)
		if err != nil {
			return nil, err
		}
		if keep.Key() == absorb.Key() {
			return nil, &FieldError{Index: -1, Field: "absorb", Value: ontology.Shorten(p.Absorb.display()), Rule: "is the entity that is kept"}
		}
		if err := m.mayChange(absorb); err != nil {
			return nil, err
		}
		result, err := m.absorb(ctx, r, keep, absorb)
		if err == nil {
			result.DryRun = p.DryRun
		}
		return result, err
	})
}

// mergeRows is how many rows a statement of a merge gets at once.
const mergeRows = 5000

// merging is one merge.
type merging struct {
	m            *Memory
	r            runner
	keep, absorb target
	result       *MergeResult
}

// absorb moves what one entity has to another one and deletes it.
func (m *Memory) absorb(ctx context.Context, r runner, keep, absorb target) (*MergeResult, error) {
	// Both are locked, in the order of their keys, before anything of them is read.
	both := []*target{&keep, &absorb}
	slices.SortFunc(both, func(a, b *target) int { return cmp.Compare(a.Key(), b.Key()) })
	for _, t := range both {
		if err := t.lock(ctx, r); err != nil {
			return nil, err
		}
	}
	g := merging{m: m, r: r, keep: keep, absorb: absorb, result: &MergeResult{
		Keep: keep.ID, Absorb: absorb.ID, Aliases: []string{}, Attributes: []string{}, StatedAttributes: []string{},
	}}
	for _, step := range []func(context.Context) error{g.relations, g.facts, g.aliases, g.attributes, g.history} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	_, err := r.run(ctx, cypher.EntityDelete, map[string]any{"owner": absorb.owner, "id": absorb.ID})
	return g.result, err
}

// run runs a statement for rows, some at a time, and gives all of its records.
func (g merging) run(ctx context.Context, s cypher.Statement, rows []map[string]any) ([]map[string]any, error) {
	var answers []map[string]any
	for chunk := range slices.Chunk(rows, mergeRows) {
		records, err := g.r.run(ctx, s, map[string]any{"rows": chunk})
		if err != nil {
			return nil, err
		}
		for _, record := range records {
			answers = append(answers, record.AsMap())
		}
	}
	return answers, nil
}

// relations moves the relations of all owners that the absorbed entity has.
func (g merging) relations(ctx context.Context) error {
	records, err := g.r.run(ctx, cypher.EntityRelations, map[string]any{"owner": g.absorb.owner, "id": g.absorb.ID})
	if err != nil {
		return err
	}
	// What another transaction adds meanwhile isn't among them: then all is done anew.
	gone, err := g.r.run(ctx, cypher.EntityUnrelate, map[string]any{"owner": g.absorb.owner, "id": g.absorb.ID})
	if err != nil {
		return err
	}
	if intOf(gone[0].AsMap()["deleted"]) != int64(len(records)) {
		return errRaced
	}
	groups := map[string][]map[string]any{}
	related := map[alias]string{} // names that an ALIAS_OF gives
	var references, stale []map[string]any
	for _, record := range records {
		answer := record.AsMap()
		held, typ := mapOf(answer["held"]), stringOf(answer["type"])
		otherOwner, other := stringOf(answer["other_owner"]), keyOf(answer, "other")
		if typ == aliasOf { // the absorbed name finds the kept entity, and no other by this relation
			stale = append(stale, map[string]any{"owner": held["owner"], "id": g.absorb.ID, "entity": string(other)})
		}
		if other == g.keep.Key() && otherOwner == g.keep.owner {
			g.result.SelfRelations++
			continue
		}
		from, to := g.keep.Key(), other
		row := map[string]any{
			"i": int64(len(groups[typ])), "type": typ, "owner": held["owner"], "held": held,
			"from_owner": g.keep.owner, "from_id": g.keep.ID, "to_owner": otherOwner, "to_id": answer["other_id"],
		}
		if !boolOf(answer["outgoing"]) {
			from, to = to, from
			row["from_owner"], row["from_id"], row["to_owner"], row["to_id"] = row["to_owner"], row["to_id"], row["from_owner"], row["from_id"]
		}
		groups[typ] = append(groups[typ], row)
		if typ == aliasOf {
			related[alias{stringOf(held["owner"]), g.keep.ID, other}] = g.keep.Label
		}
		if reference := referenceOf(row, from, to); reference != nil {
			reference["held"] = referenceHeld(held)
			references = append(references, reference)
		}
	}
	if g.absorb.Layer == layers.Universal {
		if err := g.keepReferences(ctx); err != nil {
			return err
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(groups)) {
		answers, err := g.run(ctx, restoreRelation(typ), groups[typ])
		if err != nil {
			return err
		}
		for _, answer := range answers {
			if boolOf(answer["created"]) {
				g.result.Relations++
			} else {
				g.result.DoubleRelations++
			}
		}
	}
	if _, err = g.run(ctx, cypher.ReferenceRestore, references); err != nil {
		return err
	}
	if err := g.singleValued(ctx, groups); err != nil {
		return err
	}
	if len(stale) > 0 {
		if _, err := g.r.run(ctx, cypher.AliasRemove, map[string]any{"rows": stale, "via": aliasOf}); err != nil {
			return err
		}
	}
	return storeAliases(ctx, g.r, related, aliasOf, g.m.client.now())
}

// singleValued ends the earlier ones of the relations from the kept entity that
// lead to one entity at a time.
func (g merging) singleValued(ctx context.Context, groups map[string][]map[string]any) error {
	known, origins := g.m.client.snapshot(), map[origin]map[layers.Key]int{}
	for typ, rows := range groups {
		if r, ok := known.Relation(typ); !ok || !r.SingleValued {
			continue
		}
		for _, row := range rows {
			if row["from_owner"] == g.keep.owner && row["from_id"] == g.keep.ID {
				origins[origin{stringOf(row["owner"]), typ, g.keep.Key()}] = nil
			}
		}
	}
	ended, err := endEarlier(ctx, g.r, origins)
	for _, ids := range ended {
		g.result.EndedRelations += int64(len(ids))
	}
	return err
}

// restoreRelation is the statement that restores relations of one type.
func restoreRelation(typ string) cypher.Statement {
	if s, ok := cypher.RelationRestore.For(typ); ok {
		return s
	}
	return cypher.RelationRestoreDynamic
}

// referenceHeld is what a reference repeats of what its relation holds.
func referenceHeld(held map[string]any) map[string]any {
	out := map[string]any{}
	for _, key := range []string{"layer", "source", "confidence", "created_at", "last_seen_at", "valid_from"} {
		out[key] = held[key]
	}
	return out
}

// keepReferences makes those who use the absorbed UNIVERSAL entity users of the
// kept one.
func (g merging) keepReferences(ctx context.Context) error {
	records, err := g.r.run(ctx, cypher.ReferenceOwners, map[string]any{"id": g.absorb.ID})
	if err != nil {
		return err
	}
	var owners []string
	var rows []map[string]any
	for _, record := range records {
		owner := stringOf(record.AsMap()["owner"])
		owners = append(owners, owner)
		rows = append(rows, map[string]any{"owner": owner, "id": g.keep.ID})
	}
	if _, err := g.run(ctx, cypher.ReferenceTouch, rows); err != nil {
		return err
	}
	if _, err := g.r.run(ctx, cypher.ReferenceRemove, map[string]any{"id": g.absorb.ID}); err != nil {
		return err
	}
	return g.ended(ctx, owners)
}

// ended moves the history of relations.
func (g merging) ended(ctx context.Context, owners []string) error {
	records, err := g.r.run(ctx, cypher.EndedMove, map[string]any{"owners": owners, "old": string(g.absorb.Key()), "new": string(g.keep.Key())})
	if err != nil {
		return err
	}
	g.result.Ended = intOf(records[0].AsMap()["moved"])
	return nil
}

// facts moves the facts of all owners about the absorbed entity.
func (g merging) facts(ctx context.Context) error {
	records, err := g.r.run(ctx, cypher.FactOfEntity, map[string]any{"owner": g.absorb.owner, "id": g.absorb.ID})
	if err != nil {
		return err
	}
	type moved struct {
		key, base string
		ended     bool
	}
	facts := make([]moved, len(records))
	bases := map[string]bool{}
	var references []map[string]any
	seen := map[string]bool{}
	for i, record := range records {
		f := mapOf(record.AsMap()["fact"])
		owner := stringOf(f["owner"])
		facts[i] = moved{key: stringOf(f["key"]), base: factKey(owner, g.keep.Key(), stringOf(f["text"])), ended: f["valid_to"] != nil}
		bases[facts[i].base] = true
		if g.keep.Layer == layers.Universal && !seen[owner] {
			seen[owner] = true
			references = append(references, map[string]any{"owner": owner, "id": g.keep.ID})
		}
	}
	var lookups []map[string]any
	order := slices.Sorted(maps.Keys(bases))
	for i, base := range order {
		lookups = append(lookups, map[string]any{"i": int64(i), "key": base})
	}
	there, err := g.run(ctx, cypher.FactFind, lookups)
	if err != nil {
		return err
	}
	known, times := map[string]bool{}, map[string]int{}
	for _, answer := range there {
		base := order[intOf(answer["i"])]
		known[base], times[base] = mapOf(answer["fact"]) != nil, len(mapsOf(answer["ended"]))
	}
	var move, double []map[string]any
	for _, f := range facts {
		to := f.base
		switch {
		case f.ended:
			to = endedKey(f.base, times[f.base])
			times[f.base]++
		case known[f.base]:
			double = append(double, map[string]any{"key": f.key, "to": f.base})
			continue
		default:
			known[f.base] = true
		}
		move = append(move, map[string]any{"key": f.key, "to": to, "about": string(g.keep.Key()), "about_owner": g.keep.owner, "about_id": g.keep.ID})
	}
	if _, err := g.run(ctx, cypher.FactMove, move); err != nil {
		return err
	}
	if _, err := g.run(ctx, cypher.FactAbsorb, double); err != nil {
		return err
	}
	g.result.Facts, g.result.DoubleFacts = len(move), len(double)
	_, err = g.run(ctx, cypher.ReferenceTouch, references)
	return err
}

// aliases gives the absorbed entity's names to the kept one.
func (g merging) aliases(ctx context.Context) error {
	records, err := g.r.run(ctx, cypher.AliasOfEntity, map[string]any{"entity": string(g.absorb.Key()), "owner": g.absorb.user()})
	if err != nil {
		return err
	}
	var old []map[string]any
	plain, related := map[alias]string{}, map[alias]string{}
	for _, record := range records {
		a := mapOf(record.AsMap()["alias"])
		name := alias{stringOf(a["owner"]), stringOf(a["id"]), g.keep.Key()}
		old = append(old, map[string]any{"owner": name.owner, "id": name.id, "entity": string(g.absorb.Key())})
		switch {
		case name.id == g.keep.ID:
		case a["via"] != nil:
			related[name] = stringOf(a["label"])
		default:
			plain[name] = stringOf(a["label"])
		}
	}
	if g.absorb.ID != g.keep.ID {
		plain[alias{g.m.owner, g.absorb.ID, g.keep.Key()}] = g.absorb.Label
	}
	if id, err := ontology.ID(g.absorb.Label); err == nil && id != g.keep.ID {
		plain[alias{g.m.owner, id, g.keep.Key()}] = g.absorb.Label
	}
	for chunk := range slices.Chunk(old, mergeRows) {
		if _, err := g.r.run(ctx, cypher.AliasRemove, map[string]any{"rows": chunk, "via": nil}); err != nil {
			return err
		}
	}
	if err := storeAliases(ctx, g.r, related, aliasOf, g.m.client.now()); err != nil {
		return err
	}
	for name, label := range plain {
		if name.owner == g.m.owner {
			g.result.Aliases = with(g.result.Aliases, label)
		}
	}
	slices.Sort(g.result.Aliases)
	return storeAliases(ctx, g.r, plain, "", g.m.client.now())
}

// attributes gives the kept entity what it lacks, or the owner facts of what a
// UNIVERSAL one holds otherwise.
func (g merging) attributes(ctx context.Context) error {
	names := with(stringsOf(g.absorb.entity["aliases"]), g.absorb.Label)
	reserved := ontology.ReservedAttributes()
	missing := map[string]any{}
	var stated []map[string]any
	for _, key := range slices.Sorted(maps.Keys(g.absorb.entity)) {
		if slices.Contains(reserved, key) {
			continue
		}
		v, has := g.keep.entity[key]
		switch {
		case g.keep.Layer == g.absorb.Layer:
			if !has {
				missing[key] = g.absorb.entity[key]
				g.result.Attributes = append(g.result.Attributes, key)
			}
		case !has || fmt.Sprint(v) != fmt.Sprint(g.absorb.entity[key]):
			text := fmt.Sprintf("%s: %v", key, g.absorb.entity[key])
			now := g.m.client.now()
			f := stateFact(g.m.owner, g.keep.Key(), text, now, now)
			f.sources = []string{layers.SourceUser}
			stated = append(stated, f.params(g.m.owner))
			g.result.StatedAttributes = append(g.result.StatedAttributes, key)
		}
	}
	if _, err := g.run(ctx, cypher.FactUpsert, stated); err != nil {
		return err
	}
	if g.keep.Layer != g.absorb.Layer {
		return nil
	}
	var typ any
	if g.keep.Type == ontology.Unknown && g.absorb.Type != ontology.Unknown {
		typ, g.result.Completed = g.absorb.Type, true
	}
	_, err := g.r.run(ctx, cypher.EntityAbsorb, map[string]any{
		"owner": g.keep.owner, "id": g.keep.ID, "type": typ, "attributes": missing, "aliases": names,
		"created_at": g.absorb.entity["created_at"], "now": g.m.client.now(),
	})
	return err
}

// history puts the kept entity in the absorbed one's place in sessions, packs
// and ended relations.
func (g merging) history(ctx context.Context) error {
	records, err := g.r.run(ctx, cypher.SessionReplace, map[string]any{"owner": g.absorb.user(), "old": string(g.absorb.Key()), "new": string(g.keep.Key())})
	if err != nil {
		return err
	}
	g.result.Sessions = intOf(records[0].AsMap()["sessions"])
	if g.absorb.Layer == layers.Universal {
		_, err := g.r.run(ctx, cypher.PackMove, map[string]any{"old": g.absorb.ID, "new": g.keep.ID})
		return err
	}
	return g.ended(ctx, []string{g.m.owner})
}
