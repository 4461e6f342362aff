package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// What is loaded to see what an item takes on disk.
const (
	loadedOwners    = 5
	perOwner        = 10_000 // entities; relations and facts twice as many
	sharedRelations = 4_000  // of each owner, to UNIVERSAL entities
	shared          = 100
)

// kinds are the kinds of store files, in the order of the table.
var kinds = []string{"nodes", "relationships", "properties", "strings", "arrays", "indexes", "other"}

// kindOf tells the kind of a file by its path below the database's folder.
func kindOf(path string) string {
	switch {
	case strings.HasPrefix(path, "schema"+string(filepath.Separator)):
		return "indexes"
	case strings.HasPrefix(path, "neostore.nodestore"):
		return "nodes"
	case strings.HasPrefix(path, "neostore.relationshipstore"), strings.HasPrefix(path, "neostore.relationshipgroupstore"):
		return "relationships"
	case strings.HasPrefix(path, "neostore.propertystore.db.strings"):
		return "strings"
	case strings.HasPrefix(path, "neostore.propertystore.db.arrays"):
		return "arrays"
	case path == "neostore.propertystore.db", path == "neostore.propertystore.db.id":
		return "properties"
	}
	return "other"
}

// sizes adds up the files below a database's folder by kind, and those of each
// index by its id.
func sizes(store string) (byKind map[string]int64, byIndex map[string]int64, err error) {
	byKind, byIndex = map[string]int64{}, map[string]int64{}
	err = filepath.WalkDir(store, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		path, err = filepath.Rel(store, path)
		if err != nil {
			return err
		}
		byKind[kindOf(path)] += info.Size()
		// schema/index/range-1.0/ID/index-ID
		if parts := strings.Split(path, string(filepath.Separator)); len(parts) > 3 && parts[0] == "schema" {
			byIndex[parts[3]] += info.Size()
		}
		return nil
	})
	return byKind, byIndex, err
}

func total(byKind map[string]int64) int64 {
	var sum int64
	for _, n := range byKind {
		sum += n
	}
	return sum
}

// load fills a new server and measures what an item of each kind takes on disk:
// the growth of the store's files between two checkpoints. The transaction log
// isn't part of it.
func (b *bench) load(ctx context.Context, store string, c *Costs) error {
	rows, err := b.query(ctx, `SHOW SETTINGS YIELD name, value
		WHERE name = 'db.checkpoint.interval.time' AND duration('PT' + toUpper(value)).seconds > 20 OR name = 'db.store.files.preallocate' AND value <> 'false'
		RETURN name, value`)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		return errors.New("the files don't show what was stored: set db.checkpoint.interval.time=10s and db.store.files.preallocate=false for the measurement")
	}
	rows, err = b.query(ctx, "MATCH (e:AcervoEntity) RETURN count(e)")
	if err != nil {
		return err
	}
	if rows[0].Values[0] != int64(0) {
		return errors.New("the database isn't empty; a new server is needed to see what an item takes")
	}
	before, err := b.checkpoint(ctx, store)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%d owners; bytes on disk for each item, by kind of file:\n\n", loadedOwners)
	fmt.Fprintf(b.out, "| item | loaded | items/s | %s | all |\n|---|---|---|%s---|\n", strings.Join(kinds, " | "), strings.Repeat("---|", len(kinds)))
	for _, step := range []struct {
		name  string
		cost  *float64
		batch func(random *rand.Rand, i int) acervo.UpsertParams
		each  int // batches of one owner
		size  int
	}{
		{"entity", &c.EntityBytes, func(_ *rand.Rand, i int) acervo.UpsertParams {
			return acervo.UpsertParams{Entities: entities(0, perOwner)}
		}, 1, perOwner},
		{"relation", &c.RelationBytes, func(random *rand.Rand, i int) acervo.UpsertParams {
			return acervo.UpsertParams{Relations: relations(random, perOwner, perOwner)}
		}, 2, perOwner},
		{"fact", &c.FactBytes, func(random *rand.Rand, i int) acervo.UpsertParams {
			return acervo.UpsertParams{Facts: facts(random, perOwner, perOwner)}
		}, 2, perOwner},
		{"relation to UNIVERSAL", &c.SharedRelationBytes, func(random *rand.Rand, i int) acervo.UpsertParams {
			list := relations(random, perOwner, sharedRelations)
			for i := range list {
				list[i].To = fmt.Sprintf("Compartido %d", random.IntN(shared))
			}
			return acervo.UpsertParams{Relations: list}
		}, 1, sharedRelations},
	} {
		if step.cost == &c.SharedRelationBytes {
			if err := b.world(ctx); err != nil {
				return err
			}
			if before, err = b.checkpoint(ctx, store); err != nil {
				return err
			}
		}
		start := time.Now()
		for owner := range loadedOwners {
			m := b.client.Memory(fmt.Sprintf("scaling-%d", owner))
			for i := range step.each {
				p := step.batch(b.random, i)
				p.NoActivation = true
				if _, err := m.UpsertEntities(ctx, p); err != nil {
					return fmt.Errorf("%s: %w", step.name, err)
				}
			}
		}
		took := time.Since(start)
		after, err := b.checkpoint(ctx, store)
		if err != nil {
			return err
		}
		n := loadedOwners * step.each * step.size
		fmt.Fprintf(b.out, "| %s | %d | %.0f |", step.name, n, float64(n)/took.Seconds())
		for _, kind := range kinds {
			fmt.Fprintf(b.out, " %.0f |", float64(after[kind]-before[kind])/float64(n))
		}
		*step.cost = float64(total(after)-total(before)) / float64(n)
		fmt.Fprintf(b.out, " %.0f |\n", *step.cost)
		before = after
	}
	return b.indexes(ctx, store)
}

// world makes UNIVERSAL entities, of which owners make relations.
func (b *bench) world(ctx context.Context) error {
	list := make([]acervo.Entity, shared)
	for i := range list {
		list[i] = acervo.Entity{Name: fmt.Sprintf("Compartido %d", i), Type: "Tecnologia"}
	}
	_, err := b.client.World().UpsertEntities(ctx, acervo.UpsertParams{Layer: layers.Universal, Entities: list})
	return err
}

// quiet is how long the files have to have kept their sizes to be complete. The
// server writes them at its next checkpoint, so db.checkpoint.interval.time has
// to be shorter; Community has no procedure that makes one.
const quiet = 30 * time.Second

// checkpoint waits until the server has written everything to its files.
func (b *bench) checkpoint(ctx context.Context, store string) (map[string]int64, error) {
	var before map[string]int64
	for since := time.Now(); ; {
		byKind, _, err := sizes(store)
		if err != nil {
			return nil, err
		}
		if !maps.Equal(byKind, before) {
			before, since = byKind, time.Now()
		}
		if time.Since(since) > quiet {
			return byKind, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// indexes prints the size of each of Acervo's indexes.
func (b *bench) indexes(ctx context.Context, store string) error {
	rows, err := b.query(ctx, "SHOW INDEXES YIELD id, name WHERE name STARTS WITH 'acervo_' RETURN toString(id), name ORDER BY name")
	if err != nil {
		return err
	}
	_, byIndex, err := sizes(store)
	if err != nil {
		return err
	}
	fmt.Fprintln(b.out, "\n| index | MiB |\n|---|---|")
	for _, row := range rows {
		id, _ := row.Values[0].(string)
		name, _ := row.Values[1].(string)
		if size := byIndex[id]; size > 1<<20 {
			fmt.Fprintf(b.out, "| `%s` | %.1f |\n", name, float64(size)/(1<<20))
		}
	}
	byKind, _, err := sizes(store)
	fmt.Fprintf(b.out, "\nThe whole store: %.0f MiB.\n\n", float64(total(byKind))/(1<<20))
	return err
}
