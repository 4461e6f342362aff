package acervo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

const (
	// loadParallel is how many transactions store entities at once unless told otherwise.
	loadParallel = 4
	// loadBatch is how many items a transaction of a load holds unless told
	// otherwise, and loadSmallest what it shrinks to on a server with little memory.
	loadBatch, loadSmallest = 5000, 50
	// loadChunk and loadBytes bound what is read before it is stored, in items and
	// in bytes of text. One chunk is read while another one is stored.
	loadChunk, loadBytes = 20_000, 8 << 20
)

// LoadParams say how documents are loaded.
type LoadParams struct {
	// Owner is whose memory a document is for that names no owner. Default: such a
	// document has to be of the UNIVERSAL layer.
	Owner string
	// Strict ends the load at the first line that can't be stored. Default: the
	// others are stored.
	Strict bool
	// Rejects gets an object of JSON a line for each line that can't be stored:
	// input (Name), line (from 1), reason and text. Default: they are only counted.
	Rejects io.Writer
	// Name is what Rejects calls the input, for example the file. Default: nothing.
	Name string
	// Parallel is how many transactions store entities at once, from 1 to 64. Default 4.
	Parallel int
	// BatchSize is how many items a transaction holds at the most, from 50 to
	// 20,000. It shrinks by itself where the server says that its memory is used
	// up. Default 5,000.
	BatchSize int
	// Progress is called, by one goroutine at a time, with what is done so far.
	Progress func(LoadResult)
}

// LoadResult counts what was read, and what became of it.
type LoadResult struct {
	Lines int64 `json:"lines"`
	Bytes int64 `json:"bytes"`
	// Rejected counts lines that can't be stored, no part of which is stored; only of
	// one with a relation whose ends turn out to be one entity, the rest is there.
	Rejected  int64        `json:"rejected"`
	Entities  ImportCounts `json:"entities"` // those that relations and facts merely name included
	Relations ImportCounts `json:"relations"`
	Facts     ImportCounts `json:"facts"`
}

// Load stores documents as [DecodeDocuments] describes them, one a line, of any
// size of input and with bounded memory, as [Memory.UpsertEntities] would without
// activation. Lines are stored in transactions of many items, several at once,
// so that a line isn't a unit: after an interruption a part of it may be there.
// The same load again completes it, and counts what was there as matched. Each
// owner's documents go to the database of [Options.DatabaseFor], those of nobody to
// this client's own.
//
// Transactions of a load never wait for each other. Entities, with the facts about
// new ones, are stored by several at once, each of which has names of its own.
// Relations, and facts about entities that were there, are stored by one at a
// time: a relationship locks the ones that come before it at both its ends, so
// that even those without a common entity may wait for each other.
//
// It fails with ErrInvalid, a [LineError], for a wrong line if Strict is set, and
// with ErrLimit if the ontology would grow past its limit; what comes before is
// stored then.
func (c *Client) Load(ctx context.Context, r io.Reader, params LoadParams) (*LoadResult, error) {
	result, err := c.load(ctx, r, params)
	if err != nil {
		return result, fmt.Errorf("load: %w", err)
	}
	return result, nil
}

func (p *LoadParams) check() error {
	var faults []*FieldError
	if p.Owner != "" {
		if err := layers.CheckOwner(p.Owner); err != nil {
			faults = append(faults, fault("", -1, "owner", err))
		}
	}
	p.Parallel, p.BatchSize = orDefault(p.Parallel, loadParallel), orDefault(p.BatchSize, loadBatch)
	if p.Parallel > 64 {
		faults = append(faults, &FieldError{Index: -1, Field: "parallel", Value: fmt.Sprint(p.Parallel), Rule: "is more than 64"})
	}
	if p.BatchSize < loadSmallest || p.BatchSize > loadChunk {
		faults = append(faults, &FieldError{Index: -1, Field: "batch_size", Value: fmt.Sprint(p.BatchSize), Rule: fmt.Sprintf("is not from %d to %d", loadSmallest, loadChunk)})
	}
	return joinFaults(faults)
}

func (c *Client) load(ctx context.Context, r io.Reader, params LoadParams) (*LoadResult, error) {
	if err := params.check(); err != nil {
		return nil, err
	}
	l := &loading{c: c, params: params, result: &LoadResult{}, seed: maphash.MakeSeed(), known: map[*Client]bool{}, met: map[loadedID]knownEntity{}}
	l.size.Store(int64(params.BatchSize))
	if err := l.know(ctx, c); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	chunks := make(chan *loadedChunk) // one is read while another one is stored
	var reading error
	go func() {
		defer close(chunks)
		reading = l.read(r, func(chunk *loadedChunk) error {
			select {
			case chunks <- chunk:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	for chunk := range chunks {
		if err := l.store(ctx, chunk); err != nil {
			stop()
			for range chunks { // until the reader has ended
			}
			return l.result, err
		}
	}
	return l.result, reading
}

// loading is one load.
type loading struct {
	c      *Client
	params LoadParams
	result *LoadResult
	seed   maphash.Seed
	size   atomic.Int64     // of a transaction, in items
	known  map[*Client]bool // databases whose ontology was read
	// met are entities that the load made or found a short while ago.
	met map[loadedID]knownEntity
}

// loadedID is where an entity is.
type loadedID struct {
	c     *Client
	owner string
	id    string
}

// maxMet bounds how many entities a load remembers; then it begins anew.
const maxMet = 200_000

// loadedChunk is what is read before it is stored.
type loadedChunk struct {
	first int64 // number of the first line
	texts [][]byte
	// reasons are those of lines that can't be stored, by their places in texts.
	reasons map[int]error
	groups  map[loadGroup]*loadBatchOf
	order   []loadGroup
	items   int
	bytes   int
}

// loadGroup is what the items of one batch have in common.
type loadGroup struct {
	owner      string
	layer      layers.Layer
	source     string
	confidence string
	status     layers.Status
}

// loadBatchOf is a batch with where its relations come from.
type loadBatchOf struct {
	*batch
	origins []lineItem
}

// lineItem is the place of a line in its chunk, and of an item in that.
type lineItem struct{ line, index int }

// read reads lines and gives them on, chunk by chunk.
func (l *loading) read(r io.Reader, yield func(*loadedChunk) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	newChunk := func(first int64) *loadedChunk {
		return &loadedChunk{first: first, reasons: map[int]error{}, groups: map[loadGroup]*loadBatchOf{}}
	}
	chunk := newChunk(1)
	for lines.Scan() {
		text := slices.Clone(lines.Bytes())
		at := len(chunk.texts)
		chunk.texts = append(chunk.texts, text)
		chunk.bytes += len(text) + 1
		if len(bytes.TrimSpace(text)) > 0 {
			if err := bare(l.line(chunk, text)); err != nil {
				if chunk.reasons[at] = err; l.params.Strict {
					return errors.Join(&LineError{chunk.first + int64(at), err}, yield(chunk.until(at)))
				}
			}
		}
		if chunk.items >= loadChunk || chunk.bytes >= loadBytes {
			if err := yield(chunk); err != nil {
				return err
			}
			chunk = newChunk(chunk.first + int64(len(chunk.texts)))
		}
	}
	number := chunk.first + int64(len(chunk.texts))
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return errors.Join(&LineError{number, fmt.Errorf("is longer than %d bytes", maxLine)}, yield(chunk))
	} else if err != nil {
		return errors.Join(err, yield(chunk))
	}
	return yield(chunk)
}

// bare leaves out the line that a fault of a document names.
func bare(err error) error {
	var fault *DocumentError
	switch {
	case !errors.As(err, &fault):
		return err
	case fault.Item == "":
		return errors.New(fault.Rule)
	}
	return fmt.Errorf("%s %d: %s", fault.Item, fault.Index, fault.Rule)
}

// until drops a wrong line, the last one of the chunk.
func (c *loadedChunk) until(at int) *loadedChunk {
	c.texts = c.texts[:at]
	delete(c.reasons, at)
	return c
}

// line checks a line and adds its items to the chunk.
func (l *loading) line(chunk *loadedChunk, text []byte) error {
	if err := CheckJSON(text); err != nil {
		return err
	}
	doc, err := decodeDocument(json.RawMessage(text))
	if err != nil {
		return err
	}
	doc.Params.NoActivation = true
	if doc.Owner == "" {
		doc.Owner = l.params.Owner
	}
	m, err := l.memory(doc.Owner, doc.Params.Layer)
	if err != nil {
		return err
	}
	b, err := m.newBatch(doc.Params)
	if err != nil {
		return err
	}
	if err := b.checkTwins(m.client.snapshot()); err != nil {
		return err
	}
	key := loadGroup{owner: m.owner, layer: b.layer, source: b.source, confidence: fmt.Sprint(b.confidence), status: b.status}
	group := chunk.groups[key]
	if group == nil {
		group = &loadBatchOf{batch: b}
		chunk.groups[key], chunk.order = group, append(chunk.order, key)
	} else {
		group.entities = append(group.entities, b.entities...)
		group.relations = append(group.relations, b.relations...)
		group.facts = append(group.facts, b.facts...)
	}
	for i := range b.relations {
		group.origins = append(group.origins, lineItem{len(chunk.texts) - 1, i})
	}
	chunk.items += len(b.entities) + len(b.relations) + len(b.facts)
	return nil
}

// memory is the memory that a document is for.
func (l *loading) memory(owner string, layer layers.Layer) (*Memory, error) {
	if owner != "" {
		m := l.c.Memory(owner)
		return m, joinFaults(m.check())
	}
	if !strings.EqualFold(string(layer), string(layers.Universal)) {
		return nil, errors.New("is of the PERSONAL layer and names no owner")
	}
	return l.c.World(), nil
}

// checkTwins refuses names that are too long to tell them apart by their types.
func (b *batch) checkTwins(o *ontology.Ontology) error {
	for _, e := range b.entities {
		if known, declared := canonical(e.typ, o); declared && !e.explicit {
			if _, err := ontology.Suffix(e.id, known); err != nil {
				return err
			}
		}
	}
	return nil
}

// store stores a chunk and notes what can't be stored.
func (l *loading) store(ctx context.Context, chunk *loadedChunk) error {
	for _, key := range chunk.order {
		if err := l.group(ctx, chunk, key.owner, chunk.groups[key]); err != nil {
			return err
		}
	}
	l.result.Lines += int64(len(chunk.texts))
	l.result.Bytes += int64(chunk.bytes)
	l.result.Rejected += int64(len(chunk.reasons))
	if err := l.reject(chunk); err != nil {
		return err
	}
	if l.params.Progress != nil {
		l.params.Progress(*l.result)
	}
	return ctx.Err()
}

func (l *loading) reject(chunk *loadedChunk) error {
	if l.params.Rejects == nil {
		return nil
	}
	for at, text := range chunk.texts {
		reason, wrong := chunk.reasons[at]
		if !wrong {
			continue
		}
		line, err := marshal(struct {
			Input  string `json:"input,omitempty"`
			Line   int64  `json:"line"`
			Reason string `json:"reason"`
			Text   string `json:"text"`
		}{l.params.Name, chunk.first + int64(at), reason.Error(), string(text)})
		if err != nil {
			return err
		}
		if _, err := l.params.Rejects.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// know reads the ontology of a database once in a load: another process may have
// declared types since its client read them.
func (l *loading) know(ctx context.Context, c *Client) error {
	if l.known[c] {
		return nil
	}
	if _, err := c.refresh(ctx); err != nil { // it prepares the client
		return err
	}
	l.known[c] = true
	return nil
}

// group stores one batch: its entities, then its facts, then its relations.
func (l *loading) group(ctx context.Context, chunk *loadedChunk, owner string, b *loadBatchOf) error {
	m := l.c.World()
	if owner != layers.WorldOwner {
		m = l.c.Memory(owner)
	}
	c := m.client // of the owner's database
	if err := l.know(ctx, c); err != nil {
		return err
	}
	s := storing{m: m, b: b.batch, now: c.now(), ontology: c.snapshot(), result: newUpsertResult(), apart: true}
	if reg := b.unregistered(s.ontology); !reg.empty() {
		err := c.write(ctx, "load", func(r runner) error {
			s.r, s.ontology, s.result = r, c.snapshot(), newUpsertResult()
			return s.register(ctx)
		})
		if err != nil {
			return err
		}
		if _, err := c.refresh(ctx); err != nil {
			return err
		}
		s.ontology = c.snapshot()
	}
	s.plan()
	facts := make(map[*row][]int, len(s.rows.list)) // the places of the facts about each
	for i, r := range s.about {
		facts[r] = append(facts[r], i)
	}
	rows := make([][]int, l.params.Parallel)
	for i, r := range s.rows.list {
		if e, ok := l.met[loadedID{c, m.ownerIn(b.layer), r.id}]; ok && s.settled(r, e) {
			continue
		}
		p := maphash.String(l.seed, r.id) % uint64(len(rows))
		rows[p] = append(rows[p], i)
	}
	if err := l.each(ctx, &s, rows, func(s *storing, part []int) error {
		list := make([]*row, len(part))
		for i, n := range part {
			list[i] = s.rows.list[n]
		}
		if err := s.entities(ctx, list, nil, nil); err != nil {
			return err
		}
		if err := s.aliases(ctx, list); err != nil {
			return err
		}
		var own []int // facts about what was made just now
		for _, r := range list {
			if r.found.created {
				own = append(own, facts[r]...)
			}
		}
		slices.Sort(own)
		return s.facts(ctx, own)
	}); err != nil {
		return err
	}
	for _, r := range s.rows.list {
		s.stateAttributes(r)
		l.result.Entities.count(r.found.created)
		l.meet(c, &s, r)
	}
	var others []int
	for i, r := range s.about {
		if !r.found.created {
			others = append(others, i)
		}
	}
	if err := l.each(ctx, &s, [][]int{others}, func(s *storing, part []int) error {
		about := make([]*row, len(part))
		for i, n := range part {
			about[i] = s.about[n]
		}
		if err := s.again(ctx, about); err != nil {
			return err
		}
		return s.facts(ctx, part)
	}); err != nil {
		return err
	}
	for _, f := range s.result.Facts {
		l.result.Facts.count(f.Created)
	}
	return l.relations(ctx, chunk, &s, b)
}

// meet remembers an entity of the space that the batch is of.
func (l *loading) meet(c *Client, s *storing, r *row) {
	if r.found.id != r.id || r.found.layer != s.b.layer || r.found.element == "" {
		return
	}
	if len(l.met) >= maxMet {
		clear(l.met)
	}
	e := knownEntity{found: r.found, confidence: r.confidence}
	e.found.created, e.found.completed, e.found.changed, e.found.differing = false, false, false, nil
	l.met[loadedID{c, s.m.ownerIn(s.b.layer), r.id}] = e
}

// again looks entities up once more in a transaction that is repeated, since another
// one may have merged or removed them, and makes those that aren't there.
func (s *storing) again(ctx context.Context, list []*row) error {
	if !s.repeated {
		return nil
	}
	var rows []*row
	made := map[*row]bool{}
	for _, r := range list {
		if _, ok := made[r]; !ok {
			made[r], rows = r.found.created, append(rows, r)
		}
	}
	err := s.entities(ctx, rows, nil, nil)
	for _, r := range rows {
		r.found.created = r.found.created || made[r]
	}
	return err
}

// count notes an item that was stored.
func (c *ImportCounts) count(created bool) {
	if c.Read++; created {
		c.Created++
	} else {
		c.Matched++
	}
}

// relations stores relations, one transaction at a time.
func (l *loading) relations(ctx context.Context, chunk *loadedChunk, s *storing, b *loadBatchOf) error {
	var stored []int
	for i, rel := range b.relations {
		if s.rows.from[i].found.key() == s.rows.to[i].found.key() {
			chunk.reasons[b.origins[i].line] = &FieldError{Item: "relation", Index: b.origins[i].index, Field: "to", Value: ontology.Shorten(rel.to.display()), Rule: selfRelation}
			continue
		}
		stored = append(stored, i)
	}
	if err := l.each(ctx, s, [][]int{stored}, func(s *storing, part []int) error {
		ends := make([]*row, 0, 2*len(part))
		for _, n := range part {
			ends = append(ends, s.rows.from[n], s.rows.to[n])
		}
		if err := s.again(ctx, ends); err != nil {
			return err
		}
		return s.relations(ctx, part)
	}); err != nil {
		return err
	}
	for _, i := range stored {
		l.result.Relations.count(s.result.Relations[i].Created)
	}
	s.override()
	return s.m.client.write(ctx, "load", func(r runner) error {
		last := *s
		last.r = r
		return last.settle(ctx)
	})
}

// each writes parts at once, each in transactions of a bounded size.
func (l *loading) each(ctx context.Context, s *storing, parts [][]int, write func(s *storing, part []int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		wg.Go(func() {
			for len(part) > 0 && ctx.Err() == nil {
				size := int(l.size.Load())
				some := part[:min(size, len(part))]
				own := *s
				own.repeated = false
				err := s.m.client.write(ctx, "load", func(r runner) error {
					own.r = r
					err := outOfMemory(write(&own, some))
					own.repeated = true
					return err
				})
				switch err = outOfMemory(err); {
				case err == nil:
					part = part[len(some):]
				case errors.Is(err, errOutOfMemory) && len(some) > loadSmallest:
					l.size.CompareAndSwap(int64(size), int64(max(loadSmallest, len(some)/2)))
				default:
					stop(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// errOutOfMemory is returned by a transaction that needs more of the server's
// memory than it may have.
var errOutOfMemory = fmt.Errorf("the server has too little memory for a transaction: %w", ErrUnavailable)

// outOfMemory hides such an error from the driver, which would try the same again.
func outOfMemory(err error) error {
	var limit *neo4j.TransactionExecutionLimit // the driver tried a commit again
	if errors.As(err, &limit) && len(limit.Errors) > 0 {
		err = limit.Errors[len(limit.Errors)-1]
	}
	switch code := codeOf(err); code {
	case "Neo.TransientError.General.MemoryPoolOutOfMemoryError", "Neo.TransientError.General.OutOfMemoryError",
		"Neo.ClientError.General.TransactionOutOfMemoryError", "Neo.TransientError.General.TransactionOutOfMemoryError":
		return fmt.Errorf("%w: %s", errOutOfMemory, code)
	}
	return err
}
