package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) turn() *cobra.Command {
	var p acervo.TurnParams
	cmd := &cobra.Command{
		Use: "turn MESSAGE", Short: "Do one turn: age the session, find what the message names, print the context", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Message = args[0]
			return a.memory(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Turn(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					fmt.Fprintf(w, "turn %d\n", r.Turn)
					printActive(w, r.Hot, r.Warm)
					return printContext(w, &r.MaterializeResult)
				})
			})
		},
	}
	cmd.Flags().StringVar(&p.TurnID, "turn-id", "", "id of the turn; one that was sent before changes nothing (default a new one)")
	recallFlags(cmd, &p.Budget, &p.Recall, &p.Explain)
	return cmd
}

func (a *app) cycle() *cobra.Command {
	var p acervo.CycleStatusParams
	cmd := &cobra.Command{
		Use: "cycle", Short: "Age the session by a turn: hot becomes warm, warm becomes cold", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.memory(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.CycleStatus(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					fmt.Fprintf(w, "turn %d\n", r.Turn)
					printActive(w, r.Hot, r.Warm)
					return nil
				})
			})
		},
	}
	cmd.Flags().StringVar(&p.TurnID, "turn-id", "", "id of the turn; one that was sent before changes nothing (default a new one)")
	return cmd
}

func (a *app) mention() *cobra.Command {
	return &cobra.Command{
		Use: "mention NAME…", Short: "Make hot what names or aliases find", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.memory(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Mention(cmd.Context(), acervo.MentionParams{Names: args})
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					printActive(w, r.Hot, r.Warm)
					if len(r.Unknown) > 0 {
						fmt.Fprintf(w, "unknown: %s\n", printable(strings.Join(r.Unknown, ", ")))
					}
					return nil
				})
			})
		},
	}
}

func (a *app) context() *cobra.Command {
	var p acervo.MaterializeParams
	cmd := &cobra.Command{
		Use: "context [MESSAGE]", Short: "Print the context of the session without changing it", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				p.Message = args[0]
			}
			return a.memory(cmd.Context(), func(m *acervo.Memory) error {
				r, err := m.Materialize(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error { return printContext(w, r) })
			})
		},
	}
	recallFlags(cmd, &p.Budget, &p.Recall, &p.Explain)
	return cmd
}

// recallFlags are those of the commands that print a context.
func recallFlags(cmd *cobra.Command, budget *int, recall *acervo.Recall, explain *bool) {
	f := cmd.Flags()
	f.IntVar(budget, "budget", 1000, "how many tokens the context may have")
	f.StringVar((*string)(recall), "recall", string(acervo.RecallSmart), "smart: what the message asks for; strict: what it names, and what is hot")
	f.BoolVar(explain, "explain", false, "say why each line of the context is there, and how many tokens it has")
}

func printActive(w io.Writer, hot, warm []string) {
	fmt.Fprintf(w, "hot: %s\nwarm: %s\n", printable(strings.Join(hot, ", ")), printable(strings.Join(warm, ", ")))
}

func printContext(w io.Writer, r *acervo.MaterializeResult) error {
	if len(r.Explain) > 0 {
		rows := make([][]string, len(r.Explain))
		for i, e := range r.Explain {
			why := strings.TrimSpace(string(e.Why) + " " + e.By)
			if e.Score > 0 {
				why += fmt.Sprintf(" (score %.2f)", e.Score)
			}
			rows[i] = []string{why, e.Line}
		}
		if err := table(w, []string{"WHY", "LINE"}, rows); err != nil {
			return err
		}
		fmt.Fprintf(w, "%d tokens\n", r.Tokens)
	} else if r.Context != "" {
		for line := range strings.Lines(r.Context) {
			fmt.Fprintln(w, clean(line))
		}
	}
	if r.Omitted > 0 {
		fmt.Fprintf(w, "(%d lines left out for the budget)\n", r.Omitted)
	}
	return nil
}
