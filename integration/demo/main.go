// Command demo loads real input into a real Neo4j and plays a short
// conversation: `make demo`.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

//go:embed seed/*.json acervo-json/*.json
var input embed.FS

// conversation is what the user says, a turn a line.
var conversation = []string{
	"Hola, soy Sandy. ¿Qué sabés de mí?",
	"¿Cómo va Butaco?",
	"Ok, sigamos.",
	"¿Y qué le gustaba a Mateo?",
	"Vivo en Cipolletti, ¿te acordás?",
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	client, err := acervo.Open(ctx, acervo.Config{
		URI: os.Getenv("NEO4J_URI"), Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD"),
	})
	if err != nil {
		return err
	}
	defer client.Close(ctx)
	if _, err := client.Migrate(ctx); err != nil {
		return err
	}
	m := client.Memory("sandy").WithSession("demo")
	if err := load(ctx, m); err != nil {
		return err
	}
	if err := change(ctx, m); err != nil {
		return err
	}
	for _, message := range conversation {
		turn, err := m.Turn(ctx, acervo.TurnParams{Message: message})
		if err != nil {
			return err
		}
		fmt.Printf("\nTurn %d: %s\n", turn.Turn, message)
		fmt.Printf("  hot:  %s\n  warm: %s\n", list(turn.Hot), list(turn.Warm))
		fmt.Printf("  context (%d tokens):\n", turn.Tokens)
		for line := range strings.Lines(turn.Context) {
			fmt.Printf("    %s", line)
		}
		fmt.Println()
	}
	browser := os.Getenv("NEO4J_BROWSER_URL")
	if browser == "" {
		browser = "Neo4j Browser"
	}
	fmt.Printf("\nLook at it in %s: log in to %s and run\n", browser, os.Getenv("NEO4J_URI"))
	fmt.Println("  MATCH p = (:AcervoEntity)-[]->(:AcervoEntity) RETURN p LIMIT 200")
	return nil
}

// load stores the reference batches, then a graph that the Python original wrote.
func load(ctx context.Context, m *acervo.Memory) error {
	names, err := fs.Glob(input, "seed/*.json")
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := input.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		for d, err := range acervo.DecodeDocuments(f) {
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			result, err := m.UpsertEntities(ctx, d.Params)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Printf("%-32s %s\n", name, summary(result))
		}
	}
	original, err := fs.Sub(input, "acervo-json")
	if err != nil {
		return err
	}
	imported, err := m.ImportAcervoJSON(ctx, original)
	if err != nil {
		return errors.Join(errors.New("acervo-json"), err)
	}
	fmt.Printf("%-32s %d nodes (%d new), %d relations (%d new), %d facts (%d new)\n", "acervo-json (release 0.5.1)",
		imported.Nodes.Read, imported.Nodes.Created, imported.Relations.Read, imported.Relations.Created, imported.Facts.Read, imported.Facts.Created)
	return nil
}

// change lets some of it change: a fact is corrected, a home is left, and a
// project is called by two names.
func change(ctx context.Context, m *acervo.Memory) error {
	first := acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Quick Notes", Type: "Proyecto"}},
		Relations: []acervo.Relation{{From: "Sandy", Type: "VIVE_EN", To: "General Roca", ValidFrom: time.Now().AddDate(-2, 0, 0)}},
		Facts:     []acervo.Fact{{Entity: "Butaco", Text: "Sale en mayo"}, {Entity: "Cipolletti", Text: "Hace mucho viento"}},
	}
	if _, err := m.UpsertEntities(ctx, first); err != nil {
		return err
	}
	_, err := m.CorrectFact(ctx, acervo.CorrectFactParams{Entity: acervo.EntityRef{Name: "Butaco"}, Text: "Sale en mayo", Correction: "Sale en junio"})
	return err
}

// summary says in a line what became of a batch.
func summary(r *acervo.UpsertResult) string {
	created, matched, completed, incomplete := 0, 0, 0, 0
	for _, e := range append(r.Entities, r.Implied...) {
		switch {
		case e.Created:
			created++
		case e.Completed:
			completed++
		default:
			matched++
		}
		if e.Status == "incomplete" {
			incomplete++
		}
	}
	text := fmt.Sprintf("%d created, %d matched, %d completed", created, matched, completed)
	if incomplete > 0 {
		text += fmt.Sprintf(", %d incomplete", incomplete)
	}
	if names := append(r.RegisteredTypes, r.RegisteredRelations...); len(names) > 0 {
		text += ", registered " + strings.Join(names, ", ")
	}
	return text
}

func list(ids []string) string {
	if len(ids) == 0 {
		return "nothing"
	}
	return strings.Join(ids, ", ")
}
