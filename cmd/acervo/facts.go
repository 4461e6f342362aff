package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

// entityFlags let a name's homonyms be told apart. The flags of one of two
// entities begin with its part, such as "from-".
func entityFlags(cmd *cobra.Command, ref *acervo.EntityRef, part ...string) {
	prefix, of := "", "the entity"
	if len(part) == 2 {
		prefix, of = part[0], part[1]
	}
	f := cmd.Flags()
	f.StringVar(&ref.ID, prefix+"id", "", "exact id of "+of+", instead of its name")
	f.StringVar(&ref.Type, prefix+"type", "", "type of "+of+", where several have the name")
	f.StringVar((*string)(&ref.Layer), prefix+"layer", "", "layer of "+of+", PERSONAL or UNIVERSAL, where both have the name (default PERSONAL first)")
}

func (a *app) facts() *cobra.Command {
	var p acervo.FactsParams
	var at timeFlag
	cmd := &cobra.Command{
		Use: "facts NAME", Short: "List the facts about an entity", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Entity.Name = args[0]
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				r, err := at.asOf(m).Facts(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					rows := make([][]string, len(r.Facts))
					for i, f := range r.Facts {
						rows[i] = []string{f.Text, string(f.Layer), strings.Join(f.Sources, ", "), day(&f.ValidFrom), day(f.ValidTo), strings.Join(f.SupersededBy, "; ")}
					}
					if err := table(w, []string{"FACT", "LAYER", "SOURCES", "FROM", "TO", "CORRECTED BY"}, rows); err != nil || r.Next == "" {
						return err
					}
					_, err := fmt.Fprintf(w, "more: --after %s\n", r.Next)
					return err
				})
			})
		},
	}
	entityFlags(cmd, &p.Entity)
	cmd.Flags().BoolVar(&p.History, "history", false, "also facts that were corrected or retracted")
	cmd.Flags().Var(&at, "as-of", "what was current at a time (RFC 3339, or a day in UTC)")
	paging(cmd, &p.Limit, &p.After)
	return cmd
}

func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

func (a *app) correctFact() *cobra.Command {
	var p acervo.CorrectFactParams
	var at timeFlag
	var universal bool
	cmd := &cobra.Command{
		Use: "correct-fact NAME TEXT CORRECTION", Short: "Replace a fact by another one; the old one stays in the history", Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Entity.Name, p.Text, p.Correction, p.At = args[0], args[1], args[2], at.Time
			return a.scoped(cmd, universal, func(m *acervo.Memory) error {
				r, err := m.CorrectFact(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					state := "corrected"
					if !r.Corrected {
						state = "was corrected before"
					}
					_, err := fmt.Fprintf(w, "%s: %s → %s (%s)\n", printable(r.Entity), printable(r.Text), printable(r.Correction), state)
					return err
				})
			})
		},
	}
	entityFlags(cmd, &p.Entity)
	universalFlag(cmd, &universal)
	cmd.Flags().StringVar(&p.Source, "source", "", "who says so (default user)")
	cmd.Flags().StringVar(&p.Detail, "detail", "", "more of the source")
	cmd.Flags().Var(&at, "at", "since when the correction holds (default now)")
	return cmd
}

func (a *app) retractFact() *cobra.Command {
	var p acervo.RetractFactParams
	var at timeFlag
	var universal bool
	var d destructive
	cmd := &cobra.Command{
		Use: "retract-fact NAME TEXT", Short: "End a fact; it stays in the history unless --remove is given", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Entity.Name, p.Text, p.At = args[0], args[1], at.Time
			return a.scoped(cmd, universal, func(m *acervo.Memory) error {
				if !p.Remove {
					d.yes = true // nothing is lost
				}
				return attempt(a, cmd, &d, func(dryRun bool) (*acervo.RetractFactResult, error) {
					p.DryRun = dryRun
					return m.RetractFact(cmd.Context(), p)
				}, func(w io.Writer, r *acervo.RetractFactResult) error {
					state := would(r.DryRun) + "retracted"
					switch {
					case r.Removed > 0:
						state = fmt.Sprintf("%sremoved, %d with its history", would(r.DryRun), r.Removed)
					case !r.Retracted:
						state = "was retracted before"
					}
					_, err := fmt.Fprintf(w, "%s: %s (%s)\n", printable(r.Entity), printable(r.Text), state)
					return err
				})
			})
		},
	}
	entityFlags(cmd, &p.Entity)
	universalFlag(cmd, &universal)
	d.flags(cmd)
	cmd.Flags().BoolVar(&p.Remove, "remove", false, "leave nothing of it, its history included")
	cmd.Flags().Var(&at, "at", "until when it was so (default now)")
	return cmd
}

// relationArgs takes the three arguments that name a relation.
func relationArgs(cmd *cobra.Command, ref *acervo.RelationRef) func(args []string) {
	entityFlags(cmd, &ref.From, "from-", "the first entity")
	entityFlags(cmd, &ref.To, "to-", "the second entity")
	return func(args []string) { ref.From.Name, ref.Type, ref.To.Name = args[0], args[1], args[2] }
}

func (a *app) endRelation() *cobra.Command {
	var p acervo.EndRelationParams
	var at timeFlag
	var universal bool
	cmd := &cobra.Command{Use: "end-relation FROM TYPE TO", Short: "End a relation; it stays in the history", Args: cobra.ExactArgs(3)}
	take := relationArgs(cmd, &p.RelationRef)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		take(args)
		p.At = at.Time
		return a.scoped(cmd, universal, func(m *acervo.Memory) error {
			r, err := m.EndRelation(cmd.Context(), p)
			if err != nil {
				return err
			}
			return a.print(r, func(w io.Writer) error {
				state := "ended"
				if !r.Ended {
					state = "had ended"
				}
				_, err := fmt.Fprintf(w, "%s %s %s: %s %s\n", printable(r.From), printable(r.Type), printable(r.To), state, r.ValidTo.Format(time.RFC3339))
				return err
			})
		})
	}
	universalFlag(cmd, &universal)
	cmd.Flags().Var(&at, "at", "until when it was so (default now)")
	return cmd
}

func (a *app) removeRelation() *cobra.Command {
	var p acervo.RemoveRelationParams
	var universal bool
	var d destructive
	cmd := &cobra.Command{Use: "remove-relation FROM TYPE TO", Short: "Remove a relation with its history", Args: cobra.ExactArgs(3)}
	take := relationArgs(cmd, &p.RelationRef)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		take(args)
		return a.scoped(cmd, universal, func(m *acervo.Memory) error {
			return attempt(a, cmd, &d, func(dryRun bool) (*acervo.RemoveRelationResult, error) {
				p.DryRun = dryRun
				return m.RemoveRelation(cmd.Context(), p)
			}, func(w io.Writer, r *acervo.RemoveRelationResult) error {
				_, err := fmt.Fprintf(w, "%s %s %s: %sremoved, with %d that had ended\n", printable(r.From), printable(r.Type), printable(r.To), would(r.DryRun), r.Ended)
				return err
			})
		})
	}
	universalFlag(cmd, &universal)
	d.flags(cmd)
	return cmd
}
