package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) migrate() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Prepare the database: constraints, indexes, built-in ontology", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				r, err := c.Migrate(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					if len(r.Applied) == 0 {
						_, err := fmt.Fprintln(w, "everything is there")
						return err
					}
					_, err := fmt.Fprintln(w, "applied", strings.Join(r.Applied, ", "))
					return err
				})
			})
		},
	}
}

func (a *app) status() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show the server, the schema and what is stored", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Status(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					fmt.Fprintf(w, "Neo4j %s (%s), database %s, schema %s\n", r.Version, r.Edition, r.Database, r.Schema[len(r.Schema)-1].Name)
					fmt.Fprintf(w, "%d facts, %d sessions\n", r.Facts, r.Sessions)
					rows := make([][]string, len(r.Counts))
					for i, c := range r.Counts {
						rows[i] = []string{string(c.Layer), c.Type, string(c.Status), strconv.FormatInt(c.Nodes, 10)}
					}
					return table(w, []string{"LAYER", "TYPE", "STATUS", "NODES"}, rows)
				})
			})
		},
	}
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version of this program", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
			}{programVersion(), runtime.Version()}
			return a.print(v, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "acervo %s (%s)\n", v.Version, v.Go)
				return err
			})
		},
	}
}

// programVersion is the version that this program was built from.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}
