package acervo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

// Ask in Cypher. What isn't part of the statement is a parameter.
func ExampleClient_Query() {
	ctx := context.Background()
	client, _ := sandy(ctx)
	defer client.Close(ctx)
	result, err := client.Query(ctx, acervo.QueryParams{
		Cypher:  "MATCH (e:AcervoEntity) WHERE e.owner = $owner AND e.id IS NOT NULL RETURN e.type AS type, count(*) AS entities",
		Params:  map[string]any{"owner": "sandy"},
		Timeout: 2 * time.Second,
		MaxRows: 50,
	})
	var refused *acervo.QueryRefusedError
	switch {
	case errors.As(err, &refused):
		fmt.Println("it doesn't only read:", refused.Reason)
		return
	case err != nil:
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}

// Tell a model how to write Cypher for this database.
func ExampleClient_QuerySchema() {
	ctx := context.Background()
	client, _ := sandy(ctx)
	defer client.Close(ctx)
	schema, err := client.QuerySchema(ctx, acervo.QuerySchemaParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Text)
}

// Look whether the database is as it should be, and mend what is safe to mend.
func ExampleClient_Diagnose() {
	ctx := context.Background()
	client, _ := sandy(ctx)
	defer client.Close(ctx)
	diagnosis, err := client.Diagnose(ctx, acervo.DiagnoseParams{Fix: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range diagnosis.Findings {
		fmt.Printf("%s: %d %s, %d of them mended; %s\n", f.Severity, f.Count, f.Message, f.Fixed, f.Mend)
	}
}
