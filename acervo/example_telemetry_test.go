package acervo_test

import (
	"context"
	"log"
	"os"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/acervo-graph/acervo/acervo"
)

// Send spans and metrics where the program's others go. The exporters are the
// program's own; without one, nothing leaves it.
func Example_telemetry() {
	ctx := context.Background()
	traces := trace.NewTracerProvider()
	defer traces.Shutdown(ctx)
	meters := metric.NewMeterProvider()
	defer meters.Shutdown(ctx)
	client, err := acervo.Open(ctx, acervo.Config{
		URI: os.Getenv("NEO4J_URI"), Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD"),
		Options: &acervo.Options{TracerProvider: traces, MeterProvider: meters},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close(ctx)
	if _, err := client.Memory("sandy").Turn(ctx, acervo.TurnParams{Message: "¿Cómo va Butaco?"}); err != nil {
		log.Fatal(err)
	}
}
