package acervo_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"testing/fstest"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

// sandy opens Sandy's memory.
func sandy(ctx context.Context) (*acervo.Client, *acervo.Memory) {
	client, err := acervo.Open(ctx, acervo.Config{URI: os.Getenv("NEO4J_URI"), Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD")})
	if err != nil {
		log.Fatal(err)
	}
	return client, client.Memory("sandy")
}

// Correct a fact, and ask for what was known before.
func ExampleMemory_CorrectFact() {
	ctx := context.Background()
	client, memory := sandy(ctx)
	defer client.Close(ctx)
	butaco := acervo.EntityRef{Name: "Butaco"}
	if _, err := memory.CorrectFact(ctx, acervo.CorrectFactParams{Entity: butaco, Text: "sale en mayo", Correction: "sale en junio"}); err != nil {
		log.Fatal(err)
	}
	history, err := memory.Facts(ctx, acervo.FactsParams{Entity: butaco, History: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range history.Facts {
		fmt.Println(f.Text, f.ValidFrom, f.ValidTo, f.SupersededBy)
	}
	before, err := memory.AsOf(time.Now().AddDate(0, -1, 0)).Node(ctx, acervo.NodeParams{Name: "Butaco"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(before.Nodes[0].Facts)
}

// See what a merge would do before it is done.
func ExampleMemory_Merge() {
	ctx := context.Background()
	client, memory := sandy(ctx)
	defer client.Close(ctx)
	params := acervo.MergeParams{Keep: acervo.EntityRef{Name: "New York City"}, Absorb: acervo.EntityRef{Name: "NYC"}, DryRun: true}
	plan, err := memory.Merge(ctx, params)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Facts, "facts and", plan.Relations, "relations would be moved")
	params.DryRun = false
	if _, err := memory.Merge(ctx, params); err != nil {
		log.Fatal(err)
	}
}

// Forget an owner, and show how far it is.
func ExampleMemory_Forget() {
	ctx := context.Background()
	client, memory := sandy(ctx)
	defer client.Close(ctx)
	done, err := memory.Forget(ctx, acervo.ForgetParams{Progress: func(r acervo.ForgetResult) { fmt.Println(r.Nodes, r.Relations) }})
	if err != nil {
		log.Fatal(err) // the same call goes on where this one ended
	}
	fmt.Println(done.Nodes["AcervoFact"], "facts are gone")
}

// Move a memory to another database.
func ExampleMemory_Export() {
	ctx := context.Background()
	client, memory := sandy(ctx)
	defer client.Close(ctx)
	var lines bytes.Buffer
	if _, err := memory.Export(ctx, &lines, acervo.ExportParams{}); err != nil {
		log.Fatal(err)
	}
	other, there := sandy(ctx)
	defer other.Close(ctx)
	if _, err := there.Import(ctx, &lines, acervo.ImportParams{}); err != nil {
		log.Fatal(err)
	}
}

// Build a pack of two items, and look at its manifest.
func ExampleBuildPack() {
	dir := fstest.MapFS{
		"pack.json":   {Data: []byte(`{"name":"rivers","version":"1.0.0","licence":"CC0-1.0","attribution":"nobody","source":"by hand"}`)},
		"items.jsonl": {Data: []byte(`{"entity":{"id":"limay","name":"Río Limay","type":"Lugar"}}` + "\n" + `{"fact":{"entity":"limay","text":"Nace en el Nahuel Huapi"}}`)},
	}
	var file bytes.Buffer
	if _, err := acervo.BuildPack(dir, &file); err != nil {
		log.Fatal(err)
	}
	manifest, err := acervo.VerifyPack(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(manifest.Name, manifest.Version, manifest.Counts.Entities, manifest.Counts.Facts)
	// Output: rivers 1.0.0 1 1
}

// Ask without naming anything, and why each line came.
func ExampleMemory_Materialize_explain() {
	ctx := context.Background()
	client, memory := sandy(ctx)
	defer client.Close(ctx)
	made, err := memory.Materialize(ctx, acervo.MaterializeParams{Message: "¿A qué personas conozco?", Explain: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range made.Explain {
		fmt.Println(line.Why, line.By, line.Line) // type Persona Mateo (Persona, PERSONAL)
	}
	fmt.Println(made.Tokens, "tokens")
}

// Find what was said, without knowing how it was called.
func ExampleMemory_Search() {
	ctx := context.Background()
	client, err := acervo.Open(ctx, acervo.Config{URI: os.Getenv("NEO4J_URI"), Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD")})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close(ctx)
	found, err := client.Memory("sandy").Search(ctx, acervo.SearchParams{Text: "¿qué instrumentos toco?"})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Hits {
		fmt.Println(hit.Node.Label)
		for _, h := range hit.Highlights {
			for _, r := range h.Ranges {
				fmt.Printf("  %s: %s\n", h.Field, h.Text[r.Start:r.End])
			}
		}
	}
}
