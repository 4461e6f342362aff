package acervo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/acervo-graph/acervo/acervo"
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
