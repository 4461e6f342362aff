package acervo

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// graphML writes GraphML, as its primer at graphml.graphdrawing.org describes it.
type graphML struct {
	w          io.Writer
	attributes map[string]string // kinds of the entities' attributes, by name
	began      bool
	edges      int
	err        error
}

func newGraphML(w io.Writer) *graphML { return &graphML{w: w, attributes: map[string]string{}} }

// survey notes what the attributes of the entities are, which GraphML wants to
// know before the first node.
func (g *graphML) survey(l *exportLine) error {
	for name, v := range attributesOf(l.Entity) {
		kind := graphMLKind(v)
		if known, ok := g.attributes[name]; ok && known != kind {
			kind = "string"
		}
		g.attributes[name] = kind
	}
	return nil
}

func attributesOf(h held) held { return without(h, ontology.ReservedAttributes()...) }

func graphMLKind(v any) string {
	switch v.(type) {
	case bool:
		return "boolean"
	case int64:
		return "long"
	case float64:
		return "double"
	}
	return "string"
}

// keys are the properties that nodes and edges have beside the attributes.
var (
	graphMLNodeKeys = []string{"kind", "label", "type", "layer", "status", "source", "confidence", "aliases", "created_at"}
	graphMLEdgeKeys = []string{"label", "layer", "source", "confidence", "created_at", "valid_from"}
)

func (g *graphML) begin() {
	if g.began {
		return
	}
	g.began = true
	g.printf("%s<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n", xml.Header)
	for _, name := range graphMLNodeKeys {
		g.printf("  <key id=\"n_%s\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n", name, name, graphMLFixedKind(name))
	}
	for _, name := range graphMLEdgeKeys {
		g.printf("  <key id=\"e_%s\" for=\"edge\" attr.name=\"%s\" attr.type=\"%s\"/>\n", name, name, graphMLFixedKind(name))
	}
	for i, name := range g.names() {
		g.printf("  <key id=\"a_%d\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n", i, xmlText(name), g.attributes[name])
	}
	g.printf("  <graph edgedefault=\"directed\">\n")
}

func (g *graphML) names() []string { return slices.Sorted(maps.Keys(g.attributes)) }

func graphMLFixedKind(name string) string {
	if name == "confidence" {
		return "double"
	}
	return "string"
}

func (g *graphML) printf(format string, args ...any) {
	if g.err == nil {
		_, g.err = fmt.Fprintf(g.w, format, args...)
	}
}

func (g *graphML) write(l *exportLine) error {
	g.begin()
	switch {
	case l.Shared != nil:
		g.node(layers.UniversalKey(l.Shared.ID), map[string]any{"kind": "entity", "label": l.Shared.Label, "type": l.Shared.Type, "layer": "UNIVERSAL"}, nil)
	case l.Entity != nil:
		h := l.Entity
		g.node(layers.KeyOf(layers.Layer(stringOf(h["layer"])), stringOf(h["id"])), map[string]any{
			"kind": "entity", "label": h["label"], "type": h["type"], "layer": h["layer"], "status": h["status"], "source": h["source"],
			"confidence": h["confidence_for_owner"], "aliases": h["aliases"], "created_at": h["created_at"],
		}, attributesOf(h))
	case l.Fact != nil && l.Fact.Number == nil:
		h := l.Fact.Held
		about := layers.Key(stringOf(h["about"]))
		id := layers.Key("f:" + factKey("", about, stringOf(h["text"])))
		g.node(id, map[string]any{"kind": "fact", "label": h["text"], "source": h["source"], "confidence": h["confidence"], "created_at": h["created_at"]}, nil)
		g.edge(about, id, map[string]any{"label": "HAS_FACT"})
	case l.Relation != nil:
		h := l.Relation.Held
		g.edge(l.Relation.From, l.Relation.To, map[string]any{
			"label": l.Relation.Type, "layer": h["layer"], "source": h["source"], "confidence": h["confidence"], "created_at": h["created_at"], "valid_from": h["valid_from"],
		})
	}
	return g.err
}

func (g *graphML) node(k layers.Key, values map[string]any, attributes held) {
	g.printf("    <node id=\"%s\">\n", xmlText(string(k)))
	for _, name := range graphMLNodeKeys {
		g.data("n_"+name, values[name])
	}
	if len(attributes) > 0 {
		for i, name := range g.names() {
			g.data(fmt.Sprint("a_", i), attributes[name])
		}
	}
	g.printf("    </node>\n")
}

func (g *graphML) edge(from, to layers.Key, values map[string]any) {
	g.printf("    <edge id=\"e%d\" source=\"%s\" target=\"%s\">\n", g.edges, xmlText(string(from)), xmlText(string(to)))
	g.edges++
	for _, name := range graphMLEdgeKeys {
		g.data("e_"+name, values[name])
	}
	g.printf("    </edge>\n")
}

func (g *graphML) data(key string, v any) {
	if v != nil {
		g.printf("      <data key=\"%s\">%s</data>\n", key, xmlText(plainText(v)))
	}
}

func (g *graphML) end() error {
	g.begin()
	g.printf("  </graph>\n</graphml>\n")
	return g.err
}

// plainText is a property as text: a list as JSON, a time in RFC 3339.
func plainText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = v[i]
			if t, ok := v[i].(time.Time); ok {
				list[i] = t.Format(time.RFC3339Nano)
			}
		}
		if text, err := marshal(list); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(v)
}

// xmlText escapes a text for XML; what XML can't hold becomes U+FFFD.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder doesn't fail
	return b.String()
}
