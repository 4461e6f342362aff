package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) verify() *cobra.Command {
	var ids []string
	cmd := &cobra.Command{
		Use: "verify NAME…", Short: "Mark UNIVERSAL entities as verified: no owner changes them any more",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args)+len(ids) == 0 {
				return fmt.Errorf("give at least one name or --id")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var p acervo.VerifyParams
			for _, name := range args {
				p.Entities = append(p.Entities, acervo.EntityRef{Name: name})
			}
			for _, id := range ids {
				p.Entities = append(p.Entities, acervo.EntityRef{ID: id})
			}
			return a.scoped(cmd, true, func(m *acervo.Memory) error {
				r, err := m.Verify(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					for _, e := range r.Entities {
						state := "verified"
						if !e.Changed {
							state = "was verified before"
						}
						fmt.Fprintf(w, "%s: %s\n", printable(e.ID), state)
					}
					return nil
				})
			})
		},
	}
	cmd.Flags().StringArrayVar(&ids, "id", nil, "exact id; may be given again")
	return cmd
}

func (a *app) promote() *cobra.Command {
	var p acervo.PromoteParams
	var d destructive
	cmd := &cobra.Command{
		Use: "promote NAME", Short: "Turn an entity of the owner's own into a UNIVERSAL candidate, which every owner sees", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Entity.Name = args[0]
			return a.memory(cmd.Context(), func(m *acervo.Memory) error {
				return attempt(a, cmd, &d, func(dryRun bool) (*acervo.PromoteResult, error) {
					p.Preview = dryRun
					return m.Promote(cmd.Context(), p)
				}, func(w io.Writer, r *acervo.PromoteResult) error {
					fmt.Fprintf(w, "%s (%s) %sUNIVERSAL for every owner, %s\n", printable(r.Label), printable(r.Type), would(r.Preview), r.Status)
					for _, key := range sortedKeys(r.Attributes) {
						fmt.Fprintf(w, "  %s: %s\n", printable(key), printable(fmt.Sprint(r.Attributes[key])))
					}
					for _, f := range r.Facts {
						fmt.Fprintf(w, "  - %s\n", printable(f))
					}
					_, err := fmt.Fprintf(w, "%d facts, %d relations and %d attributes stay the owner's\n", r.KeptFacts, r.KeptRelations, len(r.KeptAttributes))
					return err
				})
			})
		},
	}
	entityFlags(cmd, &p.Entity)
	d.flags(cmd)
	cmd.Flags().StringArrayVar(&p.Attributes, "attribute", nil, "name of an attribute to share; may be given again")
	cmd.Flags().StringArrayVar(&p.Facts, "fact", nil, "text of a fact to share; may be given again")
	return cmd
}

func (a *app) duplicates() *cobra.Command {
	var p acervo.DuplicatesParams
	cmd := &cobra.Command{
		Use: "duplicates", Short: "List entities that may be one, with the reason", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Duplicates(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					rows := make([][]string, len(r.Pairs))
					for i, pair := range r.Pairs {
						rows[i] = []string{pair.A.Label, pair.A.Type, pair.A.ID, string(pair.A.Layer), pair.B.Label, pair.B.Type, pair.B.ID, string(pair.B.Layer), pair.Reason}
					}
					if err := table(w, []string{"LABEL", "TYPE", "ID", "LAYER", "LABEL", "TYPE", "ID", "LAYER", "REASON"}, rows); err != nil || r.Next == "" {
						return err
					}
					_, err := fmt.Fprintf(w, "more: --after %s\n", r.Next)
					return err
				})
			})
		},
	}
	paging(cmd, &p.Limit, &p.After)
	return cmd
}

func (a *app) merge() *cobra.Command {
	var p acervo.MergeParams
	var universal bool
	var d destructive
	cmd := &cobra.Command{
		Use: "merge KEEP ABSORB", Short: "Make one entity of two; the absorbed name stays as an alias", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Keep.Name, p.Absorb.Name = args[0], args[1]
			return a.scoped(cmd, universal, func(m *acervo.Memory) error {
				return attempt(a, cmd, &d, func(dryRun bool) (*acervo.MergeResult, error) {
					p.DryRun = dryRun
					return m.Merge(cmd.Context(), p)
				}, func(w io.Writer, r *acervo.MergeResult) error {
					_, err := fmt.Fprintf(w, "%s %sabsorbed by %s: %d facts and %d relations moved, %d and %d were there, %d between the two dropped, %d ended\nnames: %s\n",
						printable(r.Absorb), would(r.DryRun), printable(r.Keep), r.Facts, r.Relations, r.DoubleFacts, r.DoubleRelations, r.SelfRelations, r.EndedRelations, printable(strings.Join(r.Aliases, ", ")))
					return err
				})
			})
		},
	}
	entityFlags(cmd, &p.Keep, "keep-", "the entity that is kept")
	entityFlags(cmd, &p.Absorb, "absorb-", "the entity that is absorbed")
	universalFlag(cmd, &universal)
	d.flags(cmd)
	return cmd
}

func (a *app) rename() *cobra.Command {
	var p acervo.RenameParams
	var universal bool
	cmd := &cobra.Command{
		Use: "rename NAME NEW-NAME", Short: "Give an entity another label; the old one stays as an alias", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Entity.Name, p.Name = args[0], args[1]
			return a.scoped(cmd, universal, func(m *acervo.Memory) error {
				r, err := m.Rename(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%s: %s → %s\n", printable(r.ID), printable(r.Before), printable(r.Label))
					return err
				})
			})
		},
	}
	entityFlags(cmd, &p.Entity)
	universalFlag(cmd, &universal)
	return cmd
}

func (a *app) alias() *cobra.Command {
	sub := func(use, short string, run func(cmd *cobra.Command, m *acervo.Memory, p acervo.AliasParams) (*acervo.AliasResult, error)) *cobra.Command {
		var p acervo.AliasParams
		var universal bool
		cmd := &cobra.Command{
			Use: use + " NAME ALIAS…", Short: short, Args: cobra.MinimumNArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				p.Entity.Name, p.Aliases = args[0], args[1:]
				return a.scoped(cmd, universal, func(m *acervo.Memory) error {
					r, err := run(cmd, m, p)
					if err != nil {
						return err
					}
					return a.print(r, func(w io.Writer) error {
						_, err := fmt.Fprintf(w, "%s: %d changed %s\n", printable(r.ID), len(r.Changed), printable(strings.Join(r.Changed, ", ")))
						return err
					})
				})
			},
		}
		entityFlags(cmd, &p.Entity)
		universalFlag(cmd, &universal)
		return cmd
	}
	cmd := group("alias", "Give an entity other names, or take them away")
	cmd.AddCommand(
		sub("add", "Let other names find an entity", func(cmd *cobra.Command, m *acervo.Memory, p acervo.AliasParams) (*acervo.AliasResult, error) {
			return m.AddAlias(cmd.Context(), p)
		}),
		sub("remove", "Take names from an entity", func(cmd *cobra.Command, m *acervo.Memory, p acervo.AliasParams) (*acervo.AliasResult, error) {
			return m.RemoveAlias(cmd.Context(), p)
		}),
	)
	return cmd
}
