package acervo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// ImportParams says how JSON Lines are read.
type ImportParams struct {
	// AnyOwner takes an export of another owner as the memory's own. Default: it
	// fails with ErrConflict.
	AnyOwner bool
	// Progress is called now and then with the number of lines stored so far.
	Progress func(lines int64)
}

// ImportLinesResult counts what was read, and what became of it.
type ImportLinesResult struct {
	// Owner is whose export it is.
	Owner     string       `json:"owner"`
	Lines     int64        `json:"lines"`
	Entities  ImportCounts `json:"entities"`
	Shared    ImportCounts `json:"shared"`
	Aliases   ImportCounts `json:"aliases"`
	Facts     ImportCounts `json:"facts"`
	Relations ImportCounts `json:"relations"`
	Ended     ImportCounts `json:"ended"`
	Sessions  ImportCounts `json:"sessions"`
}

// maxLine is how many bytes a line of an import may have.
const maxLine = 4 << 20

// importBatch is how many lines one transaction of an import stores.
const importBatch = 1000

// LineError is a fault of a line of an import or a pack.
type LineError struct {
	// Line counts from 1.
	Line int64
	Err  error
}

// Error names the line and the fault.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the fault.
func (e *LineError) Unwrap() error { return e.Err }

// Is reports that a fault of a line is ErrInvalid.
func (e *LineError) Is(target error) bool { return target == ErrInvalid }

// Import stores what [Memory.Export] wrote as JSON Lines: with the same ids,
// times and history. What is there already stays as it is, so that an import
// which was interrupted can be done again. It works in transactions of 1,000 lines.
//
// A reader that can seek, such as a file, is read twice: every line is checked
// before the first is stored. Of any other, what comes before a wrong line is
// stored. It fails with ErrInvalid, a [LineError], for a wrong line, with
// ErrUnsupported for a newer format, and with ErrConflict for an export of
// another owner.
func (m *Memory) Import(ctx context.Context, r io.Reader, params ImportParams) (*ImportLinesResult, error) {
	result, err := m.importLines(ctx, r, params)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	return result, nil
}

func (m *Memory) importLines(ctx context.Context, r io.Reader, params ImportParams) (*ImportLinesResult, error) {
	if err := joinFaults(m.checkWrite()); err != nil {
		return nil, err
	}
	if s, ok := r.(io.ReadSeeker); ok {
		start, err := s.Seek(0, io.SeekCurrent)
		if err == nil {
			i := restoring{m: m, params: params, result: &ImportLinesResult{}}
			if err := i.read(s, func([]numbered) error { return ctx.Err() }); err != nil {
				return nil, err
			}
			if _, err := s.Seek(start, io.SeekStart); err != nil {
				return nil, err
			}
		}
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	i := restoring{m: m, params: params, result: &ImportLinesResult{}}
	if err := i.read(r, func(batch []numbered) error {
		before, late := *i.result, i.late
		err := m.client.write(ctx, "import", func(r runner) error {
			*i.result, i.late = before, late // a transaction that is done again counts once
			return i.store(ctx, r, batch)
		})
		if err == nil && params.Progress != nil {
			params.Progress(i.result.Lines)
		}
		return err
	}); err != nil || len(i.late) == 0 {
		return i.result, err
	}
	late := i.late
	return i.result, m.client.write(ctx, "import", func(r runner) error {
		i.late = nil
		return i.supersede(ctx, r, late)
	})
}

// numbered is a line with its number.
type numbered struct {
	*exportLine
	number int64
}

// restoring is one import of lines.
type restoring struct {
	m      *Memory
	params ImportParams
	result *ImportLinesResult
	late   []map[string]any // corrections of what hadn't been read yet
}

// read reads and checks lines and gives them on, some at a time.
func (i *restoring) read(r io.Reader, each func(batch []numbered) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	var batch []numbered
	var number int64
	header := false
	for lines.Scan() {
		number++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		l, err := decodeLine(lines.Bytes())
		if err != nil {
			return &LineError{number, err}
		}
		if (l.Header != nil) == header {
			return &LineError{number, errHeader}
		}
		if !header {
			header = true
			if err := i.header(l.Header); err != nil {
				return err
			}
			continue
		}
		if err := i.check(l); err != nil {
			return &LineError{number, err}
		}
		if batch = append(batch, numbered{l, number}); len(batch) == importBatch {
			if err := each(batch); err != nil {
				return err
			}
			batch = batch[:0:0]
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &LineError{number + 1, fmt.Errorf("is longer than %d bytes", maxLine)}
	case err != nil:
		return err
	case !header:
		return &LineError{number + 1, errHeader}
	case len(batch) == 0:
		return nil
	}
	return each(batch)
}

var errHeader = errors.New("an export has one header, in its first line")

// decodeLine reads one line: an object with one key.
func decodeLine(text []byte) (*exportLine, error) {
	if err := checkJSONText(text); err != nil {
		return nil, err
	}
	l := &exportLine{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("holds more than one object")
	}
	set := 0
	for _, there := range []bool{
		l.Header != nil, l.Type != nil, l.RelationType != nil, l.Shared != nil, l.Entity != nil, l.Alias != nil,
		l.Fact != nil, l.Relation != nil, l.Ended != nil, l.Session != nil,
	} {
		if there {
			set++
		}
	}
	if set != 1 {
		return nil, errors.New("is not one item")
	}
	return l, nil
}

func (i *restoring) header(h *headerLine) error {
	i.result.Owner = h.Owner
	switch {
	case h.Format > exportFormat:
		return fmt.Errorf("the export has format %d, newer than the %d that this release reads: %w", h.Format, exportFormat, ErrUnsupported)
	case h.Format < 1:
		return &LineError{1, errors.New("header.format is missing")}
	case (h.Owner == layers.WorldOwner) != i.m.world:
		return fmt.Errorf("the export is of %q, and UNIVERSAL and PERSONAL knowledge don't mix: %w", ontology.Shorten(h.Owner), ErrConflict)
	case h.Owner != i.m.owner && !i.params.AnyOwner:
		return fmt.Errorf("the export is of the owner %q, not of %q: %w", ontology.Shorten(h.Owner), ontology.Shorten(i.m.owner), ErrConflict)
	}
	return nil
}

// check checks what has to hold for the graph to stay one that every call can
// read: identity, layers, and the kinds of the properties that calls rely on.
func (i *restoring) check(l *exportLine) error {
	own := layers.Personal
	if i.m.world {
		own = layers.Universal
	}
	switch {
	case l.Type != nil:
		if l.Type.Name == ontology.Unknown {
			return nil
		}
		return ontology.CheckType(l.Type.Name)
	case l.RelationType != nil:
		return ontology.CheckRelation(l.RelationType.Name)
	case l.Shared != nil:
		return errors.Join(lengthRule("id", l.Shared.ID, ontology.MaxID), lengthRule("label", l.Shared.Label, ontology.MaxText), typeName(l.Shared.Type))
	case l.Entity != nil:
		h := l.Entity
		if h["layer"] != string(own) {
			return fmt.Errorf("layer is %v, not %s", h["layer"], own)
		}
		return errors.Join(h.text("id", ontology.MaxID), h.text("label", ontology.MaxText), typeName(stringOf(h["type"])), h.text("source", layers.MaxSource),
			h.text("status", 64), h.time("created_at", true), h.time("updated_at", true), h.time("verified_at", false),
			h.list("aliases"), h.list("pending_fields"), h.number("confidence_for_owner"), h.attributes())
	case l.Alias != nil:
		return errors.Join(l.Alias.text("id", ontology.MaxID), l.Alias.key("entity"), l.Alias.text("label", ontology.MaxText), l.Alias.time("created_at", true))
	case l.Fact != nil:
		h := l.Fact.Held
		if past := h["valid_to"] != nil; past != (l.Fact.Number != nil) {
			return errors.New("a fact has a number if and only if it has valid_to")
		}
		return errors.Join(h.key("about"), h.text("text", ontology.MaxText), h.text("source", layers.MaxSource), h.list("sources"),
			h.time("created_at", true), h.time("valid_from", true), h.time("valid_to", false), h.number("confidence"))
	case l.Relation != nil:
		h := l.Relation.Held
		_, _, from := l.Relation.From.Split()
		_, _, to := l.Relation.To.Split()
		if !from || !to || l.Relation.From == l.Relation.To {
			return errors.New("from and to are not the keys of two entities")
		}
		return errors.Join(ontology.CheckRelation(l.Relation.Type), h.text("layer", 64), h.text("source", layers.MaxSource),
			h.time("created_at", true), h.time("valid_from", true), h.time("last_seen_at", true), h.number("confidence"))
	case l.Ended != nil:
		h := l.Ended
		return errors.Join(h.text("key", 256), h.key("from"), h.key("to"), ontology.CheckRelation(stringOf(h["type"])), h.time("valid_to", true))
	case l.Session != nil:
		h := l.Session
		if i.m.world {
			return errors.New("the UNIVERSAL layer has no sessions")
		}
		if _, ok := h["turn"].(int64); !ok {
			return errors.New("turn is no integer")
		}
		return errors.Join(layers.CheckSession(stringOf(h["id"])), h.list("hot"), h.list("warm"), h.time("updated_at", true))
	}
	return nil
}

func typeName(name string) error {
	if name == ontology.Unknown {
		return nil
	}
	return ontology.CheckType(name)
}

func lengthRule(field, s string, limit int) error {
	if rule := ontology.CheckText(s, limit); rule != "" {
		return fmt.Errorf("%s %s", field, rule)
	}
	return nil
}

func (h held) text(field string, limit int) error {
	return lengthRule(field, stringOf(h[field]), limit)
}

func (h held) key(field string) error {
	if _, id, ok := layers.Key(stringOf(h[field])).Split(); !ok || len(id) > ontology.MaxID {
		return fmt.Errorf("%s is not the key of an entity", field)
	}
	return nil
}

func (h held) time(field string, needed bool) error {
	if v, there := h[field]; !there && !needed {
		return nil
	} else if _, ok := v.(interface{ UnixNano() int64 }); !ok {
		return fmt.Errorf("%s is no time", field)
	}
	return nil
}

func (h held) number(field string) error {
	if _, ok := h[field].(float64); !ok {
		return fmt.Errorf("%s is no float", field)
	}
	return nil
}

// list checks a list of strings.
func (h held) list(field string) error {
	list, ok := h[field].([]any)
	if !ok || slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok }) {
		return fmt.Errorf("%s is no list of strings", field)
	}
	return nil
}

func (h held) attributes() error {
	reserved := ontology.ReservedAttributes()
	for name := range h {
		if err := ontology.CheckAttribute(name); err != nil && !slices.Contains(reserved, name) {
			return err
		}
	}
	return nil
}

// store stores a batch of lines, in the order of their kinds.
func (i *restoring) store(ctx context.Context, r runner, batch []numbered) error {
	i.result.Lines += int64(len(batch))
	for _, step := range []func(context.Context, runner, []numbered) error{
		i.ontology, i.shared, i.entities, i.aliases, i.facts, i.relations, i.ended, i.sessions,
	} {
		if err := step(ctx, r, batch); err != nil {
			return err
		}
	}
	return nil
}

// ontology registers the types, relations and attributes of a batch.
func (i *restoring) ontology(ctx context.Context, r runner, batch []numbered) error {
	var auto registration
	attributes := map[string][]string{}
	reserved := ontology.ReservedAttributes()
	for _, l := range batch {
		switch {
		case l.Type != nil && l.Type.Name != ontology.Unknown:
			auto.types = append(auto.types, ontology.Type{Name: l.Type.Name, LayerDefault: l.Type.LayerDefault, Origin: importOrigin(l.Type.Origin)})
		case l.RelationType != nil:
			relation := ontology.Relation{Name: l.RelationType.Name, Origin: importOrigin(l.RelationType.Origin)}
			if !l.RelationType.SingleValued {
				auto.relations = append(auto.relations, relation)
				break
			}
			single := true
			if _, err := i.m.client.register(ctx, r, registration{relations: []ontology.Relation{relation}, singleValued: &single}); err != nil {
				return err
			}
		case l.Entity != nil:
			typ := stringOf(l.Entity["type"])
			for name := range l.Entity {
				if !slices.Contains(reserved, name) {
					attributes[typ] = with(attributes[typ], name)
				}
			}
		}
	}
	for typ, names := range attributes {
		slices.Sort(names)
		auto.types = append(auto.types, ontology.Type{Name: typ, Attributes: names, Origin: ontology.OriginAuto})
	}
	if auto.empty() {
		return nil
	}
	slices.SortStableFunc(auto.types, func(a, b ontology.Type) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	_, err := i.m.client.register(ctx, r, auto)
	return err
}

// importOrigin is the origin that a name of an export gets: nothing becomes
// built in by an import.
func importOrigin(origin string) ontology.Origin {
	if origin == string(ontology.OriginAuto) {
		return ontology.OriginAuto
	}
	return ontology.OriginRegistered
}

// run stores rows and counts what was created. A row that found nothing to hang
// on is a fault of its line.
func (i *restoring) run(ctx context.Context, r runner, s cypher.Statement, rows []map[string]any, batch []numbered, counts *ImportCounts) error {
	if len(rows) == 0 {
		return nil
	}
	records, err := r.run(ctx, s, map[string]any{"rows": rows})
	if err != nil {
		return err
	}
	counts.Read += len(rows)
	done := map[int64]bool{}
	for _, record := range records {
		answer := record.AsMap()
		done[intOf(answer["i"])] = true
		if boolOf(answer["created"]) {
			counts.Created++
		} else {
			counts.Matched++
		}
	}
	for _, row := range rows {
		if n := row["i"].(int64); !done[n] {
			return &LineError{batch[n].number, errors.New("refers to an entity that is neither in the export before it nor in the database")}
		}
	}
	return nil
}

func (i *restoring) shared(ctx context.Context, r runner, batch []numbered) error {
	var rows, references []map[string]any
	now := i.m.client.now()
	for n, l := range batch {
		if l.Shared == nil {
			continue
		}
		status, pending := layers.PendingVerification, []string{}
		if l.Shared.Type == ontology.Unknown {
			status, pending = layers.Incomplete, []string{"tipo"}
		}
		rows = append(rows, map[string]any{
			"i": int64(n), "owner": layers.WorldOwner, "id": l.Shared.ID, "labels": []string{layers.Universal.Label(), l.Shared.Type},
			"held": map[string]any{
				"owner_digest": ownerDigest(layers.WorldOwner), "label": l.Shared.Label, "type": l.Shared.Type, "layer": string(layers.Universal), "source": layers.SourceWorld, "status": string(status),
				"confidence_for_owner": 1.0, "pending_fields": pending, "aliases": []string{}, "created_at": now, "updated_at": now,
			},
		})
		references = append(references, map[string]any{"owner": i.m.owner, "id": l.Shared.ID})
	}
	if err := i.run(ctx, r, cypher.ImportEntities, rows, batch, &i.result.Shared); err != nil || len(references) == 0 {
		return err
	}
	_, err := r.run(ctx, cypher.ReferenceTouch, map[string]any{"rows": references})
	return err
}

func (i *restoring) entities(ctx context.Context, r runner, batch []numbered) error {
	var rows []map[string]any
	for n, l := range batch {
		if l.Entity == nil {
			continue
		}
		layer := layers.Layer(stringOf(l.Entity["layer"]))
		rows = append(rows, map[string]any{
			"i": int64(n), "owner": i.m.owner, "id": l.Entity["id"], "held": map[string]any(digested(l.Entity, i.m.owner)), "labels": []string{layer.Label(), stringOf(l.Entity["type"])},
		})
	}
	return i.run(ctx, r, cypher.ImportEntities, rows, batch, &i.result.Entities)
}

func (i *restoring) aliases(ctx context.Context, r runner, batch []numbered) error {
	var rows []map[string]any
	for n, l := range batch {
		if l.Alias == nil {
			continue
		}
		key := stringOf(l.Alias["entity"])
		owner, id := place(i.m.owner, layers.Key(key))
		rows = append(rows, map[string]any{
			"i": int64(n), "owner": i.m.owner, "id": l.Alias["id"], "entity": key, "entity_owner": owner, "entity_id": id, "held": map[string]any(digested(l.Alias, i.m.owner)),
		})
	}
	return i.run(ctx, r, cypher.ImportAliases, rows, batch, &i.result.Aliases)
}

func (i *restoring) facts(ctx context.Context, r runner, batch []numbered) error {
	layer := layers.Personal
	if i.m.world {
		layer = layers.Universal
	}
	var rows, supersedes []map[string]any
	for n, l := range batch {
		if l.Fact == nil {
			continue
		}
		about := layers.Key(stringOf(l.Fact.Held["about"]))
		owner, id := place(i.m.owner, about)
		key := factKey(i.m.owner, about, stringOf(l.Fact.Held["text"]))
		if l.Fact.Number != nil {
			key = endedKey(key, *l.Fact.Number)
		}
		properties := digested(l.Fact.Held, i.m.owner)
		properties["owner"] = i.m.owner
		rows = append(rows, map[string]any{
			"i": int64(n), "key": key, "about_owner": owner, "about_id": id, "held": map[string]any(properties), "label": layer.Label(),
		})
		for _, s := range l.Fact.Supersedes {
			supersedes = append(supersedes, map[string]any{"key": key, "ended": endedKey(factKey(i.m.owner, about, s.Text), s.Number)})
		}
	}
	if err := i.run(ctx, r, cypher.ImportFacts, rows, batch, &i.result.Facts); err != nil || len(supersedes) == 0 {
		return err
	}
	return i.supersede(ctx, r, supersedes)
}

// supersede joins corrections to what they correct. That was said before and is
// there, unless both were said at the same time: then it may come later.
func (i *restoring) supersede(ctx context.Context, r runner, rows []map[string]any) error {
	for n := range rows {
		rows[n]["i"] = int64(n)
	}
	records, err := r.run(ctx, cypher.FactSupersede, map[string]any{"rows": rows})
	if err != nil {
		return err
	}
	done := map[int64]bool{}
	for _, record := range records {
		done[intOf(record.AsMap()["i"])] = true
	}
	for n, row := range rows {
		if !done[int64(n)] {
			i.late = append(i.late, row)
		}
	}
	return nil
}

func (i *restoring) relations(ctx context.Context, r runner, batch []numbered) error {
	groups := map[string][]map[string]any{}
	var references []map[string]any
	for n, l := range batch {
		if l.Relation == nil {
			continue
		}
		fromOwner, from := place(i.m.owner, l.Relation.From)
		toOwner, to := place(i.m.owner, l.Relation.To)
		row := map[string]any{
			"i": int64(n), "type": l.Relation.Type, "owner": i.m.owner, "held": map[string]any(l.Relation.Held),
			"from_owner": fromOwner, "from_id": from, "to_owner": toOwner, "to_id": to,
		}
		groups[l.Relation.Type] = append(groups[l.Relation.Type], row)
		if reference := referenceOf(row, l.Relation.From, l.Relation.To); reference != nil {
			reference["held"] = referenceHeld(l.Relation.Held)
			references = append(references, reference)
		}
	}
	for typ, rows := range groups {
		if err := i.run(ctx, r, restoreRelation(typ), rows, batch, &i.result.Relations); err != nil {
			return err
		}
	}
	if len(references) == 0 {
		return nil
	}
	_, err := r.run(ctx, cypher.ReferenceRestore, map[string]any{"rows": references})
	return err
}

func (i *restoring) ended(ctx context.Context, r runner, batch []numbered) error {
	var rows []map[string]any
	for n, l := range batch {
		if l.Ended != nil {
			rows = append(rows, map[string]any{"i": int64(n), "owner": i.m.owner, "key": l.Ended["key"], "held": map[string]any(l.Ended)})
		}
	}
	return i.run(ctx, r, cypher.ImportEnded, rows, batch, &i.result.Ended)
}

func (i *restoring) sessions(ctx context.Context, r runner, batch []numbered) error {
	var rows []map[string]any
	for n, l := range batch {
		if l.Session != nil {
			rows = append(rows, map[string]any{"i": int64(n), "owner": i.m.owner, "id": l.Session["id"], "held": map[string]any(l.Session)})
		}
	}
	return i.run(ctx, r, cypher.ImportSessions, rows, batch, &i.result.Sessions)
}
