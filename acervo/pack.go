package acervo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// packBatch is how many items one transaction of an installation stores.
const packBatch = 1000

// Pack is an installed pack.
type Pack struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	SHA256      string `json:"sha256"`
	Licence     string `json:"licence"`
	Attribution string `json:"attribution"`
	Source      string `json:"source"`
	// InstalledAt is nil while the pack is installed, upgraded or removed, and if
	// that was interrupted.
	InstalledAt *time.Time `json:"installed_at"`
	// Provides counts the entities and facts that it brought.
	Provides int64 `json:"provides"`
}

// PackParams says how a pack is installed, upgraded or removed.
type PackParams struct {
	// DryRun finds out what would change and changes nothing.
	DryRun bool
	// Progress is called after each transaction with the number of items done.
	Progress func(items int64)
}

// PackChanges says what an installation or an upgrade changes.
type PackChanges struct {
	Pack PackManifest `json:"pack"`
	// From is the version that was installed before, empty if none was.
	From      string         `json:"from,omitempty"`
	Entities  PackDifference `json:"entities"`
	Relations PackDifference `json:"relations"`
	Facts     PackDifference `json:"facts"`
	// Kept counts entities of the version before that stay, as they are used.
	Kept   int64 `json:"kept,omitempty"`
	DryRun bool  `json:"dry_run,omitempty"`
}

// PackDifference counts items by what becomes of them.
type PackDifference struct {
	Added   int64 `json:"added"`
	Changed int64 `json:"changed"`
	Same    int64 `json:"same"`
	Removed int64 `json:"removed"`
	// Examples are some of the ids that are added, changed or removed, each with a
	// sign: "+", "~" or "-".
	Examples []string `json:"examples,omitempty"`
}

// example notes an id, up to ten of each sign.
func (d *PackDifference) example(sign, id string) {
	n := 0
	for _, e := range d.Examples {
		if strings.HasPrefix(e, sign) {
			n++
		}
	}
	if n < 10 {
		d.Examples = append(d.Examples, sign+id)
	}
}

// PackRemoval says what the removal of a pack took and left.
type PackRemoval struct {
	Name      string `json:"name"`
	Entities  int64  `json:"entities"`
	Relations int64  `json:"relations"`
	Facts     int64  `json:"facts"`
	// Kept counts entities that stay: an owner or another pack uses them, or they
	// were there before.
	Kept   int64 `json:"kept"`
	DryRun bool  `json:"dry_run,omitempty"`
}

// Packs lists the installed packs by name.
func (c *Client) Packs(ctx context.Context) ([]Pack, error) {
	if err := c.prepare(ctx); err != nil {
		return nil, fmt.Errorf("packs: %w", err)
	}
	packs, err := c.packs(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("packs: %w", err)
	}
	return packs, nil
}

func (c *Client) packs(ctx context.Context, name any) ([]Pack, error) {
	packs := []Pack{}
	err := c.read(ctx, cypher.PackList.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.PackList, map[string]any{"name": name})
		packs = packs[:0]
		for _, record := range records {
			answer := record.AsMap()
			p := mapOf(answer["pack"])
			packs = append(packs, Pack{
				Name: stringOf(p["name"]), Version: stringOf(p["version"]), SHA256: stringOf(p["sha256"]), Licence: stringOf(p["licence"]),
				Attribution: stringOf(p["attribution"]), Source: stringOf(p["source"]), InstalledAt: optionalTime(p["installed_at"]), Provides: intOf(answer["provides"]),
			})
		}
		return err
	})
	return packs, err
}

// InstallPack stores what a pack file holds as verified UNIVERSAL knowledge. The
// whole file is checked before anything is stored: it fails with ErrInvalid for a
// wrong checksum or item, and with ErrUnsupported for a newer format. Installing
// the same pack again changes nothing, and completes an installation that was
// interrupted. It fails with ErrConflict if another version is installed; see
// [Client.UpgradePack].
func (c *Client) InstallPack(ctx context.Context, file io.ReadSeeker, params PackParams) (*PackChanges, error) {
	changes, err := c.putPack(ctx, file, params, false)
	if err != nil {
		return nil, fmt.Errorf("install pack: %w", err)
	}
	return changes, nil
}

// UpgradePack installs another version of an installed pack, and removes what
// the version before brought and nothing else uses. With DryRun it shows what
// would change. It fails as [Client.InstallPack] does, and with ErrNotFound if
// the pack isn't installed.
func (c *Client) UpgradePack(ctx context.Context, file io.ReadSeeker, params PackParams) (*PackChanges, error) {
	changes, err := c.putPack(ctx, file, params, true)
	if err != nil {
		return nil, fmt.Errorf("upgrade pack: %w", err)
	}
	return changes, nil
}

func (c *Client) putPack(ctx context.Context, file io.ReadSeeker, params PackParams, upgrade bool) (*PackChanges, error) {
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	manifest, err := VerifyPack(file)
	if err != nil {
		return nil, err
	}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	there, err := c.packs(ctx, manifest.Name)
	if err != nil {
		return nil, err
	}
	i := installing{c: c, params: params, changes: &PackChanges{Pack: *manifest, DryRun: params.DryRun}, moved: map[string]string{}, names: map[[16]byte]bool{}}
	switch {
	case len(there) == 0 && upgrade:
		return nil, notInstalled(manifest.Name)
	case len(there) > 0:
		i.changes.From = there[0].Version
		i.complete = there[0].InstalledAt != nil && there[0].SHA256 == manifest.SHA256
		if !upgrade && (there[0].Version != manifest.Version || there[0].SHA256 != manifest.SHA256) {
			return nil, fmt.Errorf("version %s of the pack %s is installed: upgrade it instead: %w", there[0].Version, manifest.Name, ErrConflict)
		}
	}
	if !params.DryRun {
		if err := i.begin(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := file.Seek(start, io.SeekStart); err != nil {
		return nil, err
	}
	p, err := openPack(file)
	if err != nil {
		return nil, err
	}
	if err := p.each(func(item *packItem, _ int64) error { return i.add(ctx, item) }); err != nil {
		return nil, err
	}
	if err := i.flush(ctx); err != nil {
		return nil, err
	}
	if upgrade {
		if err := i.outdated(ctx); err != nil {
			return nil, err
		}
	}
	if params.DryRun {
		return i.changes, nil
	}
	return i.changes, i.end(ctx)
}

func notInstalled(name string) error {
	return fmt.Errorf("the pack %s isn't installed: %w", name, ErrNotFound)
}

// installing is one installation or upgrade.
type installing struct {
	c       *Client
	params  PackParams
	changes *PackChanges
	// complete: this very pack is installed, so that what is there stays as it is.
	complete bool
	batch    []*packItem
	done     int64
	moved    map[string]string // ids of the pack that another entity has, and theirs
	names    map[[16]byte]bool // hashes of the stored ids
}

func (i *installing) name() string { return i.changes.Pack.Name }

// mark is what relations say of the pack that brings them.
func (i *installing) mark() string { return i.name() + "@" + i.changes.Pack.Version }

// begin registers the ontology, and notes the pack as not yet complete.
func (i *installing) begin(ctx context.Context) error {
	p := i.changes.Pack
	for _, t := range p.Ontology.Types {
		if _, err := i.c.RegisterType(ctx, RegisterTypeParams{Name: t.Name, Attributes: t.Attributes, LayerDefault: layers.Layer(t.LayerDefault)}); err != nil {
			return err
		}
	}
	for _, r := range p.Ontology.Relations {
		if _, err := i.c.RegisterRelation(ctx, RegisterRelationParams{Name: r.Name, SingleValued: r.SingleValued}); err != nil {
			return err
		}
	}
	held := map[string]any{"version": p.Version, "sha256": p.SHA256, "licence": p.Licence, "attribution": p.Attribution, "source": p.Source}
	if !i.complete {
		held["installed_at"] = nil
	}
	return i.put(ctx, held)
}

func (i *installing) put(ctx context.Context, properties map[string]any) error {
	return i.c.write(ctx, cypher.PackPut.Name, func(r runner) error {
		_, err := r.run(ctx, cypher.PackPut, map[string]any{"name": i.name(), "held": properties})
		return err
	})
}

func (i *installing) end(ctx context.Context) error {
	if i.complete && i.changes.Entities.Added+i.changes.Relations.Added+i.changes.Facts.Added == 0 {
		return nil
	}
	return i.put(ctx, map[string]any{"installed_at": i.c.now()})
}

// kind tells items apart, which are stored a kind at a time.
func (p *packItem) kind() int {
	switch {
	case p.Entity != nil:
		return 0
	case p.Relation != nil:
		return 1
	}
	return 2
}

func (i *installing) add(ctx context.Context, item *packItem) error {
	if len(i.batch) > 0 && (len(i.batch) == packBatch || i.batch[0].kind() != item.kind()) {
		if err := i.flush(ctx); err != nil {
			return err
		}
	}
	i.batch = append(i.batch, item)
	return nil
}

func (i *installing) flush(ctx context.Context) error {
	if len(i.batch) == 0 {
		return nil
	}
	store := []func(context.Context, runner) error{i.entities, i.relations, i.facts}[i.batch[0].kind()]
	before := *i.changes
	run := i.c.write
	if i.params.DryRun {
		run = i.c.read
	}
	if err := run(ctx, "pack", func(r runner) error {
		*i.changes = before // a transaction that is done again counts once
		i.changes.Entities.Examples = slices.Clone(before.Entities.Examples)
		return store(ctx, r)
	}); err != nil {
		return err
	}
	i.done += int64(len(i.batch))
	i.batch = i.batch[:0]
	if i.params.Progress != nil {
		i.params.Progress(i.done)
	}
	return ctx.Err()
}

// entities compares a batch of entities with what is stored, and stores it. An
// id that an entity of another type has gets the type as a suffix.
func (i *installing) entities(ctx context.Context, r runner) error {
	rows := make([]map[string]any, len(i.batch))
	for n, item := range i.batch {
		e := item.Entity
		typ, _ := canonical(e.Type, i.c.snapshot())
		rows[n] = map[string]any{
			"i": int64(n), "id": e.ID, "label": e.Name, "type": typ, "labels": []string{layers.Universal.Label(), typ},
			"attributes": e.Attributes, "aliases": orEmpty(e.Aliases),
		}
	}
	answers, err := i.compare(ctx, r, rows)
	if err != nil {
		return err
	}
	moved := false
	for n, answer := range answers {
		if typ := stringOf(answer["type"]); typ != "" && typ != rows[n]["type"] && typ != ontology.Unknown {
			id, err := ontology.Suffix(i.batch[n].Entity.ID, stringOf(rows[n]["type"]))
			if err != nil {
				return err
			}
			i.moved[i.batch[n].Entity.ID] = id
			rows[n]["id"], moved = id, true
		}
	}
	if moved {
		if answers, err = i.compare(ctx, r, rows); err != nil {
			return err
		}
	}
	d := &i.changes.Entities
	names := map[alias]string{}
	for n, answer := range answers {
		id := stringOf(rows[n]["id"])
		i.names[idHash(id)] = true
		switch {
		case !boolOf(answer["there"]):
			d.Added++
			d.example("+", id)
		case boolOf(answer["same"]):
			d.Same++
		default:
			d.Changed++
			d.example("~", id)
		}
		for _, name := range append([]string{i.batch[n].Entity.Name}, i.batch[n].Entity.Aliases...) {
			if nameID, err := ontology.ID(name); err == nil && nameID != id && (name != i.batch[n].Entity.Name || i.moved[i.batch[n].Entity.ID] != "") {
				names[alias{layers.WorldOwner, nameID, layers.UniversalKey(id)}] = name
			}
		}
	}
	if i.params.DryRun {
		return nil
	}
	records, err := r.run(ctx, cypher.PackEntities, map[string]any{
		"pack": i.name(), "version": i.changes.Pack.Version, "rows": rows, "reserved": ontology.ReservedAttributes(), "digest": ownerDigest(layers.WorldOwner), "now": i.c.now(),
	})
	if err != nil {
		return err
	}
	for _, record := range records {
		if answer := record.AsMap(); boolOf(answer["conflict"]) {
			return fmt.Errorf("%q was made with another type meanwhile: %w", ontology.Shorten(i.batch[intOf(answer["i"])].Entity.ID), errRaced)
		}
	}
	return storeAliases(ctx, r, names, "", i.c.now())
}

func (i *installing) compare(ctx context.Context, r runner, rows []map[string]any) ([]map[string]any, error) {
	records, err := r.run(ctx, cypher.PackCompare, map[string]any{"rows": rows})
	if err != nil {
		return nil, err
	}
	answers := make([]map[string]any, len(rows))
	for _, record := range records {
		answer := record.AsMap()
		answers[intOf(answer["i"])] = answer
	}
	return answers, nil
}

// stored is the id under which an entity of the pack is stored.
func (i *installing) stored(id string) string {
	return cmp.Or(i.moved[id], id)
}

func (i *installing) relations(ctx context.Context, r runner) error {
	now := i.c.now()
	groups := map[string][]map[string]any{}
	for _, item := range i.batch {
		typ := item.Relation.Type
		if known, ok := i.c.snapshot().Relation(typ); ok {
			typ = known.Name
		}
		row := map[string]any{
			"i": int64(len(groups[typ])), "type": typ, "owner": layers.WorldOwner, "from_owner": layers.WorldOwner, "from_id": i.stored(item.Relation.From),
			"to_owner": layers.WorldOwner, "to_id": i.stored(item.Relation.To), "held": map[string]any{
				"layer": string(layers.Universal), "source": layers.SourceWorld, "confidence": 1.0, "created_at": now, "last_seen_at": now, "valid_from": now,
			},
		}
		groups[typ] = append(groups[typ], row)
	}
	for typ, rows := range groups {
		fresh, err := i.freshRelations(ctx, r, typ, rows)
		if err != nil {
			return err
		}
		groups[typ] = fresh
	}
	if i.params.DryRun {
		return nil
	}
	var marks, references []map[string]any
	for _, typ := range slices.Sorted(maps.Keys(groups)) {
		records, err := r.run(ctx, restoreRelation(typ), map[string]any{"rows": groups[typ]})
		if err != nil {
			return err
		}
		for _, record := range records {
			answer := record.AsMap()
			row := groups[typ][intOf(answer["i"])]
			created := boolOf(answer["created"])
			marks = append(marks, map[string]any{"from": row["from_id"], "type": typ, "to": row["to_id"], "created": created})
			reference := referenceOf(row, layers.UniversalKey(stringOf(row["from_id"])), layers.UniversalKey(stringOf(row["to_id"])))
			reference["held"] = row["held"]
			references = append(references, reference)
		}
	}
	if len(marks) == 0 {
		return nil
	}
	if _, err := r.run(ctx, cypher.ReferenceRestore, map[string]any{"rows": references}); err != nil {
		return err
	}
	_, err := r.run(ctx, cypher.PackRelations, map[string]any{"name": i.name() + "@", "mark": i.mark(), "rows": marks})
	return err
}

// freshRelations counts relations of one type, and gives those that this version
// didn't bring yet.
func (i *installing) freshRelations(ctx context.Context, r runner, typ string, rows []map[string]any) ([]map[string]any, error) {
	records, err := r.run(ctx, cypher.PackCompareRelations, map[string]any{"type": typ, "mark": i.mark(), "rows": rows})
	if err != nil {
		return nil, err
	}
	marked := map[int64]bool{}
	for _, record := range records {
		answer := record.AsMap()
		marked[intOf(answer["i"])] = boolOf(answer["marked"])
	}
	i.changes.Relations.Same += int64(len(records))
	i.changes.Relations.Added += int64(len(rows) - len(records))
	var fresh []map[string]any
	for _, row := range rows {
		if !marked[row["i"].(int64)] {
			row["i"] = int64(len(fresh))
			fresh = append(fresh, row)
		}
	}
	return fresh, nil
}

func (i *installing) facts(ctx context.Context, r runner) error {
	d := &i.changes.Facts
	rows := make([]map[string]any, len(i.batch))
	for n, item := range i.batch {
		id := i.stored(item.Fact.Entity)
		about := layers.UniversalKey(id)
		rows[n] = map[string]any{"i": int64(n), "key": factKey(layers.WorldOwner, about, item.Fact.Text), "about": string(about), "id": id, "text": strings.TrimSpace(item.Fact.Text)}
	}
	if i.params.DryRun {
		records, err := r.run(ctx, cypher.FactFind, map[string]any{"rows": rows})
		for _, record := range records {
			if mapOf(record.AsMap()["fact"]) != nil {
				d.Same++
			} else {
				d.Added++
			}
		}
		return err
	}
	records, err := r.run(ctx, cypher.PackFacts, map[string]any{"pack": i.name(), "version": i.changes.Pack.Version, "rows": rows, "digest": ownerDigest(layers.WorldOwner), "now": i.c.now()})
	for _, record := range records {
		if boolOf(record.AsMap()["created"]) {
			d.Added++
		} else {
			d.Same++
		}
	}
	return err
}

// outdated drops what only versions before this one brought.
func (i *installing) outdated(ctx context.Context) error {
	d := dropping{c: i.c, pack: i.name(), version: i.changes.Pack.Version, dryRun: i.params.DryRun, keep: i.names, result: &PackRemoval{}}
	if err := d.all(ctx); err != nil {
		return err
	}
	if i.params.DryRun { // what is there still is of the new version too
		d.result.Relations -= i.changes.Relations.Same
		d.result.Facts -= i.changes.Facts.Same
	}
	i.changes.Entities.Removed, i.changes.Relations.Removed, i.changes.Facts.Removed = d.result.Entities, d.result.Relations, d.result.Facts
	i.changes.Kept = d.result.Kept
	for _, id := range d.removed {
		i.changes.Entities.example("-", id)
	}
	return nil
}

// RemovePack removes an installed pack: what it brought and no owner and no other
// pack uses. What stays is UNIVERSAL and verified, unless it was there before the
// pack and unverified: then it is a candidate again. If it is interrupted, the
// same call goes on. It fails with ErrNotFound if the pack isn't installed.
func (c *Client) RemovePack(ctx context.Context, name string, params PackParams) (*PackRemoval, error) {
	result, err := c.removePack(ctx, name, params)
	if err != nil {
		return nil, fmt.Errorf("remove pack: %w", err)
	}
	return result, nil
}

func (c *Client) removePack(ctx context.Context, name string, params PackParams) (*PackRemoval, error) {
	if !packName.MatchString(name) {
		return nil, &FieldError{Index: -1, Field: "name", Value: ontology.Shorten(name), Rule: "is the name of no pack"}
	}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	there, err := c.packs(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(there) == 0 {
		return nil, notInstalled(name)
	}
	d := dropping{c: c, pack: name, dryRun: params.DryRun, progress: params.Progress, result: &PackRemoval{Name: name, DryRun: params.DryRun}}
	if !params.DryRun {
		if err := c.write(ctx, cypher.PackPut.Name, func(r runner) error { // it is no longer complete
			_, err := r.run(ctx, cypher.PackPut, map[string]any{"name": name, "held": map[string]any{"installed_at": nil}})
			return err
		}); err != nil {
			return nil, err
		}
	}
	if err := d.all(ctx); err != nil || params.DryRun {
		return d.result, err
	}
	return d.result, c.write(ctx, cypher.PackRemove.Name, func(r runner) error {
		_, err := r.run(ctx, cypher.PackRemove, map[string]any{"name": name})
		return err
	})
}

// dropping drops what a pack brought, or what only other versions of it did.
type dropping struct {
	c        *Client
	pack     string
	version  string            // empty: whatever the version
	keep     map[[16]byte]bool // of a dry run: hashes of the ids that the new version has
	dryRun   bool
	progress func(items int64)
	result   *PackRemoval
	removed  []string
	done     int64
}

func (d *dropping) other() any { return orNull(d.version) }

func (d *dropping) all(ctx context.Context) error {
	ids, made, err := d.provided(ctx, 1<<40, nil) // ids only, about 50 bytes each
	if err != nil {
		return err
	}
	if d.dryRun {
		return d.count(ctx, ids, made)
	}
	// Relations of every entity, since those that stay may have lost some.
	for chunk := range slices.Chunk(ids, packBatch) {
		if err := d.relations(ctx, chunk); err != nil {
			return err
		}
	}
	if err := d.facts(ctx); err != nil {
		return err
	}
	for {
		chunk, _, err := d.provided(ctx, packBatch, d.other())
		if err != nil || len(chunk) == 0 {
			return err
		}
		if err := d.entities(ctx, chunk); err != nil {
			return err
		}
	}
}

// provided gives the ids of entities that the pack provides, sorted, and which of
// them it made.
func (d *dropping) provided(ctx context.Context, limit int64, version any) (ids []string, made map[string]bool, err error) {
	err = d.c.read(ctx, cypher.PackProvided.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.PackProvided, map[string]any{"pack": d.pack, "version": version, "limit": limit})
		ids, made = ids[:0], make(map[string]bool, len(records))
		for _, record := range records {
			answer := record.AsMap()
			id := stringOf(answer["id"])
			ids, made[id] = append(ids, id), boolOf(answer["created"])
		}
		return err
	})
	slices.Sort(ids)
	return ids, made, err
}

// count counts for a dry run: what would be dropped and isn't used.
func (d *dropping) count(ctx context.Context, ids []string, made map[string]bool) error {
	there, err := d.c.packs(ctx, d.pack)
	if err != nil || len(there) == 0 {
		return err
	}
	d.result.Facts = there[0].Provides - int64(len(ids))
	for chunk := range slices.Chunk(ids, packBatch) {
		if err := d.c.read(ctx, cypher.PackListRelations.Name, func(r runner) error {
			records, err := r.run(ctx, cypher.PackListRelations, map[string]any{"ids": chunk, "name": d.pack + "@", "mark": nil})
			for _, record := range records {
				answer := record.AsMap()
				if _, here := slices.BinarySearch(chunk, stringOf(answer["from"])); here && boolOf(answer["alone"]) {
					d.result.Relations++
				}
			}
			return err
		}); err != nil {
			return err
		}
	}
	if d.keep != nil {
		ids = slices.DeleteFunc(ids, func(id string) bool { return d.keep[idHash(id)] })
	}
	for chunk := range slices.Chunk(ids, packBatch) {
		if err := d.c.read(ctx, cypher.ReferenceUsers.Name, func(r runner) error {
			users, err := d.users(ctx, r, chunk)
			if err != nil {
				return err
			}
			for _, id := range chunk {
				if users[id] || !made[id] {
					d.result.Kept++
				} else {
					d.result.Entities++
					d.removed = append(d.removed, id)
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// users tells which entities an owner or another pack uses.
func (d *dropping) users(ctx context.Context, r runner, ids []string) (map[string]bool, error) {
	records, err := r.run(ctx, cypher.ReferenceUsers, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, record := range records {
		answer := record.AsMap()
		others := slices.ContainsFunc(stringsOf(answer["packs"]), func(name string) bool { return name != d.pack })
		used[stringOf(answer["id"])] = intOf(answer["owners"]) > 0 || others
	}
	return used, nil
}

func (d *dropping) step(n int) {
	if d.done += int64(n); d.progress != nil {
		d.progress(d.done)
	}
}

// relations removes the relations that the pack brought from some entities.
func (d *dropping) relations(ctx context.Context, ids []string) error {
	var mark any
	if d.version != "" {
		mark = d.pack + "@" + d.version
	}
	before := *d.result
	err := d.c.write(ctx, cypher.PackListRelations.Name, func(r runner) error {
		*d.result = before
		records, err := r.run(ctx, cypher.PackListRelations, map[string]any{"ids": ids, "name": d.pack + "@", "mark": mark})
		if err != nil {
			return err
		}
		groups := map[string][]map[string]any{}
		var references, stay []map[string]any
		for _, record := range records {
			answer := record.AsMap()
			from, to, typ := stringOf(answer["from"]), stringOf(answer["to"]), stringOf(answer["type"])
			if !boolOf(answer["alone"]) {
				stay = append(stay, map[string]any{"from": from, "type": typ, "to": to})
				continue
			}
			d.result.Relations++
			l := link{origin{layers.WorldOwner, typ, layers.UniversalKey(from)}, layers.UniversalKey(to)}
			row := l.row(d.c.now(), false)
			groups[typ] = append(groups[typ], row)
			references = append(references, referenceOf(row, l.from, l.to))
		}
		for _, typ := range slices.Sorted(maps.Keys(groups)) {
			if _, err := r.run(ctx, cypher.RelationEnd.Of(typ), map[string]any{"rows": groups[typ]}); err != nil {
				return err
			}
		}
		if len(references) > 0 {
			if _, err := r.run(ctx, cypher.ReferenceEnd, map[string]any{"rows": references}); err != nil {
				return err
			}
		}
		if len(stay) == 0 {
			return nil
		}
		_, err = r.run(ctx, cypher.PackUnmark, map[string]any{"name": d.pack + "@", "rows": stay})
		return err
	})
	d.step(len(ids))
	return errors.Join(err, ctx.Err())
}

func (d *dropping) facts(ctx context.Context) error {
	for {
		var dropped int64
		before := *d.result
		if err := d.c.write(ctx, cypher.PackDropFacts.Name, func(r runner) error {
			*d.result = before
			records, err := r.run(ctx, cypher.PackDropFacts, map[string]any{"pack": d.pack, "version": d.other(), "limit": int64(packBatch)})
			if err != nil {
				return err
			}
			answer := records[0].AsMap()
			dropped = intOf(answer["dropped"])
			d.result.Facts += intOf(answer["removed"])
			return nil
		}); err != nil || dropped == 0 {
			return err
		}
		d.step(int(dropped))
	}
}

func (d *dropping) entities(ctx context.Context, ids []string) error {
	before, removed := *d.result, len(d.removed)
	err := d.c.write(ctx, cypher.PackDropEntities.Name, func(r runner) error {
		*d.result, d.removed = before, d.removed[:removed]
		used, err := d.users(ctx, r, ids)
		if err != nil {
			return err
		}
		rows := make([]map[string]any, len(ids))
		for i, id := range ids {
			rows[i] = map[string]any{"id": id, "used": used[id]}
		}
		records, err := r.run(ctx, cypher.PackDropEntities, map[string]any{"pack": d.pack, "rows": rows})
		if err != nil {
			return err
		}
		var keys []string
		for _, record := range records {
			answer := record.AsMap()
			if !boolOf(answer["removed"]) {
				d.result.Kept++
				continue
			}
			d.result.Entities++
			id := stringOf(answer["id"])
			d.removed = append(d.removed, id)
			keys = append(keys, string(layers.UniversalKey(id)))
		}
		if len(keys) == 0 {
			return nil
		}
		_, err = r.run(ctx, cypher.SessionPurge, map[string]any{"owner": nil, "keys": keys})
		return err
	})
	d.step(len(ids))
	return errors.Join(err, ctx.Err())
}
