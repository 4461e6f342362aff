package main

import (
	"errors"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"

	"github.com/acervo-graph/acervo/mcp"
)

// metrics makes the clients that are opened from now on measure, and serves what
// they and the process do, to who bears ACERVO_METRICS_TOKEN.
func (a *app) metrics(opts *mcp.HTTPOptions) (http.Handler, error) {
	token := os.Getenv("ACERVO_METRICS_TOKEN")
	if token == "" {
		return nil, &usageError{errors.New("--metrics needs a token of its own: ACERVO_METRICS_TOKEN")}
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	reader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo(), exporter.WithoutTargetInfo())
	if err != nil {
		return nil, err
	}
	a.meters = metric.NewMeterProvider(metric.WithReader(reader))
	return mcp.NewMetricsHandler(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}), token, opts)
}
