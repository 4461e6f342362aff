package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"golang.org/x/term"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// print prints a result: as JSON if that is wanted, else as the text says.
func (a *app) print(result any, text func(w io.Writer) error) error {
	if !a.json {
		return text(a.stdout)
	}
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(result)
}

// table prints rows under headings. Cells are kept on their line, and what could
// steer a terminal is taken out of them.
func table(w io.Writer, headings []string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(headings, "\t"))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = printable(cell)
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// printable cuts a text to what fits a table and can't steer a terminal.
func printable(s string) string {
	const width = 100
	runes := 0
	return strings.Map(func(r rune) rune {
		switch runes++; {
		case runes == width:
			return '…'
		case runes > width:
			return -1
		case !unicode.IsPrint(r):
			return ' '
		}
		return r
	}, s)
}

// colored wraps a text in the layer's colour, on a terminal.
func (a *app) colored(layer layers.Layer, s string) string {
	if !a.terminal() {
		return s
	}
	code := "35" // as violet as the PERSONAL layer is drawn
	if layer == layers.Universal {
		code = "34"
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// terminal reports whether results go to a terminal that may show colours.
func (a *app) terminal() bool {
	f, ok := a.stdout.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(f.Fd()))
}

// printNodes prints a table of nodes.
func printNodes(w io.Writer, r *acervo.NodesResult) error {
	rows := make([][]string, len(r.Nodes))
	for i, n := range r.Nodes {
		rows[i] = []string{n.ID, n.Label, n.Type, string(n.Layer), string(n.Status), string(n.Activation), strings.Join(n.PendingFields, ", ")}
	}
	if err := table(w, []string{"ID", "LABEL", "TYPE", "LAYER", "STATUS", "ACTIVATION", "MISSING"}, rows); err != nil {
		return err
	}
	if r.Next != "" {
		fmt.Fprintf(w, "more: --after %s\n", printable(r.Next))
	}
	return nil
}

// printNode prints one node with its facts and relations.
func (a *app) printNode(w io.Writer, n *acervo.Node) {
	fmt.Fprintf(w, "%s (%s, %s, %s, %s)\n", a.colored(n.Layer, printable(n.Label)), printable(n.Type), n.Layer, n.Status, n.Activation)
	fmt.Fprintf(w, "  id: %s\n", printable(n.ID))
	if len(n.PendingFields) > 0 {
		fmt.Fprintf(w, "  missing: %s\n", strings.Join(n.PendingFields, ", "))
	}
	if len(n.Aliases) > 0 {
		fmt.Fprintf(w, "  aliases: %s\n", printable(strings.Join(n.Aliases, ", ")))
	}
	for _, key := range sortedKeys(n.Attributes) {
		fmt.Fprintf(w, "  %s: %s\n", printable(key), printable(fmt.Sprint(n.Attributes[key])))
	}
	for _, f := range n.Facts {
		fmt.Fprintf(w, "  - %s (%s)\n", printable(f.Text), printable(strings.Join(f.Sources, ", ")))
	}
	if n.MoreFacts {
		fmt.Fprintln(w, "  - more: acervo facts lists all")
	}
	for _, r := range n.Relations {
		if r.Outgoing {
			fmt.Fprintf(w, "  → %s → %s (%s, %s)\n", printable(r.Type), printable(r.Neighbor.Label), printable(r.Neighbor.Type), r.Layer)
		} else {
			fmt.Fprintf(w, "  ← %s ← %s (%s, %s)\n", printable(r.Type), printable(r.Neighbor.Label), printable(r.Neighbor.Type), r.Layer)
		}
	}
	if n.MoreRelations {
		fmt.Fprintln(w, "  → more: acervo relations lists all")
	}
}

// clean takes what could steer a terminal out of a line, and its end.
func clean(line string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, line)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
