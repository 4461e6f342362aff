package acervo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// The colours of the layers, as everything of this project draws them.
const (
	universalFill, universalBorder = "#1a3a5c", "#3a7abd"
	personalFill, personalBorder   = "#3a1f5c", "#7c3aed"
)

// mermaid writes a flowchart, a subgraph for each layer.
type mermaid struct {
	w    io.Writer
	open layers.Layer // the subgraph that is being written
	err  error
}

func newMermaid(w io.Writer) *mermaid {
	m := &mermaid{w: w}
	m.printf("graph LR\n")
	return m
}

func (m *mermaid) printf(format string, args ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.w, format, args...)
	}
}

func (m *mermaid) write(l *exportLine) error {
	switch {
	case l.Shared != nil:
		m.node(layers.Universal, l.Shared.ID, l.Shared.Label, l.Shared.Type)
	case l.Entity != nil:
		m.node(layers.Layer(stringOf(l.Entity["layer"])), stringOf(l.Entity["id"]), stringOf(l.Entity["label"]), stringOf(l.Entity["type"]))
	case l.Relation != nil:
		m.subgraph("")
		m.printf("  %s -->|\"%s\"| %s\n", mermaidID(l.Relation.From), mermaidText(l.Relation.Type), mermaidID(l.Relation.To))
	}
	return m.err
}

// subgraph ends the subgraph that is open and begins another one, if there is one.
func (m *mermaid) subgraph(layer layers.Layer) {
	if m.open == layer {
		return
	}
	if m.open != "" {
		m.printf("  end\n")
	}
	if m.open = layer; layer != "" {
		m.printf("  subgraph %s\n", layer)
	}
}

func (m *mermaid) node(layer layers.Layer, id, label, typ string) {
	m.subgraph(layer)
	if typ == ontology.Unknown {
		typ = "?"
	}
	m.printf("    %s[\"%s<br/><small>%s</small>\"]:::%s\n", mermaidID(layers.KeyOf(layer, id)), mermaidText(label), mermaidText(typ), strings.ToLower(layer.Label()))
}

func (m *mermaid) end() error {
	m.subgraph("")
	m.printf("  classDef universal fill:%s,stroke:%s,color:#ffffff\n", universalFill, universalBorder)
	m.printf("  classDef personal fill:%s,stroke:%s,color:#ffffff\n", personalFill, personalBorder)
	return m.err
}

// mermaidID is a name for a node that the language takes for nothing else.
func mermaidID(k layers.Key) string {
	sum := sha256.Sum256([]byte(k))
	return "n" + hex.EncodeToString(sum[:8])
}

// mermaidText keeps a text from being taken for markup: what isn't a letter, a
// digit or plain punctuation becomes a character code of the language.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteRune(' ')
		case !unicode.IsPrint(r):
		case strings.ContainsRune("\"<>#&`;|[](){}\\", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
