package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) doctor() *cobra.Command {
	var p acervo.DiagnoseParams
	cmd := &cobra.Command{
		Use: "doctor", Short: "Look whether the database is as it should be, of all owners, and mend it", Args: cobra.NoArgs,
		Long: `Looks at the schema, the indexes and constraints, the clocks, what the user may do,
how many names are in use, and whether the graph agrees with itself, for all owners.
What it finds comes with what mends it; --fix does what loses nothing that somebody
said. It reads the whole memory a few times, shows no names or texts of anybody, and
ends with exit code 1 if an error is left; warnings don't count.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				r, err := c.Diagnose(cmd.Context(), p)
				if err != nil {
					return err
				}
				if err := a.print(r, func(w io.Writer) error { return printDiagnosis(w, r) }); err != nil || r.Healthy() {
					return err
				}
				return errors.New("doctor: errors are left")
			})
		},
	}
	cmd.Flags().BoolVar(&p.Fix, "fix", false, "mend what can be mended without losing anything")
	return cmd
}

func printDiagnosis(w io.Writer, r *acervo.DiagnoseResult) error {
	fmt.Fprintf(w, "Neo4j %s (%s), database %s\n", r.Version, r.Edition, r.Database)
	fmt.Fprintf(w, "names in use: %d labels, %d relationship types, %d property keys\n", r.Labels, r.Relations, r.PropertyKeys)
	if len(r.Findings) == 0 {
		_, err := fmt.Fprintf(w, "%d checks, everything is as it should be\n", len(r.Checks))
		return err
	}
	rows := make([][]string, len(r.Findings))
	for i, f := range r.Findings {
		rows[i] = []string{f.Check, string(f.Severity), strconv.FormatInt(f.Count, 10), strconv.FormatInt(f.Fixed, 10), f.Message}
	}
	if err := table(w, []string{"CHECK", "SEVERITY", "FOUND", "FIXED", "WHAT"}, rows); err != nil {
		return err
	}
	for _, f := range r.Findings {
		if f.Fixed < f.Count {
			fmt.Fprintf(w, "%s: %s\n", f.Check, clean(f.Mend))
		}
	}
	return nil
}
