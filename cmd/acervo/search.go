package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/fulltext"
)

func (a *app) search() *cobra.Command {
	var p acervo.SearchParams
	var ways []string
	cmd := &cobra.Command{
		Use: "search TEXT…", Short: "Find entities by the words of their names and current facts, and by meaning", Args: cobra.MinimumNArgs(1),
		Long: `Finds entities by the words of their names, aliases and current facts, best first:
without regard to case and accents, in any script, and by Spanish and English forms of
a word. The text is no query language: what looks like an operator is searched for.
What was found is marked, bold on a terminal, else in brackets. With --json its places
are in bytes. A text that begins with a dash goes after "--".

Where an embedder is configured and there are vectors (see acervo reembed), what means
something near is found too, and the places by text, by vectors and in the graph are
fused; each hit has its places. --ways chooses: text finds by words, vectors by meaning,
graph ranks what they find by how near it is to what the text names, or to what is hot.`,
		Example: `  acervo search canciones
  acervo search zoe munoz --limit 3 --json
  acervo search music --ways text,vectors
  acervo search -- -v`,
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Text = strings.Join(args, " ")
			for _, w := range ways {
				p.Ways = append(p.Ways, acervo.SearchWay(w))
			}
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Search(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error { return a.printHits(w, r, p) })
			})
		},
	}
	cmd.Flags().IntVar(&p.Limit, "limit", 10, "how many entities a page holds, at most 100")
	cmd.Flags().IntVar(&p.Offset, "offset", 0, "how many entities to pass over; with --limit at most 500")
	cmd.Flags().StringSliceVar(&ways, "ways", nil, "how to search: text, vectors, graph (default text, and all where there are vectors)")
	return cmd
}

func (a *app) printHits(w io.Writer, r *acervo.SearchResult, p acervo.SearchParams) error {
	if r.VectorError != "" {
		fmt.Fprintf(a.stderr, "without vectors: %s\n", clean(r.VectorError))
	}
	if len(r.Hits) == 0 {
		_, err := fmt.Fprintln(a.stderr, "nothing found")
		return err
	}
	for _, h := range r.Hits {
		fmt.Fprintf(w, "%s (%s, %s) %.3f%s\n", a.colored(h.Node.Layer, printable(h.Node.Label)), printable(h.Node.Type), h.Node.Layer, h.Score, places(h, r.Ways))
		for _, hl := range h.Highlights {
			fmt.Fprintf(w, "  %s: %s\n", hl.Field, a.marked(hl))
		}
	}
	if r.More {
		fmt.Fprintf(w, "more: --offset %d\n", p.Offset+len(r.Hits))
	}
	return nil
}

// places says where a hit is in each of several ways.
func places(h acervo.SearchHit, ways []acervo.SearchWay) string {
	if len(ways) == 1 {
		return ""
	}
	var places []string
	for _, w := range ways {
		if rank, ok := h.Ranks[w]; ok {
			places = append(places, fmt.Sprintf("%s %d", w, rank))
		}
	}
	return " (" + strings.Join(places, ", ") + ")"
}

// marked gives a highlight as a line, from a bit before the first of its ranges.
func (a *app) marked(h acervo.Highlight) string {
	before, after := "[", "]"
	if a.terminal() {
		before, after = "\x1b[1m", "\x1b[22m"
	}
	var b strings.Builder
	at, width := 0, 0
	piece := func(text string) bool {
		for _, r := range text {
			if width++; width > 100 {
				b.WriteString("…")
				return false
			}
			b.WriteString(printable(string(r)))
		}
		return true
	}
	if start := h.Ranges[0].Start; start > 60 {
		for at = start - 40; !utf8.RuneStart(h.Text[at]); at++ {
		}
		b.WriteString("…")
	}
	for _, r := range append(h.Ranges, fulltext.Range{Start: len(h.Text), End: len(h.Text)}) {
		if !piece(h.Text[at:r.Start]) {
			return b.String()
		}
		if r.Start == r.End {
			break
		}
		b.WriteString(before)
		whole := piece(h.Text[r.Start:r.End])
		b.WriteString(after)
		if !whole {
			return b.String()
		}
		at = r.End
	}
	return b.String()
}
