package acervo

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// originalTypes and originalRelations are the names that the Python original has
// for built-in ones; they are known aliases, so an import finds them again.
var (
	originalTypes = map[string]string{
		"Persona": "Person", "Personaje": "Character", "Organizacion": "Organization", "Proyecto": "Project", "Lugar": "Place", "Tecnologia": "Technology",
		"Obra": "Work", "Universo": "Universe", "Editorial": "Publisher", "Documento": "Document", "Regla": "Rule", ontology.Unknown: "Unknown",
	}
	originalRelations = map[string]string{
		"TRABAJA_EN": "works_at", "VIVE_EN": "lives_in", "DUEÑO_DE": "owns", "PERTENECE_A": "belongs_to", "USA_TECNOLOGIA": "uses_technology",
		"TIENE_MODULO": "has_module", "GUSTA_DE": "likes", "RELACIONADO_CON": "related_to",
	}
)

// originalNode is a node of the original's nodes.json.
type originalNode struct {
	ID            string         `json:"id"`
	Label         string         `json:"label"`
	Type          string         `json:"type"`
	Kind          string         `json:"kind"`
	CreatedAt     string         `json:"created_at"`
	LastActive    string         `json:"last_active"`
	SessionCount  int            `json:"session_count"`
	Attributes    map[string]any `json:"attributes"`
	Facts         []originalFact `json:"facts"`
	Files         []string       `json:"files"`
	ChunkIDs      []string       `json:"chunk_ids"`
	Layer         layers.Layer   `json:"layer"`
	Owner         *string        `json:"owner"`
	Source        string         `json:"source"`
	Confidence    float64        `json:"confidence_for_owner"`
	Status        layers.Status  `json:"status"`
	PendingFields []string       `json:"pending_fields"`
}

type originalFact struct {
	Fact    string `json:"fact"`
	Date    string `json:"date"`
	Session string `json:"session"`
	Source  string `json:"source"`
}

// originalEdge is an edge of the original's edges.json.
type originalEdge struct {
	Source     string       `json:"source"`
	Target     string       `json:"target"`
	Relation   string       `json:"relation"`
	Weight     float64      `json:"weight"`
	CreatedAt  string       `json:"created_at"`
	LastActive string       `json:"last_active"`
	Layer      layers.Layer `json:"layer"`
	SourceType string       `json:"source_type"`
}

// ExportAcervoJSON writes current entities, facts and relations as the Python
// original's nodes.json and edges.json, which its releases 0.1 to 0.5 read and
// [Memory.ImportAcervoJSON] too. Types and relations get the original's names.
// The original has one space of ids: a UNIVERSAL entity whose id is also that of
// an own one gets "__universal" behind it. Aliases, history and sessions have no
// place there.
func (m *Memory) ExportAcervoJSON(ctx context.Context, nodes, edges io.Writer) (*ExportResult, error) {
	result, err := m.exportAcervoJSON(ctx, nodes, edges)
	if err != nil {
		return nil, fmt.Errorf("export acervo json: %w", err)
	}
	return result, nil
}

// jsonArray writes the elements of an array, one a line.
type jsonArray struct {
	w     *bufio.Writer
	count int
}

func (a *jsonArray) add(v any) error {
	text, err := marshal(v)
	if err != nil {
		return err
	}
	separator := ",\n"
	if a.count++; a.count == 1 {
		separator = "[\n"
	}
	if _, err := a.w.WriteString(separator); err != nil {
		return err
	}
	_, err = a.w.Write(text)
	return err
}

func (a *jsonArray) end() error {
	text := "\n]\n"
	if a.count == 0 {
		text = "[]\n"
	}
	if _, err := a.w.WriteString(text); err != nil {
		return err
	}
	return a.w.Flush()
}

func (m *Memory) exportAcervoJSON(ctx context.Context, nodes, edges io.Writer) (*ExportResult, error) {
	if err := joinFaults(m.checkNow()); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	result := &ExportResult{}
	e := originalExport{
		m: m, taken: map[string]bool{}, nodes: &jsonArray{w: bufio.NewWriter(nodes)}, edges: &jsonArray{w: bufio.NewWriter(edges)}, result: result,
	}
	lists := []cypher.Statement{cypher.ExportShared, cypher.ExportEntities}
	if m.world {
		lists = lists[1:]
	}
	for _, list := range lists {
		if err := e.entities(ctx, list); err != nil {
			return nil, err
		}
	}
	relations := []struct {
		s     cypher.Statement
		parts int
	}{{cypher.RelationListPersonal, 3}, {cypher.RelationListReferences, 4}}
	if m.world {
		relations = relations[1:]
	}
	for _, list := range relations {
		if err := m.pages(ctx, list.s, list.parts, exportPage, e.edge); err != nil {
			return nil, err
		}
	}
	if err := e.nodes.end(); err != nil {
		return nil, err
	}
	return result, e.edges.end()
}

// originalExport is one export for the original.
type originalExport struct {
	m            *Memory
	nodes, edges *jsonArray
	result       *ExportResult
	taken        map[string]bool // ids of UNIVERSAL entities that own ones have too
}

// entities writes the entities of a list, with their facts.
func (e *originalExport) entities(ctx context.Context, list cypher.Statement) error {
	var page []string
	flush := func() error {
		if len(page) == 0 {
			return nil
		}
		var read []Node
		if err := e.m.client.read(ctx, cypher.EntityGet.Name, func(r runner) (err error) {
			if read, err = e.m.details(ctx, r, detailQuery{keys: page, facts: math.MaxInt32, relations: 1}); err != nil || list.Name != cypher.ExportShared.Name {
				return err
			}
			return e.take(ctx, r, read)
		}); err != nil {
			return err
		}
		page = page[:0]
		for i := range read {
			if err := e.node(&read[i]); err != nil {
				return err
			}
		}
		return nil
	}
	err := e.m.pages(ctx, list, 1, exportPage, func(answer map[string]any) error {
		p := mapOf(answer["held"])
		page = append(page, string(layers.KeyOf(layers.Layer(stringOf(p["layer"])), stringOf(p["id"]))))
		if len(page) < 100 {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// take notes which of the UNIVERSAL entities have an id that an own one has too.
func (e *originalExport) take(ctx context.Context, r runner, shared []Node) error {
	rows := make([]map[string]any, len(shared))
	for i, n := range shared {
		rows[i] = map[string]any{"i": int64(i), "id": n.ID, "name": false, "type": nil}
	}
	records, err := r.run(ctx, cypher.EntityFind, map[string]any{"owner": e.m.owner, "rows": rows})
	for _, record := range records {
		if p := mapOf(record.AsMap()["entity"]); stringOf(p["owner"]) == e.m.owner {
			e.taken[stringOf(p["id"])] = true
		}
	}
	return err
}

// name is the id that an entity has in the original's one space of ids.
func (e *originalExport) name(layer layers.Layer, id string) string {
	if layer == layers.Universal && e.taken[id] {
		return id + "__universal"
	}
	return id
}

func (e *originalExport) node(n *Node) error {
	if n.Layer == layers.Universal && !e.m.world {
		e.result.Shared++
	} else {
		e.result.Entities++
	}
	out := originalNode{
		ID: e.name(n.Layer, n.ID), Label: n.Label, Type: renamed(originalTypes, n.Type), Kind: "entity", CreatedAt: originalTime(n.CreatedAt), LastActive: originalTime(n.UpdatedAt),
		SessionCount: 1, Attributes: map[string]any{}, Facts: []originalFact{}, Files: []string{}, ChunkIDs: []string{}, Layer: n.Layer, Owner: n.Owner,
		Source: n.Source, Confidence: n.Confidence, Status: n.Status, PendingFields: n.PendingFields,
	}
	for key, v := range n.Attributes {
		out.Attributes[key] = originalValue(v)
	}
	// What an import kept of these goes back to where it came from.
	if n, ok := out.Attributes["session_count"].(int64); ok {
		out.SessionCount = int(n)
		delete(out.Attributes, "session_count")
	}
	if at, ok := out.Attributes["last_active"].(string); ok {
		out.LastActive = at
		delete(out.Attributes, "last_active")
	}
	for _, f := range n.Facts {
		e.result.Facts++
		date := f.CreatedAt.Format(time.DateOnly)
		session := ""
		if len(f.Details) > 0 {
			session = originalSession(f.Details[0], f.Source, date)
		}
		out.Facts = append(out.Facts, originalFact{Fact: f.Text, Date: date, Session: session, Source: f.Source})
	}
	return e.nodes.add(out)
}

// originalSession takes the session out of a detail as an import of the original's
// files makes it, of the source, the session, if there is one, and the date.
func originalSession(detail, source, date string) string {
	rest, ok := strings.CutPrefix(detail, cmp.Or(source, "unknown source"))
	if ok {
		rest, ok = strings.CutSuffix(rest, ", "+date)
	}
	if !ok {
		return detail
	}
	return strings.TrimPrefix(rest, ", session ")
}

func (e *originalExport) edge(answer map[string]any) error {
	end := func(p map[string]any) string {
		return e.name(layers.Layer(stringOf(p["layer"])), stringOf(p["id"]))
	}
	e.result.Relations++
	d := decodeDetails(mapOf(answer["held"]))
	return e.edges.add(originalEdge{
		Source: end(mapOf(answer["from"])), Target: end(mapOf(answer["to"])), Relation: renamed(originalRelations, stringOf(answer["type"])), Weight: 1, CreatedAt: originalTime(d.CreatedAt),
		LastActive: originalTime(d.LastSeenAt), Layer: d.Layer, SourceType: d.Source,
	})
}

// renamed gives another name, if there is one.
func renamed(names map[string]string, name string) string {
	if other, ok := names[name]; ok {
		return other
	}
	return name
}

// originalTime is a time as the original writes it, in UTC.
func originalTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05") }

// originalValue is an attribute as JSON has it.
func originalValue(v any) any {
	switch v := v.(type) {
	case string, bool, int64:
		return v
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = originalValue(v[i])
		}
		return list
	}
	return plainText(v)
}
