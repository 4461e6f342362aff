// Command scaling says what a number of owners needs: storage, memory, processors,
// and from which number on one server isn't enough. It takes the costs of an item
// and of a call from flags, whose defaults were measured (docs/scaling.md), or
// measures them on the server of NEO4J_URI.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"
)

const gib = 1 << 30

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "scaling:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var (
		w Workload
		c Costs
		m Machine
	)
	f := flag.NewFlagSet("scaling", flag.ContinueOnError)
	owners := f.String("owners", "100,1000,10000,100000,1000000", "numbers of owners, a line of the table each")
	number := func(to *float64, name string, value float64, usage string) { f.Float64Var(to, name, value, usage) }
	number(&w.Active, "active", 0.2, "share of the owners who talk on a day")
	number(&w.Turns, "turns", 20, "turns of an active owner on a day")
	number(&w.Reads, "reads", 1, "calls that only read, for each turn")
	number(&w.Entities, "entities", 0.3, "new entities for each turn")
	number(&w.Relations, "relations", 0.5, "new relations for each turn")
	number(&w.Facts, "facts", 0.8, "new facts for each turn")
	number(&w.Shared, "shared", 0.3, "share of the relations that touch UNIVERSAL entities")
	number(&w.Peak, "peak", 5, "the busiest second, in averages of the day")
	number(&w.Days, "days", 365, "how long knowledge has been collected")
	world := f.Float64("world-mib", 100, "UNIVERSAL knowledge in each database, in MiB")
	number(&c.EntityBytes, "entity-bytes", 963, "bytes of an entity on disk")
	number(&c.RelationBytes, "relation-bytes", 241, "bytes of a relation on disk")
	number(&c.SharedRelationBytes, "shared-relation-bytes", 492, "bytes of a relation to a UNIVERSAL entity on disk")
	number(&c.FactBytes, "fact-bytes", 969, "bytes of a fact on disk")
	number(&c.TurnMS, "turn-ms", 10, "the server's processor time for a turn, in ms")
	number(&c.UpsertMS, "upsert-ms", 9, "the server's processor time for the upsert of a turn, in ms")
	number(&c.ReadMS, "read-ms", 3.5, "the server's processor time for a read, in ms")
	number(&m.SmallCores, "small-cores", 4, "cores of the server to begin with")
	number(&m.Cores, "cores", 32, "cores of the largest server")
	number(&m.Busy, "busy", 0.5, "share of the cores that may be in use at the peak")
	smallMemory := f.Float64("small-memory", 16, "memory of the server to begin with, in GiB")
	memory := f.Float64("memory", 256, "memory of the largest server, in GiB")
	heap := f.Float64("heap", 8, "heap of a server, in GiB")
	system := f.Float64("system", 2, "memory left to the operating system, in GiB")
	measure := f.Bool("measure", false, "measure turn-ms, upsert-ms and read-ms on the server of NEO4J_URI first")
	store := f.String("load", "", "measure the bytes too, on a new server: the folder of its database as seen from here (…/data/databases/neo4j)")
	if err := f.Parse(args); err != nil {
		return err
	}
	w.WorldBytes = *world * (1 << 20)
	m.Memory, m.SmallMemory, m.Heap, m.System = *memory*gib, *smallMemory*gib, *heap*gib, *system*gib
	if err := check(w, c, m); err != nil {
		return err
	}
	if *measure || *store != "" {
		b, err := connect(ctx, os.Getenv("NEO4J_URI"), os.Getenv("NEO4J_USERNAME"), os.Getenv("NEO4J_PASSWORD"), out)
		if err != nil {
			return err
		}
		defer b.driver.Close(ctx)
		if *store != "" {
			if err := b.load(ctx, *store, &c); err != nil {
				return err
			}
		}
		found, err := b.costs(ctx, w)
		if err != nil {
			return err
		}
		c.TurnMS, c.UpsertMS, c.ReadMS = found.TurnMS, found.UpsertMS, found.ReadMS
	}
	var needs []Need
	for text := range strings.SplitSeq(*owners, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return fmt.Errorf("-owners: %q is no number of owners", text)
		}
		needs = append(needs, plan(n, w, c, m))
	}
	print(out, needs)
	return nil
}

// check refuses what has no plan.
func check(w Workload, c Costs, m Machine) error {
	if w.WorldBytes*pageCacheFactor+m.Heap+m.System >= m.SmallMemory {
		return errors.New("-heap, -system and a page cache for -world-mib leave no memory for owners (-small-memory)")
	}
	for _, v := range []float64{w.Turns, w.Reads, w.Entities, w.Relations, w.Facts, w.Peak, w.Days, w.WorldBytes, c.EntityBytes, c.RelationBytes, c.SharedRelationBytes, c.FactBytes, c.TurnMS, c.UpsertMS, c.ReadMS, m.Heap, m.System} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return errors.New("a flag is negative, or no number")
		}
	}
	for _, v := range []float64{w.Active, w.Shared, m.Busy} {
		if !(v >= 0 && v <= 1) {
			return errors.New("-active, -shared and -busy are from 0 to 1")
		}
	}
	if !(m.Busy > 0 && m.Cores >= m.SmallCores && m.SmallCores > 0 && m.Memory >= m.SmallMemory) {
		return errors.New("the largest server has to be at least as large as the one to begin with, with some cores that may be busy")
	}
	return nil
}
