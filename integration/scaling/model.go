package main

import (
	"fmt"
	"io"
	"math"
)

// Costs are what was measured of one server.
type Costs struct {
	// Bytes on disk of one item, indexes included.
	EntityBytes, RelationBytes, SharedRelationBytes, FactBytes float64
	// TurnMS, UpsertMS and ReadMS are the server's processor time for one call, in
	// milliseconds.
	TurnMS, UpsertMS, ReadMS float64
}

// Workload is what the owners do.
type Workload struct {
	// Active is the share of the owners who talk on a day, from 0 to 1.
	Active float64
	// Turns are those of an active owner on a day; each is one Turn and one upsert.
	Turns float64
	// Reads are the calls beside each turn that only read (Node, Facts, Materialize, …).
	Reads float64
	// Entities, Relations and Facts are what a turn adds that wasn't there.
	Entities, Relations, Facts float64
	// Shared is the share of the relations that touch UNIVERSAL entities, from 0 to 1.
	Shared float64
	// Peak is how many times the day's average the busiest second has.
	Peak float64
	// Days is how long knowledge has been collected when the table holds.
	Days float64
	// WorldBytes is the UNIVERSAL knowledge that each database holds, packs above all.
	WorldBytes float64
}

// Machine is the largest server that is to be used, and the one to begin with.
type Machine struct {
	// Cores and Memory (in bytes) of the two.
	Cores, SmallCores   float64
	Memory, SmallMemory float64
	// Busy is the share of the cores that may be in use at the peak, from 0 to 1.
	Busy float64
	// Heap and System are the bytes that aren't page cache.
	Heap, System float64
}

// Step is what has to be done.
type Step string

// The steps, from the least to the most.
const (
	OneServer Step = "one server"
	Larger    Step = "a larger server"
	Readers   Step = "a cluster"
	Databases Step = "a database for each group"
)

// Need is what a number of owners needs.
type Need struct {
	Owners    int
	Store     float64 // bytes of all databases together, one copy of each
	PageCache float64 // bytes, of all databases together
	Turns     float64 // in a second, at the peak
	Writing   float64 // cores that turns and upserts need
	Reading   float64 // cores that reads need, which may be elsewhere
	Databases int
	Readers   int // servers for each database, beside the one that writes
	Step      Step
	Why       string
}

// pageCacheFactor is the operations manual's: the store and its indexes, and a fifth
// for growth.
const pageCacheFactor = 1.2

// plan says what a number of owners needs.
//
// A database grows with its owners, and only one server writes to it: that server
// has to have the memory and the processor time of the writes. Reads may go to
// others. Where one server can't be large enough, owners are divided among
// databases, each on a server of its own.
func plan(owners int, w Workload, c Costs, m Machine) Need {
	n := Need{Owners: owners, Databases: 1, Step: OneServer}
	perDay := float64(owners) * w.Active * w.Turns
	n.Turns = perDay / (24 * 60 * 60) * w.Peak
	n.Writing = n.Turns * (c.TurnMS + c.UpsertMS) / 1000 / m.Busy
	n.Reading = n.Turns * w.Reads * c.ReadMS / 1000 / m.Busy
	own := perDay * w.Days * (w.Entities*c.EntityBytes + w.Relations*(w.Shared*c.SharedRelationBytes+(1-w.Shared)*c.RelationBytes) + w.Facts*c.FactBytes)
	each := w.WorldBytes*pageCacheFactor + m.Heap + m.System // what every server has in memory, whatever its owners
	memory := own*pageCacheFactor + each
	byCores, byMemory := math.Ceil(n.Writing/m.Cores), math.Ceil(own*pageCacheFactor/(m.Memory-each))
	switch cores := n.Writing + n.Reading; {
	case cores <= m.SmallCores && memory <= m.SmallMemory:
		n.Why = fmt.Sprintf("%s of memory and %s cores are enough", size(m.SmallMemory), count(m.SmallCores))
	case cores <= m.Cores && memory <= m.Memory:
		n.Step, n.Why = Larger, fmt.Sprintf("%s of memory; cores at the peak: %s", size(memory), count(math.Ceil(cores)))
	case byCores <= 1 && byMemory <= 1:
		n.Step, n.Why = Readers, fmt.Sprintf("writes take %s of %s cores, reads %s more", count(math.Ceil(n.Writing)), count(m.Cores), count(math.Ceil(n.Reading)))
	case byCores > byMemory:
		n.Step, n.Databases, n.Why = Databases, int(byCores), fmt.Sprintf("writes take %s cores, one server has %s", count(math.Ceil(n.Writing)), count(m.Cores))
	default:
		n.Step, n.Databases, n.Why = Databases, int(byMemory), fmt.Sprintf("%s of memory, one server has %s", size(memory), size(m.Memory))
	}
	if n.Writing+n.Reading > m.Cores*float64(n.Databases) {
		n.Readers = int(math.Ceil(n.Reading / float64(n.Databases) / m.Cores))
	}
	n.Store = own + float64(n.Databases)*w.WorldBytes
	n.PageCache = n.Store * pageCacheFactor
	return n
}

// print writes the needs as a Markdown table.
func print(out io.Writer, needs []Need) {
	fmt.Fprintln(out, "| owners | store | page cache | turns/s at the peak | cores for writes | cores for reads | step | why |\n|---|---|---|---|---|---|---|---|")
	for _, n := range needs {
		step := string(n.Step)
		if n.Databases > 1 {
			step = fmt.Sprintf("%s: %d", step, n.Databases)
		}
		if n.Readers > 0 {
			step += fmt.Sprintf("; readers for each: %d", n.Readers)
		}
		fmt.Fprintf(out, "| %d | %s | %s | %.1f | %.1f | %.1f | %s | %s |\n", n.Owners, size(n.Store), size(n.PageCache), n.Turns, n.Writing, n.Reading, step, n.Why)
	}
}

// size writes bytes in the unit that fits.
func size(bytes float64) string {
	switch {
	case bytes >= 1<<40:
		return fmt.Sprintf("%.1f TiB", bytes/(1<<40))
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", bytes/(1<<30))
	}
	return fmt.Sprintf("%.0f MiB", bytes/(1<<20))
}

func count(n float64) string { return fmt.Sprintf("%.0f", n) }
