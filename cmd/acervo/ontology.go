package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

func (a *app) types() *cobra.Command {
	return &cobra.Command{
		Use: "types", Short: "List the types of the ontology", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				types, err := c.Types(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(types, func(w io.Writer) error {
					rows := make([][]string, len(types))
					for i, t := range types {
						rows[i] = []string{t.Name, string(t.Origin), t.LayerDefault, strings.Join(t.Attributes, ", ")}
					}
					return table(w, []string{"TYPE", "ORIGIN", "LAYER", "ATTRIBUTES"}, rows)
				})
			})
		},
	}
}

func (a *app) relationNames() *cobra.Command {
	return &cobra.Command{
		Use: "relation-names", Short: "List the relations of the ontology", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				relations, err := c.RelationNames(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(relations, func(w io.Writer) error {
					rows := make([][]string, len(relations))
					for i, r := range relations {
						rows[i] = []string{r.Name, string(r.Origin), strings.TrimSuffix(strconv.FormatBool(r.SingleValued), "false")}
					}
					return table(w, []string{"RELATION", "ORIGIN", "SINGLE-VALUED"}, rows)
				})
			})
		},
	}
}

func (a *app) register() *cobra.Command {
	var p acervo.RegisterTypeParams
	typ := &cobra.Command{
		Use: "type NAME", Short: "Make a type known; it then tells homonyms apart", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Name = args[0]
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				r, err := c.RegisterType(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					err := registered(w, "type", r.Type.Name, r.Created)
					if len(p.Attributes) > 0 {
						fmt.Fprintf(w, "its attributes: %s\n", printable(strings.Join(r.Type.Attributes, ", ")))
					}
					return err
				})
			})
		},
	}
	typ.Flags().StringArrayVar(&p.Attributes, "attribute", nil, "name of an attribute; may be given again")
	var layer string
	typ.Flags().StringVar(&layer, "layer", "", "layer that such entities usually belong to")
	typ.PreRun = func(*cobra.Command, []string) { p.LayerDefault = layers.Layer(strings.ToUpper(layer)) }
	var single bool
	relation := &cobra.Command{
		Use: "relation NAME", Short: "Make a relation known", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				p := acervo.RegisterRelationParams{Name: args[0]}
				if cmd.Flags().Changed("single-valued") {
					p.SingleValued = &single
				}
				r, err := c.RegisterRelation(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error { return registered(w, "relation", r.Relation.Name, r.Created) })
			})
		},
	}
	relation.Flags().BoolVar(&single, "single-valued", false, "a new target ends the earlier one, as of VIVE_EN (default: as it is)")
	cmd := group("register", "Make a type or a relation known")
	cmd.AddCommand(typ, relation)
	return cmd
}

// group is a command that only has others below it.
func group(use, short string) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return &usageError{fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())}
		}
		return cmd.Help()
	}}
}

func registered(w io.Writer, kind, name string, created bool) error {
	state := "was known"
	if created {
		state = "registered"
	}
	_, err := fmt.Fprintf(w, "%s %s: %s\n", kind, printable(name), state)
	return err
}
