package acervo_test

import (
	"context"
	"hash/fnv"
	"log"
	"os"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
)

// Spread owners over two servers, and give both the same world knowledge.
func ExampleClient_ForOwner() {
	ctx := context.Background()
	var groups []acervo.Database
	for _, uri := range []string{"neo4j://memory-0:7687", "neo4j://memory-1:7687"} {
		driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth("neo4j", os.Getenv("NEO4J_PASSWORD"), ""))
		if err != nil {
			log.Fatal(err)
		}
		defer driver.Close(ctx)
		groups = append(groups, acervo.Database{Driver: driver})
	}
	client := acervo.New(groups[0].Driver, &acervo.Options{DatabaseFor: func(owner string) acervo.Database {
		h := fnv.New32a()
		h.Write([]byte(owner))
		return groups[h.Sum32()%uint32(len(groups))] // more groups later: move owners first, by Export and Import
	}})
	pack, err := os.Open("packs/geo/geo.acervopack")
	if err != nil {
		log.Fatal(err)
	}
	defer pack.Close()
	for _, group := range groups {
		c := acervo.New(group.Driver, nil) // what belongs to a database needs no owner
		if _, err := c.Migrate(ctx); err != nil {
			log.Fatal(err)
		}
		if _, err := c.InstallPack(ctx, pack, acervo.PackParams{}); err != nil {
			log.Fatal(err)
		}
	}
	// An owner's memory is in their database …
	if _, err := client.Memory("sandy").Turn(ctx, acervo.TurnParams{Message: "Vivo en Cipolletti"}); err != nil {
		log.Fatal(err)
	}
	// … and so are the types that their model has brought.
	types, err := client.ForOwner("sandy").Types(ctx)
	if err != nil {
		log.Fatal(err)
	}
	log.Print(len(types), " types")
}
