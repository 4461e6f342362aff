package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) reembed() *cobra.Command {
	var p acervo.ReembedParams
	cmd := &cobra.Command{
		Use: "reembed", Short: "Make the vectors by which acervo search finds what means something near", Args: cobra.NoArgs,
		Long: `Makes a vector of each entity that has none, or one of another text or model, from its
label, type, aliases and attributes and its newest current facts: of the owner's own
entities, or, without an owner, of all owners' and UNIVERSAL ones. These texts are sent
to the embedder, any endpoint that speaks as OpenAI's does:

  ACERVO_EMBED_URL         the address before /embeddings, like https://api.openai.com/v1
  ACERVO_EMBED_MODEL       the model, like text-embedding-3-small
  ACERVO_EMBED_KEY         the key, if it needs one
  ACERVO_EMBED_DIMENSIONS  how many dimensions to ask for (default the model's own)

It may be interrupted and goes on when it is run again; run it after what was written is
to be found by meaning. The first run makes the vector index, and needs the right to
change the schema. A model with other dimensions needs --all, without an owner.`,
		Example: `  acervo reembed
  acervo reembed --owner ada
  acervo reembed --all --batch 500`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.Progress = func(r acervo.ReembedResult) {
				fmt.Fprintf(a.stderr, "%d entities looked at, %d embedded\n", r.Entities, r.Embedded)
			}
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				run := c.Reembed
				if owner := a.owner(); owner != "" {
					run = c.Memory(owner).Reembed
				}
				r, err := run(cmd.Context(), p)
				if err != nil {
					return err
				}
				return a.print(r, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%d of %d entities embedded by %s\n", r.Embedded, r.Entities, printable(r.Model))
					return err
				})
			})
		},
	}
	cmd.Flags().BoolVar(&p.All, "all", false, "make every vector anew; without an owner, also for a model with other dimensions")
	cmd.Flags().IntVar(&p.Batch, "batch", 100, "how many entities one transaction takes, at most 1,000")
	return cmd
}
