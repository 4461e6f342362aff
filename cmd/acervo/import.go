package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) importCommand() *cobra.Command {
	original := &cobra.Command{
		Use: "acervo-json DIR", Short: "Import the nodes.json and edges.json of the Python original", Args: cobra.ExactArgs(1),
		Long: `Imports a graph that the Python original wrote, releases 0.1 to 0.5, in one
transaction. Ids are kept, types and relations get their spelling of the
ontology. Importing again changes nothing.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.memory(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.ImportAcervoJSON(cmd.Context(), os.DirFS(args[0]))
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return a.print(r, func(w io.Writer) error {
					for _, c := range []struct {
						what   string
						counts acervo.ImportCounts
					}{{"nodes", r.Nodes}, {"relations", r.Relations}, {"facts", r.Facts}} {
						fmt.Fprintf(w, "%-9s %d read, %d created, %d matched\n", c.what, c.counts.Read, c.counts.Created, c.counts.Matched)
					}
					for _, s := range r.Skipped {
						fmt.Fprintf(w, "skipped: %s %d: %s: %s\n", s.File, s.Index, printable(s.Field), printable(s.Reason))
					}
					return nil
				})
			})
		},
	}
	cmd := group("import", "Import an export, or what another program wrote")
	cmd.AddCommand(original, a.importLines())
	return cmd
}
