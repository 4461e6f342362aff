package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

func (a *app) node() *cobra.Command {
	var p acervo.NodeParams
	var at timeFlag
	cmd := &cobra.Command{
		Use: "node NAME", Short: "Show what a name or alias finds; several homonyms as an array", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				p.Name = args[0]
			}
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				r, err := at.asOf(m).Node(cmd.Context(), p)
				if err != nil {
					return err
				}
				var document any = r.Nodes
				if len(r.Nodes) == 1 {
					document = r.Nodes[0]
				}
				return a.print(document, func(w io.Writer) error {
					for i := range r.Nodes {
						a.printNode(w, &r.Nodes[i])
					}
					return nil
				})
			})
		},
	}
	cmd.Flags().StringVar(&p.ID, "id", "", "exact id, instead of a name")
	cmd.Flags().StringVar(&p.Type, "type", "", "leave out other types")
	cmd.Flags().Var(&at, "as-of", "facts and relations that were current at a time (RFC 3339, or a day in UTC)")
	return cmd
}

func (a *app) nodes() *cobra.Command {
	var p acervo.NodesParams
	cmd := &cobra.Command{
		Use: "nodes", Short: "List entities", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Nodes(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error { return printNodes(w, r) })
			})
		},
	}
	f := cmd.Flags()
	f.StringVar((*string)(&p.Layer), "layer", "", "PERSONAL or UNIVERSAL")
	f.StringVar(&p.Type, "type", "", "type of the entities")
	f.StringVar((*string)(&p.Status), "status", "", "complete, incomplete or pending_verification")
	f.StringVar((*string)(&p.Activation), "activation", "", "hot, warm or cold")
	paging(cmd, &p.Limit, &p.After)
	return cmd
}

func (a *app) pending() *cobra.Command {
	var p acervo.PendingParams
	cmd := &cobra.Command{
		Use: "pending", Short: "List incomplete entities and what they lack", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Pending(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error { return printNodes(w, r) })
			})
		},
	}
	paging(cmd, &p.Limit, &p.After)
	return cmd
}

func (a *app) relations() *cobra.Command {
	var typ, layer, after string
	var limit int
	var history bool
	var at timeFlag
	var ref acervo.EntityRef
	cmd := &cobra.Command{
		Use: "relations [NAME]", Short: "List relations, all or those of one entity", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				m = at.asOf(m)
				if len(args) == 1 || ref.ID != "" {
					if layer != "" {
						return &usageError{fmt.Errorf("--layer is for all relations, not for those of one entity")}
					}
					r, err := m.Neighbors(cmd.Context(), acervo.NeighborsParams{Name: strings.Join(args, ""), ID: ref.ID, Type: ref.Type, Layer: ref.Layer, Relation: typ, History: history, Limit: limit, After: after})
					if err != nil {
						return err
					}
					return a.print(r, func(w io.Writer) error { return printNeighbors(w, r) })
				}
				r, err := m.Relations(cmd.Context(), acervo.RelationsParams{Type: typ, Layer: layers.Layer(layer), History: history, Limit: limit, After: after})
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error { return printRelations(w, r) })
			})
		},
	}
	entityFlags(cmd, &ref, "entity-", "NAME")
	cmd.Flags().StringVar(&typ, "type", "", "name of the relations")
	cmd.Flags().StringVar(&layer, "layer", "", "PERSONAL or UNIVERSAL")
	cmd.Flags().BoolVar(&history, "history", false, "also relations that ended")
	cmd.Flags().Var(&at, "as-of", "what was current at a time (RFC 3339, or a day in UTC)")
	paging(cmd, &limit, &after)
	return cmd
}

var relationHeadings = []string{"FROM", "RELATION", "TO", "LAYER", "SOURCE", "SINCE", "UNTIL"}

func printNeighbors(w io.Writer, r *acervo.NeighborsResult) error {
	rows := make([][]string, len(r.Relations))
	for i, rel := range r.Relations {
		from, to := r.Node.Label, rel.Neighbor.Label
		if !rel.Outgoing {
			from, to = to, from
		}
		rows[i] = []string{from, rel.Type, to, string(rel.Layer), rel.Source, day(&rel.ValidFrom), day(rel.ValidTo)}
	}
	return printPage(w, rows, r.Next)
}

func printRelations(w io.Writer, r *acervo.RelationsResult) error {
	rows := make([][]string, len(r.Relations))
	for i, rel := range r.Relations {
		rows[i] = []string{rel.From.Label, rel.Type, rel.To.Label, string(rel.Layer), rel.Source, day(&rel.ValidFrom), day(rel.ValidTo)}
	}
	return printPage(w, rows, r.Next)
}

func printPage(w io.Writer, rows [][]string, next string) error {
	if err := table(w, relationHeadings, rows); err != nil {
		return err
	}
	if next != "" {
		fmt.Fprintf(w, "more: --after %s\n", next)
	}
	return nil
}

// paging gives a command the flags of a list.
func paging(cmd *cobra.Command, limit *int, after *string) {
	cmd.Flags().IntVar(limit, "limit", 100, "how many a page holds, at most 1000")
	cmd.Flags().StringVar(after, "after", "", "next of the page before")
}
