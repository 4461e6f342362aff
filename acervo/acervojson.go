package acervo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// ImportResult says what an import found and did.
type ImportResult struct {
	Nodes     ImportCounts `json:"nodes"`
	Relations ImportCounts `json:"relations"`
	Facts     ImportCounts `json:"facts"`
	// Incomplete are ids of nodes whose type isn't known. Implied are ids that
	// relations name and nodes.json lacks; they are incomplete nodes now.
	Incomplete []string `json:"incomplete"`
	Implied    []string `json:"implied"`
	// Conflicts are nodes that had another type before.
	Conflicts []ImportConflict `json:"conflicts"`
	// Skipped is what the graph has no place for, and why.
	Skipped []SkippedField `json:"skipped"`
}

// ImportCounts counts what was read, and what became of it.
type ImportCounts struct {
	Read    int `json:"read"`
	Created int `json:"created"`
	Matched int `json:"matched"`
}

// ImportConflict is a node whose stored type stayed.
type ImportConflict struct {
	ID string `json:"id"`
	TypeConflict
}

// SkippedField is something of a file that wasn't stored.
type SkippedField struct {
	File   string `json:"file"`
	Index  int    `json:"index"`
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

// FileError is a fault of a file that is imported.
type FileError struct {
	// File is the file's name, Line and Column where the fault is, from 1.
	File         string
	Line, Column int
	// Item, Field and Rule say what is wrong, for example "node 3", "id", "is empty".
	Item, Field, Rule string
}

// Error names the file, the place and the fault.
func (e *FileError) Error() string {
	parts := []string{fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)}
	for _, p := range []string{e.Item, e.Field} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(append(parts, e.Rule), ": ")
}

// Is reports that the error is ErrInvalid.
func (e *FileError) Is(target error) bool { return target == ErrInvalid }

// ImportAcervoJSON imports nodes.json and edges.json, if there is one, as the
// Python original's releases 0.1 to 0.5 write them. Every node, fact and edge
// arrives; ids and times are kept, types and relations get their spelling of the
// ontology, nodes without a type are incomplete. What has no owner belongs to
// the memory's. Everything is checked first and stored in one transaction;
// importing again changes nothing.
//
// It fails with ErrInvalid, a [FileError] or a [ValidationError], if a file is
// malformed or a node belongs to another owner; then nothing is written.
func (m *Memory) ImportAcervoJSON(ctx context.Context, dir fs.FS) (*ImportResult, error) {
	result, err := m.importAcervoJSON(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("import acervo-json: %w", err)
	}
	return result, nil
}

func (m *Memory) importAcervoJSON(ctx context.Context, dir fs.FS) (*ImportResult, error) {
	if err := joinFaults(m.checkActive()); err != nil {
		return nil, err
	}
	im := importing{m: m, layer: map[string]layers.Layer{}, skipped: []SkippedField{}}
	if err := im.read(dir, "nodes.json", "node", true, im.node); err != nil {
		return nil, err
	}
	if err := im.read(dir, "edges.json", "edge", false, im.edge); err != nil {
		return nil, err
	}
	var batches []*batch
	for _, p := range im.batches(m.client.opts.MaxBatch) {
		b, err := m.newBatch(p)
		if err != nil {
			return nil, err
		}
		batches = append(batches, b)
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	var result *ImportResult
	err := m.client.write(ctx, "import/acervo_json", func(r runner) error {
		result = &ImportResult{Incomplete: []string{}, Implied: []string{}, Conflicts: []ImportConflict{}, Skipped: im.skipped}
		for i, b := range batches {
			stored, err := m.store(ctx, r, b)
			if err != nil {
				return fmt.Errorf("batch %d: %w", i, err)
			}
			result.count(stored)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, err = m.client.refresh(ctx)
	return result, err
}

func (r *ImportResult) count(stored *UpsertResult) {
	for _, e := range stored.Entities {
		r.Nodes.add(e.Created)
		if e.Status == layers.Incomplete {
			r.Incomplete = append(r.Incomplete, e.ID)
		}
		if e.Conflict != nil {
			r.Conflicts = append(r.Conflicts, ImportConflict{e.ID, *e.Conflict})
		}
	}
	for _, e := range stored.Implied {
		if e.Created {
			r.Implied = append(r.Implied, e.ID)
		}
	}
	for _, rel := range stored.Relations {
		r.Relations.add(rel.Created)
	}
	for _, f := range stored.Facts {
		r.Facts.add(f.Created)
	}
}

func (c *ImportCounts) add(created bool) {
	c.Read++
	if created {
		c.Created++
	} else {
		c.Matched++
	}
}

// importing is what was read so far.
type importing struct {
	m         *Memory
	layer     map[string]layers.Layer // of each node
	universal UpsertParams
	personal  UpsertParams
	worldly   []Relation // relations of the UNIVERSAL layer
	own       []Relation
	skipped   []SkippedField
}

// batches splits what was read into calls: entities first, so that relations
// and facts find them.
func (im *importing) batches(size int) []UpsertParams {
	var all []UpsertParams
	for _, p := range []UpsertParams{im.universal, im.personal} {
		for chunk := range slices.Chunk(p.Entities, size) {
			all = append(all, UpsertParams{Layer: p.Layer, Entities: chunk})
		}
	}
	for _, p := range []UpsertParams{im.universal, im.personal} {
		for chunk := range slices.Chunk(p.Facts, size) {
			all = append(all, UpsertParams{Layer: p.Layer, Facts: chunk})
		}
	}
	for chunk := range slices.Chunk(im.worldly, size) {
		all = append(all, UpsertParams{Layer: layers.Universal, Relations: chunk})
	}
	for chunk := range slices.Chunk(im.own, size) {
		all = append(all, UpsertParams{Layer: layers.Personal, Relations: chunk})
	}
	for i := range all {
		all[i].NoActivation = true
	}
	return all
}

// read goes through the items of one file.
func (im *importing) read(dir fs.FS, name, kind string, needed bool, item func(i int, fields *fields) error) error {
	text, err := fs.ReadFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) && !needed {
		return nil
	}
	if err != nil {
		return &FieldError{Index: -1, Field: name, Rule: "can't be read", Err: err}
	}
	wrong := func(at int, item, field, rule string) error {
		line, column := lineAndColumn(text, at)
		return &FileError{File: name, Line: line, Column: column, Item: item, Field: field, Rule: rule}
	}
	var fault *DocumentError
	if err := CheckJSON(text); errors.As(err, &fault) {
		return &FileError{File: name, Line: fault.Line, Column: 1, Rule: fault.Rule}
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, new(json.RawMessage)); errors.As(err, &syntax) {
		return wrong(int(syntax.Offset)-1, "", "", syntax.Error())
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return wrong(0, "", "", "isn't an array")
	}
	for i := 0; d.More(); i++ {
		var raw map[string]any
		start := int(d.InputOffset())
		if err := d.Decode(&raw); err != nil {
			var typ *json.UnmarshalTypeError
			if errors.As(err, &typ) {
				return wrong(start, fmt.Sprintf("%s %d", kind, i), "", "is a "+typ.Value+", not an object")
			}
			return err
		}
		start += len(text[start:]) - len(bytes.TrimLeft(text[start:], ", \t\r\n"))
		f := &fields{raw: raw}
		err := item(i, f)
		if err == nil {
			err = f.err
		}
		var rule *ruleError
		if errors.As(err, &rule) {
			return wrong(start, fmt.Sprintf("%s %d", kind, i), rule.field, rule.rule)
		}
		if err != nil {
			return err
		}
		for _, key := range f.rest() {
			im.skipped = append(im.skipped, SkippedField{File: name, Index: i, Field: key, Reason: "the graph has no place for it"})
		}
	}
	return nil
}

// lineAndColumn gives the line and column of a place, from 1.
func lineAndColumn(text []byte, at int) (line, column int) {
	at = max(0, min(at, len(text)))
	return lineOf(text, at), at - bytes.LastIndexByte(text[:at], '\n')
}

// ruleError is a broken rule of one field.
type ruleError struct{ field, rule string }

func (e *ruleError) Error() string { return e.field + " " + e.rule }

// fields takes the values out of an item, and remembers the first wrong one.
type fields struct {
	raw   map[string]any
	taken []string
	err   error
}

func (f *fields) take(key string) any {
	f.taken = append(f.taken, key)
	return f.raw[key]
}

func (f *fields) wrong(key, rule string) {
	if f.err == nil {
		f.err = &ruleError{key, rule}
	}
}

// text takes a string; null is "".
func (f *fields) text(key string) string {
	switch v := f.take(key).(type) {
	case nil:
		return ""
	case string:
		return v
	}
	f.wrong(key, "is no string")
	return ""
}

// time takes a time; one without a zone is in UTC.
func (f *fields) time(key string) time.Time {
	s := f.text(key)
	if s == "" {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	f.wrong(key, fmt.Sprintf("%q is no time", ontology.Shorten(s)))
	return time.Time{}
}

func (f *fields) number(key string) *float64 {
	switch v := f.take(key).(type) {
	case nil:
		return nil
	case json.Number:
		if n, err := v.Float64(); err == nil {
			return &n
		}
	}
	f.wrong(key, "is no number")
	return nil
}

// list takes a list of objects.
func (f *fields) list(key string) []*fields {
	list, ok := f.take(key).([]any)
	if !ok && f.raw[key] != nil {
		f.wrong(key, "is no list")
	}
	items := make([]*fields, 0, len(list))
	for i, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			f.wrong(fmt.Sprintf("%s %d", key, i), "is no object")
		}
		items = append(items, &fields{raw: object})
	}
	return items
}

// rest lists the keys that nobody took and that hold something.
func (f *fields) rest() []string {
	var keys []string
	for key, v := range f.raw {
		if !slices.Contains(f.taken, key) && !empty(v) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// node reads one node with its facts.
func (im *importing) node(i int, f *fields) error {
	e := Entity{Name: f.text("label"), ID: f.text("id"), Type: f.text("type"), CreatedAt: f.time("created_at"), Confidence: f.number("confidence_for_owner")}
	layer, err := layers.ParseLayer(cmp.Or(f.text("layer"), string(layers.Personal)))
	if err != nil {
		f.wrong("layer", err.Error())
	}
	if owner := f.text("owner"); owner != "" && owner != im.m.owner {
		f.wrong("owner", fmt.Sprintf("is %q, not %q, whose memory it is imported into", ontology.Shorten(owner), ontology.Shorten(im.m.owner)))
	}
	if rule := ontology.CheckText(e.ID, ontology.MaxID); rule != "" {
		f.wrong("id", rule)
	}
	if _, again := im.layer[e.ID]; again {
		f.wrong("id", fmt.Sprintf("%q is that of an earlier node", ontology.Shorten(e.ID)))
	}
	if e.Name == "" {
		e.Name = e.ID
	}
	if e.Source = f.text("source"); layer == layers.Universal && e.Source != layers.SourceWorld {
		e.Source = ""
	}
	// hot, warm and cold belong to a session of the original, and whether a node
	// is complete follows from its type.
	f.text("status")
	f.take("pending_fields")
	e.Attributes = im.attributes(i, f, layer)
	im.layer[e.ID] = layer
	to := &im.personal
	if layer == layers.Universal {
		to = &im.universal
	}
	to.Layer = layer
	to.Entities = append(to.Entities, e)
	for j, item := range f.list("facts") {
		fact := Fact{EntityID: e.ID, Text: item.text("fact"), Source: item.text("source"), CreatedAt: item.time("date")}
		var details []string
		if s := item.text("session"); s != "" {
			details = append(details, "session "+s)
		}
		if date, _ := item.raw["date"].(string); date != "" {
			details = append(details, date)
		}
		if fact.Detail = strings.Join(details, ", "); fact.Detail != "" {
			fact.Detail = cmp.Or(fact.Source, "unknown source") + ", " + fact.Detail
		}
		if item.err != nil {
			var rule *ruleError
			errors.As(item.err, &rule)
			f.wrong(fmt.Sprintf("facts %d: %s", j, rule.field), rule.rule)
		}
		if rule := ontology.CheckText(fact.Text, ontology.MaxText); rule != "" {
			f.wrong(fmt.Sprintf("facts %d: fact", j), rule)
		}
		if !fact.CreatedAt.IsZero() { // a date has no order within it
			fact.CreatedAt = fact.CreatedAt.Add(time.Duration(j) * time.Microsecond)
		}
		for _, key := range item.rest() {
			im.skipped = append(im.skipped, SkippedField{File: "nodes.json", Index: i, Field: fmt.Sprintf("facts %d: %s", j, key), Reason: "the graph has no place for it"})
		}
		to.Facts = append(to.Facts, fact)
	}
	return nil
}

// attributes keeps the node's attributes and what else it holds, as far as the
// graph has a place for it: how often and when the owner used a UNIVERSAL node
// is nothing that the others should see.
func (im *importing) attributes(i int, f *fields, layer layers.Layer) map[string]any {
	attributes := map[string]any{}
	keep := func(key string, v any) {
		clean, rule := cleanValue(v)
		if err := ontology.CheckAttribute(key); err != nil {
			rule = err.Error()
		}
		if rule != "" {
			im.skipped = append(im.skipped, SkippedField{File: "nodes.json", Index: i, Field: key, Reason: rule})
			return
		}
		if list, ok := clean.([]any); ok && len(list) == 0 || clean == nil {
			return
		}
		attributes[key] = clean
	}
	given, ok := f.take("attributes").(map[string]any)
	if !ok && f.raw["attributes"] != nil {
		f.wrong("attributes", "is no object")
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		keep(key, given[key])
	}
	if f.raw["kind"] == "entity" { // every node is one
		f.take("kind")
	}
	for _, key := range slices.Clone(f.rest()) {
		switch {
		case key == "facts":
		case layer == layers.Universal && !empty(f.raw[key]):
			f.take(key)
			im.skipped = append(im.skipped, SkippedField{File: "nodes.json", Index: i, Field: key, Reason: "it is the owner's own, and the node is everybody's"})
		default:
			keep(key, f.take(key))
		}
	}
	return attributes
}

// empty reports whether a value of JSON says nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// edge reads one relation.
func (im *importing) edge(i int, f *fields) error {
	r := Relation{FromID: f.text("source"), ToID: f.text("target"), Type: f.text("relation"), CreatedAt: f.time("created_at"), Source: f.text("source_type")}
	layer, err := layers.ParseLayer(cmp.Or(f.text("layer"), string(layers.Personal)))
	if err != nil {
		f.wrong("layer", err.Error())
	}
	for key, id := range map[string]string{"source": r.FromID, "target": r.ToID} {
		if rule := ontology.CheckText(id, ontology.MaxID); rule != "" {
			f.wrong(key, rule)
		}
	}
	if err := ontology.CheckRelation(r.Type); err != nil {
		f.wrong("relation", fault("", 0, "", err).Rule)
	}
	skip := func(field, reason string) {
		im.skipped = append(im.skipped, SkippedField{File: "edges.json", Index: i, Field: field, Reason: reason})
	}
	if w := f.number("weight"); w != nil && *w != 1 {
		skip("weight", fmt.Sprintf("relations have no weight (%v)", *w))
	}
	f.time("last_active") // the time of the last sight is that of the import
	if r.FromID == r.ToID {
		skip("target", "an entity has no relation to itself")
		return nil
	}
	// A relation with a PERSONAL end is PERSONAL.
	if layer == layers.Universal && im.layer[r.FromID] == layers.Universal && im.layer[r.ToID] == layers.Universal {
		r.Source = ""
		im.worldly = append(im.worldly, r)
		return nil
	}
	if r.Source == layers.SourceWorld {
		r.Source = ""
	}
	im.own = append(im.own, r)
	return nil
}
