package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

func (a *app) upsert() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "upsert [FILE|-]",
		Short: "Store entities, relations and facts of JSON documents",
		Long: `Reads one JSON document, or several that follow each other, from a file or
standard input, and stores each in one transaction. All are read and checked
before the first is stored. A document without an owner is for --owner or
ACERVO_OWNER; one of the UNIVERSAL layer may have none.

  {"owner":"sandy","layer":"PERSONAL",
   "entities":[["Sandy","Persona"],{"name":"Butaco","type":"Proyecto","attributes":{"estado":"activo"},"aliases":["ERP"]}],
   "relations":[["Sandy","Butaco","DUEÑO_DE"]],
   "facts":[["Sandy","Sandy es dueña de Butaco","user"]]}`,
		Args: cobra.MaximumNArgs(1),
	}
	quiet := cmd.Flags().Bool("no-activation", false, "leave the session alone")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, name := cmd.InOrStdin(), "standard input"
		if len(args) == 1 && args[0] != "-" {
			f, err := os.Open(args[0])
			if err != nil {
				return &usageError{err}
			}
			defer f.Close()
			in, name = f, args[0]
		}
		docs, err := a.documents(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		offline := acervo.New(nil, nil) // what is wrong is told even if no server answers
		for i, d := range docs {
			docs[i].Params.NoActivation = *quiet
			if err := a.of(offline, d.Owner).Check(docs[i].Params); err != nil {
				return place(name, docs, i, "nothing was stored", err)
			}
		}
		return a.client(cmd.Context(), func(c *acervo.Client) error {
			results := make([]*acervo.UpsertResult, len(docs))
			for i, d := range docs {
				if results[i], err = a.of(c, d.Owner).UpsertEntities(cmd.Context(), d.Params); err != nil {
					return place(name, docs, i, fmt.Sprintf("%d before it are stored", i), err)
				}
			}
			return a.printUpserts(results)
		})
	}
	return cmd
}

// documents reads documents and gives each its owner.
func (a *app) documents(in io.Reader) ([]acervo.Document, error) {
	var docs []acervo.Document
	for d, err := range acervo.DecodeDocuments(in) {
		if err != nil {
			return nil, err
		}
		switch {
		case d.Owner == "":
			d.Owner = a.owner()
		case a.root.PersistentFlags().Changed("owner") && a.owner() != d.Owner:
			return nil, &usageError{fmt.Errorf("document %d is of owner %q, --owner says %q", len(docs), d.Owner, a.owner())}
		}
		if d.Owner == "" && !strings.EqualFold(string(d.Params.Layer), string(layers.Universal)) {
			return nil, &usageError{fmt.Errorf("document %d is of the PERSONAL layer and has no owner; give it one, or --owner or ACERVO_OWNER", len(docs))}
		}
		docs = append(docs, d)
	}
	if len(docs) == 0 {
		return nil, &usageError{errors.New("there is no document")}
	}
	return docs, nil
}

// place says which of several documents an error is of, and what became of the others.
func place(name string, docs []acervo.Document, i int, others string, err error) error {
	if len(docs) == 1 {
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%s: document %d (%s): %w", name, i, others, err)
}

func (a *app) printUpserts(results []*acervo.UpsertResult) error {
	var all any = results[0]
	if len(results) > 1 {
		all = struct {
			Documents []*acervo.UpsertResult `json:"documents"`
		}{results}
	}
	return a.print(all, func(w io.Writer) error {
		var rows [][]string
		for _, r := range results {
			for _, e := range append(r.Entities, r.Implied...) {
				rows = append(rows, []string{"entity", e.ID, e.Type, string(e.Layer), entityOutcome(e)})
				for _, text := range e.AttributeFacts {
					rows = append(rows, []string{"fact", e.ID + ": " + text, "", string(layers.Personal), "stated, as the entity can't be written"})
				}
				for _, name := range e.KeptAttributes {
					rows = append(rows, []string{"attribute", e.ID + ": " + name, "", string(e.Layer), "kept, as the entity can't be written"})
				}
			}
			for _, rel := range r.Relations {
				rows = append(rows, []string{"relation", rel.From + " " + rel.Type + " " + rel.To, "", string(rel.Layer), outcome(rel.Created, false)})
				for _, id := range rel.Ended {
					rows = append(rows, []string{"relation", rel.From + " " + rel.Type + " " + id, "", string(rel.Layer), "ended"})
				}
			}
			for _, f := range r.Facts {
				rows = append(rows, []string{"fact", f.Entity + ": " + f.Text, "", string(f.Layer), outcome(f.Created, f.GainedSource)})
			}
			for _, name := range r.RegisteredTypes {
				rows = append(rows, []string{"type", name, "", "", "registered"})
			}
			for _, name := range r.RegisteredRelations {
				rows = append(rows, []string{"relation name", name, "", "", "registered"})
			}
		}
		return table(w, []string{"ITEM", "NAME", "TYPE", "LAYER", "OUTCOME"}, rows)
	})
}

func entityOutcome(e acervo.EntityResult) string {
	text := outcome(e.Created, false)
	if e.Completed {
		text = "completed"
	}
	if e.Status == layers.Incomplete {
		text += ", incomplete"
	}
	if e.Conflict != nil {
		text += ", stays " + e.Conflict.Stored + " (not " + e.Conflict.Given + ")"
	}
	return text
}

func outcome(created, gained bool) string {
	switch {
	case created:
		return "created"
	case gained:
		return "one more source"
	}
	return "matched"
}
