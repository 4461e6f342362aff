// Package graph draws a memory as one HTML page that needs no network.
package graph

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"

	"github.com/acervo-graph/acervo/acervo"
)

// Data is what a page shows.
type Data struct {
	// Title is the page's heading, Owner whose memory it is.
	Title string `json:"title"`
	Owner string `json:"owner"`
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
	// Omitted counts entities that are left out, -1 if it isn't known how many.
	Omitted int `json:"omitted"`
}

// Node is an entity on the page.
type Node struct {
	Key        string         `json:"key"`
	Label      string         `json:"label"`
	Type       string         `json:"type"`
	Layer      string         `json:"layer"`
	Status     string         `json:"status"`
	Activation string         `json:"activation"`
	Aliases    []string       `json:"aliases"`
	Attributes map[string]any `json:"attributes"`
	Facts      []Fact         `json:"facts"`
	MoreFacts  bool           `json:"more_facts"`
}

// Fact is a fact on the page.
type Fact struct {
	Text    string   `json:"text"`
	Layer   string   `json:"layer"`
	Sources []string `json:"sources"`
	Since   string   `json:"since"`
}

// Edge is a relation on the page.
type Edge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Type  string `json:"type"`
	Layer string `json:"layer"`
}

//go:embed page.html
var page string

// library is cytoscape 3.35.0 (MIT), as bundle.sh takes it.
//
//go:embed cytoscape.min.js
var library string

var pageTemplate = template.Must(template.New("page").Parse(page))

// Write writes the page. The data is JSON whose <, > and & are escaped, so no
// text of it ends the script that it is in.
func Write(w io.Writer, data Data) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, map[string]any{
		"Title": data.Title, "Library": template.JS(library), "Data": template.JS(text), //nolint:gosec // both are ours, see above
	})
}

// NodeOf makes a node of the page of one of the memory.
func NodeOf(n acervo.Node) Node {
	out := Node{
		Key: string(n.Key()), Label: n.Label, Type: n.Type, Layer: string(n.Layer), Status: string(n.Status), Activation: string(n.Activation),
		Aliases: n.Aliases, Attributes: n.Attributes, Facts: []Fact{}, MoreFacts: n.MoreFacts,
	}
	for _, f := range n.Facts {
		out.Facts = append(out.Facts, Fact{Text: f.Text, Layer: string(f.Layer), Sources: f.Sources, Since: f.ValidFrom.Format("2006-01-02")})
	}
	return out
}
