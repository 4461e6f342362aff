// Package browser is how Neo4j Browser shows a memory: a style in the project's
// colours, and a guide whose queries can be clicked.
package browser

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

//go:embed queries/*.cypher
var files embed.FS

// Query is one query of the guide and the cookbook.
type Query struct {
	// Name is that of its file, Title and Purpose say what it shows.
	Name, Title, Purpose string
	// Text is Cypher that reads, about the owner sandy and the session demo.
	Text string
}

// Queries returns the queries in their order.
func Queries() []Query {
	names, err := fs.Glob(files, "queries/*.cypher") // sorted
	if err != nil {
		panic(err) // the pattern is right
	}
	queries := make([]Query, len(names))
	for i, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		title, rest, _ := strings.Cut(string(text), "\n")
		purpose, rest, _ := strings.Cut(rest, "\n")
		queries[i] = Query{
			Name:  strings.TrimSuffix(strings.TrimPrefix(name, "queries/"), ".cypher"),
			Title: strings.TrimPrefix(title, "// "), Purpose: strings.TrimPrefix(purpose, "// "), Text: strings.TrimSpace(rest),
		}
	}
	return queries
}

// For returns the query about another owner and session, as literals of Cypher
// that Browser's users can change.
func (q Query) For(owner, session string) Query {
	q.Text = strings.NewReplacer("owner: 'sandy'", "owner: "+cypher.Quote(owner), "owner = 'sandy'", "owner = "+cypher.Quote(owner), "['sandy', ", "["+cypher.Quote(owner)+", ",
		"'demo'", cypher.Quote(session)).Replace(q.Text)
	return q
}

// rule is one rule of a style. Of those that match a node, the last one counts.
type rule struct {
	selector   string
	properties [][2]string
}

// The colours of the layers, fill and border.
const (
	PersonalFill, PersonalBorder   = "#3a1f5c", "#7c3aed"
	UniversalFill, UniversalBorder = "#1a3a5c", "#3a7abd"
)

// rules styles every label that the memory emits, types included: Browser gives
// a label without a style a rule of its own at the end, which would win.
func rules(types []string) []rule {
	node := func(selector, fill, border, diameter, caption string) rule {
		return rule{"node" + selector, [][2]string{
			{"color", fill}, {"border-color", border}, {"border-width", "2px"}, {"text-color-internal", "#ffffff"}, {"diameter", diameter}, {"caption", caption}, {"font-size", "10px"},
		}}
	}
	layers := func(fill [2]string, label string) []rule {
		return []rule{
			node("."+label, fill[0], fill[1], "55px", "{label}"),
			node(".AcervoFact."+label, fill[0], fill[1], "35px", "{text}"),
		}
	}
	all := []rule{node("", "#4a4e6a", "#6d7294", "50px", "{label}")}
	names := []string{ontology.Unknown}
	for _, t := range ontology.BuiltinTypes() {
		names = append(names, t.Name)
	}
	names = append(names, types...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		all = append(all, node("."+strings.ReplaceAll(name, ".", `\.`), "#4a4e6a", "#6d7294", "55px", "{label}"))
	}
	for _, label := range ontology.ReservedLabels() {
		switch label {
		case "AcervoSession":
			all = append(all, node("."+label, "#1f5c3a", "#3abd7a", "65px", "{id}"))
		case "AcervoEntity":
			all = append(all, node("."+label, "#4a4e6a", "#6d7294", "55px", "{label}"))
		case "AcervoFact":
			all = append(all, node("."+label, "#4a4e6a", "#6d7294", "35px", "{text}"))
		case "AcervoEnded":
			all = append(all, node("."+label, "#2b2e40", "#6d7294", "35px", "{type}"))
		case "AcervoType", "AcervoRelation", "AcervoAttribute", "AcervoPack", "AcervoSchema":
			all = append(all, node("."+label, "#5c4a1f", "#bd983a", "45px", "{name}"))
		case "AcervoAlias", "AcervoReference", "AcervoVector":
			all = append(all, node("."+label, "#2b2e40", "#6d7294", "35px", "{id}"))
		}
	}
	all = append(all, layers([2]string{PersonalFill, PersonalBorder}, "Personal")...)
	all = append(all, layers([2]string{UniversalFill, UniversalBorder}, "Universal")...)
	return append(all, rule{"relationship", [][2]string{
		{"color", "#8a90b0"}, {"shaft-width", "1px"}, {"font-size", "8px"}, {"padding", "3px"}, {"text-color-external", "#8a90b0"}, {"text-color-internal", "#ffffff"}, {"caption", "<type>"},
	}})
}

// GraSS returns the style as a file for Browser's :style. types are the types of
// the ontology beside the built-in ones.
func GraSS(types ...string) string {
	var b strings.Builder // no comments: Browser loses rules of a file that has one
	for _, r := range rules(types) {
		fmt.Fprintf(&b, "%s {\n", r.selector)
		for _, p := range r.properties {
			value := p[1]
			if p[0] == "caption" {
				value = "'" + value + "'"
			}
			fmt.Fprintf(&b, "  %s: %s;\n", p[0], value)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// JSON returns the style as one line of ASCII for the command :style in
// neo4j.conf, which is read as Latin-1.
func JSON(types ...string) string {
	var b strings.Builder
	b.WriteString("{")
	for i, r := range rules(types) {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(ascii(r.selector) + ":{")
		for j, p := range r.properties {
			if j > 0 {
				b.WriteString(",")
			}
			b.WriteString(ascii(p[0]) + ":" + ascii(p[1]))
		}
		b.WriteString("}")
	}
	b.WriteString("}")
	return b.String()
}

// ascii is a string of JSON without a character above ASCII.
func ascii(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always encode
	}
	var b strings.Builder
	for _, r := range strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text)) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

// Guide returns the guide as Browser takes it: a slide for each query. style is
// the address of the style with all types.
func Guide(owner, session, style string) string {
	var b strings.Builder
	b.WriteString("<article class=\"guide\">\n  <carousel class=\"deck container-fluid\">\n")
	slide := func(body string) {
		b.WriteString("    <slide class=\"row-fluid\">\n      <div class=\"col-sm-12\">\n" + body + "      </div>\n    </slide>\n")
	}
	slide(fmt.Sprintf("        <h3>Acervo</h3>\n        <p>The memory of <b>%s</b>. PERSONAL knowledge is violet, UNIVERSAL knowledge blue; facts are small. Click a query to run it, and go on with Next. Types that came later have the colours of their layer after this:</p>\n        <pre class=\"pre-scrollable code runnable\">:style %s</pre>\n", html.EscapeString(owner), html.EscapeString(style)))
	for _, q := range Queries() {
		q = q.For(owner, session)
		slide(fmt.Sprintf("        <h3>%s</h3>\n        <p>%s</p>\n        <pre class=\"pre-scrollable code runnable\">%s</pre>\n", html.EscapeString(q.Title), html.EscapeString(q.Purpose), html.EscapeString(q.Text)))
	}
	b.WriteString("  </carousel>\n</article>\n")
	return b.String()
}

// Cookbook returns the queries as a document.
func Cookbook() string {
	var b strings.Builder
	b.WriteString("# Cookbook\n\nThe queries of the guide in Neo4j Browser, about the owner `sandy` and the session `demo` of `make demo`; put yours in their place. Each begins with a lookup in an index of ours. See [the stored graph](data-model.md) for what they read. This page is made of `cmd/acervo/browser/queries` by `go test ./cmd/acervo/browser -update`.\n")
	for _, q := range Queries() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```cypher\n%s\n```\n", q.Title, q.Purpose, q.Text)
	}
	return b.String()
}
