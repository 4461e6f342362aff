package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) removeEntity() *cobra.Command {
	var p acervo.RemoveEntityParams
	var universal bool
	var d destructive
	cmd := &cobra.Command{
		Use: "remove-entity NAME", Short: "Remove an entity with its facts, relations and history", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Entity.Name = args[0]
			return a.scoped(cmd, universal, func(m *acervo.Memory) error {
				step, end := a.progress("removed", -1)
				defer end()
				if step != nil {
					p.Progress = func(r acervo.RemoveEntityResult) { step(r.Facts + r.Relations) }
				}
				return attempt(a, cmd, &d, func(dryRun bool) (*acervo.RemoveEntityResult, error) {
					p.DryRun = dryRun
					return m.RemoveEntity(cmd.Context(), p)
				}, func(w io.Writer, r *acervo.RemoveEntityResult) error {
					end()
					_, err := fmt.Fprintf(w, "%s %sremoved with %d facts, %d relations and %d aliases\n", printable(r.Label), would(r.DryRun), r.Facts, r.Relations, r.Aliases)
					return err
				})
			})
		},
	}
	entityFlags(cmd, &p.Entity)
	universalFlag(cmd, &universal)
	d.flags(cmd)
	return cmd
}

func (a *app) forget() *cobra.Command {
	var p acervo.ForgetParams
	var d destructive
	cmd := &cobra.Command{
		Use: "forget", Short: "Remove everything of the owner", Args: cobra.NoArgs,
		Long: `Removes every entity, fact, relation, alias and session of the owner, with its
history. UNIVERSAL knowledge and other owners are untouched. An interrupted
command goes on where it ended when it is run again.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.memory(cmd.Context(), func(m *acervo.Memory) error {
				step, end := a.progress("removed", -1)
				defer end()
				if step != nil {
					p.Progress = func(r acervo.ForgetResult) { step(total(r)) }
				}
				return attempt(a, cmd, &d, func(dryRun bool) (*acervo.ForgetResult, error) {
					p.DryRun = dryRun
					return m.Forget(cmd.Context(), p)
				}, func(w io.Writer, r *acervo.ForgetResult) error {
					end()
					fmt.Fprintf(w, "%s: %sforgotten\n", printable(m.Owner()), would(r.DryRun))
					rows := [][]string{{"relations", fmt.Sprint(r.Relations)}}
					for _, label := range sortedKeys(r.Nodes) {
						rows = append(rows, []string{label, fmt.Sprint(r.Nodes[label])})
					}
					return table(w, []string{"WHAT", "COUNT"}, rows)
				})
			})
		},
	}
	d.flags(cmd)
	cmd.Flags().IntVar(&p.BatchSize, "batch-size", 1000, "how many nodes or relationships one transaction deletes")
	return cmd
}

func total(r acervo.ForgetResult) int64 {
	n := r.Relations
	for _, c := range r.Nodes {
		n += c
	}
	return n
}
