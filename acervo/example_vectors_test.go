package acervo_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/embed"
)

// Find by meaning too, with the vectors of a local model.
func ExampleClient_Reembed() {
	ctx := context.Background()
	embedder, err := embed.New(embed.Config{BaseURL: "http://localhost:11434/v1", Model: "nomic-embed-text"})
	if err != nil {
		log.Fatal(err)
	}
	client, err := acervo.Open(ctx, acervo.Config{
		Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD"), Options: &acervo.Options{Embedder: embedder},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close(ctx)
	if _, err := client.Reembed(ctx, acervo.ReembedParams{}); err != nil {
		log.Fatal(err)
	}
	result, err := client.Memory("sandy").Search(ctx, acervo.SearchParams{Text: "something to make music with"})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Println(hit.Node.Label, hit.Ranks[acervo.ByText], hit.Ranks[acervo.ByVectors])
	}
}
