package acervo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// Store what was said in a turn, then ask for the context of the next.
func Example() {
	ctx := context.Background()
	client, err := acervo.Open(ctx, acervo.Config{URI: os.Getenv("NEO4J_URI"), Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD")})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close(ctx)
	if _, err := client.Migrate(ctx); err != nil {
		log.Fatal(err)
	}
	memory := client.Memory("sandy").WithSession("chat-1")
	if _, err := memory.UpsertEntities(ctx, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Sandy", Type: "Persona"}, {Name: "Butaco", Type: "Proyecto"}},
		Relations: []acervo.Relation{{From: "Sandy", To: "Butaco", Type: "DUEÑO_DE"}},
		Facts:     []acervo.Fact{{Entity: "Butaco", Text: "ERP para empresa cliente"}},
	}); err != nil {
		log.Fatal(err)
	}
	turn, err := memory.Turn(ctx, acervo.TurnParams{Message: "¿Cómo va Butaco?"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(turn.Context)
}

// Every fault of a batch is named, and nothing is stored.
func ExampleMemory_UpsertEntities_faults() {
	memory := acervo.New(nil, nil).Memory("sandy") // nothing is sent, so no driver is needed
	_, err := memory.UpsertEntities(context.Background(), acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Sandy"}, {Name: ""}},
		Relations: []acervo.Relation{{From: "Sandy", To: "sandy", Type: "HAS_FACT"}},
	})
	var invalid *acervo.ValidationError
	if errors.As(err, &invalid) {
		for _, fault := range invalid.Faults {
			fmt.Println(fault)
		}
	}
	// Output:
	// entity 1: name is empty
	// relation 0: type "HAS_FACT" is reserved
	// relation 0: to "sandy" is what the relation comes from; an entity has no relation to itself
}

// A client on a driver of one's own, with the logger of the application.
func ExampleNew() {
	driver, err := neo4j.NewDriverWithContext("neo4j://localhost:7687", neo4j.BasicAuth("neo4j", os.Getenv("NEO4J_PASSWORD"), ""))
	if err != nil {
		log.Fatal(err)
	}
	client := acervo.New(driver, &acervo.Options{Database: "memory"})
	fmt.Println(client.Memory("sandy").Session())
	// Output: default
}

// Write the memory in the same transaction as data of one's own.
func ExampleMemory_UpsertEntitiesTx() {
	ctx := context.Background()
	driver, err := neo4j.NewDriverWithContext("neo4j://localhost:7687", neo4j.BasicAuth("neo4j", os.Getenv("NEO4J_PASSWORD"), ""))
	if err != nil {
		log.Fatal(err)
	}
	memory := acervo.New(driver, nil).Memory("sandy")
	session := driver.NewSession(ctx, neo4j.SessionConfig{})
	defer session.Close(ctx)
	_, err = session.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
		if _, err := tx.Run(ctx, "CREATE (:Order {id: 7})", nil); err != nil {
			return nil, err
		}
		return memory.UpsertEntitiesTx(ctx, tx, acervo.UpsertParams{
			Facts: []acervo.Fact{{Entity: "Sandy", Text: "Ordered a lamp", Source: "shop"}},
		})
	})
	if err != nil {
		log.Fatal(err)
	}
}

// Go through every incomplete entity, page by page.
func ExampleMemory_Nodes() {
	ctx := context.Background()
	client, err := acervo.Open(ctx, acervo.Config{URI: os.Getenv("NEO4J_URI"), Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD")})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close(ctx)
	params := acervo.NodesParams{Layer: layers.Personal, Status: layers.Incomplete}
	for {
		page, err := client.Memory("sandy").Nodes(ctx, params)
		if err != nil {
			log.Fatal(err)
		}
		for _, node := range page.Nodes {
			fmt.Println(node.Label, "lacks", node.PendingFields)
		}
		if params.After = page.Next; params.After == "" {
			break
		}
	}
}
