package acervo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// ExportFormat is a form in which a memory is written.
type ExportFormat string

// The formats. Only JSON Lines hold everything and can be imported again.
const (
	// FormatJSONLines is one JSON object a line: what every node and relationship
	// holds, with its times and history. [Memory.Import] reads it.
	FormatJSONLines ExportFormat = "jsonl"
	// FormatMermaid is a diagram of current entities and relations, a subgraph for
	// each layer.
	FormatMermaid ExportFormat = "mermaid"
	// FormatGraphML holds current entities, facts and relations, with attributes.
	FormatGraphML ExportFormat = "graphml"
	// FormatCypher is a script for cypher-shell that makes the same graph in a
	// database, history and sessions included.
	FormatCypher ExportFormat = "cypher"
)

// ExportParams says how a memory is written.
type ExportParams struct {
	// Format is the form. Default [FormatJSONLines].
	Format ExportFormat
	// Progress is called now and then with the number of items written so far.
	Progress func(items int64)
}

// ExportResult counts what was written.
type ExportResult struct {
	Entities  int64 `json:"entities"`
	Shared    int64 `json:"shared"` // UNIVERSAL entities that are referred to
	Aliases   int64 `json:"aliases"`
	Facts     int64 `json:"facts"` // past ones included, where the format has them
	Relations int64 `json:"relations"`
	Ended     int64 `json:"ended"`
	Sessions  int64 `json:"sessions"`
}

func (r *ExportResult) items() int64 {
	return r.Entities + r.Shared + r.Aliases + r.Facts + r.Relations + r.Ended + r.Sessions
}

// Export writes what is the owner's own, or, for [Client.World], the UNIVERSAL
// layer. UNIVERSAL entities that the owner's relations, facts or names touch are
// written as far as is needed to refer to them. It reads page by page, so memory
// is bounded; what is written meanwhile may be in it or not.
func (m *Memory) Export(ctx context.Context, w io.Writer, params ExportParams) (*ExportResult, error) {
	result, err := m.export(ctx, w, params)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return result, nil
}

// exporter writes lines in some format.
type exporter interface {
	write(l *exportLine) error
	// end writes what comes last.
	end() error
}

func (m *Memory) export(ctx context.Context, w io.Writer, params ExportParams) (*ExportResult, error) {
	if params.Format == "" {
		params.Format = FormatJSONLines
	}
	faults := m.checkNow()
	buffered := bufio.NewWriter(w)
	var out exporter
	switch params.Format {
	case FormatJSONLines:
		out = &jsonLines{buffered}
	case FormatMermaid:
		out = newMermaid(buffered)
	case FormatGraphML:
		out = newGraphML(buffered)
	case FormatCypher:
		out = newScript(buffered, m.owner)
	default:
		faults = append(faults, &FieldError{Index: -1, Field: "format", Value: ontology.Shorten(string(params.Format)), Rule: "is none of jsonl, mermaid, graphml and cypher"})
	}
	if err := joinFaults(faults); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	if g, ok := out.(*graphML); ok {
		if err := m.exportLines(ctx, g.survey); err != nil {
			return nil, err
		}
	}
	result := &ExportResult{}
	if err := m.exportLines(ctx, func(l *exportLine) error {
		if result.count(l); params.Progress != nil && result.items()%exportPage == 0 {
			params.Progress(result.items())
		}
		return out.write(l)
	}); err != nil {
		return nil, err
	}
	if err := out.end(); err != nil {
		return nil, err
	}
	return result, buffered.Flush()
}

func (r *ExportResult) count(l *exportLine) {
	switch {
	case l.Entity != nil:
		r.Entities++
	case l.Shared != nil:
		r.Shared++
	case l.Alias != nil:
		r.Aliases++
	case l.Fact != nil:
		r.Facts++
	case l.Relation != nil:
		r.Relations++
	case l.Ended != nil:
		r.Ended++
	case l.Session != nil:
		r.Sessions++
	}
}

type jsonLines struct{ w io.Writer }

func (j *jsonLines) write(l *exportLine) error {
	text, err := marshal(l)
	if err != nil {
		return err
	}
	_, err = j.w.Write(append(text, '\n'))
	return err
}

func (j *jsonLines) end() error { return nil }

// exportPage is how many items one read of an export gets.
const exportPage = 1000

// exporting is one run of an export.
type exporting struct {
	m         *Memory
	ontology  *ontology.Ontology
	types     map[string]bool // already written
	relations map[string]bool
	yield     func(l *exportLine) error
}

// exportLines gives the lines of an export in their order: what a line refers to
// comes before it.
func (m *Memory) exportLines(ctx context.Context, yield func(l *exportLine) error) error {
	o, err := m.client.refresh(ctx)
	if err != nil {
		return err
	}
	e := exporting{m: m, ontology: o, types: map[string]bool{}, relations: map[string]bool{}, yield: yield}
	if err := yield(&exportLine{Header: &headerLine{Format: exportFormat, Owner: m.owner}}); err != nil {
		return err
	}
	pages := []struct {
		s     cypher.Statement
		parts int
		write func(answer map[string]any) error
	}{
		{cypher.ExportShared, 1, e.shared},
		{cypher.ExportEntities, 1, e.entity},
		{cypher.ExportAliases, 2, e.alias},
		{cypher.ExportFacts, 3, e.fact},
		{cypher.RelationListPersonal, 3, e.relation},
		{cypher.RelationListReferences, 4, e.relation},
		{cypher.ExportEnded, 2, e.ended},
		{cypher.ExportSessions, 1, e.session},
	}
	if m.world {
		pages = append(pages[1:4:4], pages[5], pages[6])
	}
	for _, p := range pages {
		if err := m.pages(ctx, p.s, p.parts, exportPage, p.write); err != nil {
			return err
		}
	}
	return nil
}

// pages reads all pages of a statement whose place has so many parts. Each is
// read whole before any of it is written, so that a read that is done again
// writes nothing twice.
func (m *Memory) pages(ctx context.Context, s cypher.Statement, parts, size int, write func(map[string]any) error) error {
	after := make([]string, parts)
	for {
		var answers []map[string]any
		if err := m.client.read(ctx, s.Name, func(r runner) error {
			records, err := r.run(ctx, s, map[string]any{
				"space": m.owner, "owner": m.owner, "type": nil, "at": nil, "after": after, "limit": int64(size),
			})
			answers = answers[:0]
			for _, record := range records {
				answers = append(answers, record.AsMap())
			}
			return err
		}); err != nil {
			return err
		}
		for _, answer := range answers {
			if err := write(answer); err != nil {
				return err
			}
		}
		if len(answers) < size {
			return nil
		}
		after = stringsOf(answers[len(answers)-1]["position"])
	}
}

// without gives properties but for some.
func without(properties map[string]any, names ...string) held {
	h := make(held, len(properties))
	maps.Copy(h, properties)
	for _, name := range names {
		delete(h, name)
	}
	return h
}

// typ writes a type of the ontology before what is of it.
func (e exporting) typ(name string) error {
	if e.types[name] {
		return nil
	}
	e.types[name] = true
	t, ok := e.ontology.Type(name)
	if !ok {
		return nil
	}
	return e.yield(&exportLine{Type: &typeLine{Name: t.Name, LayerDefault: t.LayerDefault, Origin: string(t.Origin)}})
}

func (e exporting) shared(answer map[string]any) error {
	p := mapOf(answer["held"])
	if err := e.typ(stringOf(p["type"])); err != nil {
		return err
	}
	return e.yield(&exportLine{Shared: &sharedLine{ID: stringOf(p["id"]), Label: stringOf(p["label"]), Type: stringOf(p["type"])}})
}

func (e exporting) entity(answer map[string]any) error {
	p := mapOf(answer["held"])
	if err := e.typ(stringOf(p["type"])); err != nil {
		return err
	}
	return e.yield(&exportLine{Entity: without(p, "owner", "owner_digest")})
}

func (e exporting) alias(answer map[string]any) error {
	return e.yield(&exportLine{Alias: without(mapOf(answer["held"]), "owner", "owner_digest")})
}

func (e exporting) fact(answer map[string]any) error {
	p := mapOf(answer["held"])
	f := &factLine{Held: without(p, "owner", "owner_digest", "key"), Number: numberOf(stringOf(p["key"]))}
	for _, key := range mapsOf(answer["supersedes"]) {
		if n := numberOf(stringOf(key["key"])); n != nil {
			f.Supersedes = append(f.Supersedes, supersededLine{Text: stringOf(key["text"]), Number: *n})
		}
	}
	return e.yield(&exportLine{Fact: f})
}

func (e exporting) relation(answer map[string]any) error {
	name := stringOf(answer["type"])
	if !e.relations[name] {
		e.relations[name] = true
		if r, ok := e.ontology.Relation(name); ok {
			if err := e.yield(&exportLine{RelationType: &relationTypeLine{Name: r.Name, Origin: string(r.Origin), SingleValued: r.SingleValued}}); err != nil {
				return err
			}
		}
	}
	key := func(p map[string]any) layers.Key {
		return layers.KeyOf(layers.Layer(stringOf(p["layer"])), stringOf(p["id"]))
	}
	return e.yield(&exportLine{Relation: &relationLine{
		From: key(mapOf(answer["from"])), Type: name, To: key(mapOf(answer["to"])), Held: without(mapOf(answer["held"]), "owner", "type", "outgoing"),
	}})
}

func (e exporting) ended(answer map[string]any) error {
	return e.yield(&exportLine{Ended: without(mapOf(answer["held"]), "owner")})
}

func (e exporting) session(answer map[string]any) error {
	return e.yield(&exportLine{Session: without(mapOf(answer["held"]), "owner")})
}
