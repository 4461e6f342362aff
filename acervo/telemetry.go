package acervo

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	nometric "go.opentelemetry.io/otel/metric/noop"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
	notrace "go.opentelemetry.io/otel/trace/noop"
)

// scope names what makes the spans and metrics.
const scope = "github.com/acervo-graph/acervo/acervo"

// durationBuckets are those of the semantic conventions for databases, in seconds.
var durationBuckets = []float64{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10}

// telemetry says where spans and metrics go. Nil, there are none.
type telemetry struct {
	tracer   trace.Tracer
	duration metric.Float64Histogram
	retries  metric.Int64Counter
	active   metric.Int64UpDownCounter
	common   []attribute.KeyValue // of all that is told
}

// newTelemetry gives nil if there is no provider. Its attributes never hold what
// owners said: the names of operations and statements are those of files.
func newTelemetry(opts *Options, driver neo4j.DriverWithContext) *telemetry {
	if opts.TracerProvider == nil && opts.MeterProvider == nil {
		return nil
	}
	tracers, meters := opts.TracerProvider, opts.MeterProvider
	if tracers == nil {
		tracers = notrace.NewTracerProvider()
	}
	if meters == nil {
		meters = nometric.NewMeterProvider()
	}
	target := driver.Target()
	t := &telemetry{
		tracer: tracers.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)),
		common: []attribute.KeyValue{semconv.DBSystemNameNeo4j, semconv.DBNamespace(opts.Database), semconv.ServerAddress(target.Hostname())},
	}
	if port, err := strconv.Atoi(target.Port()); err == nil {
		t.common = append(t.common, semconv.ServerPort(port))
	}
	meter := meters.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))
	var err error
	if t.duration, err = meter.Float64Histogram("db.client.operation.duration", metric.WithUnit("s"),
		metric.WithDescription("Duration of database client operations."), metric.WithExplicitBucketBoundaries(durationBuckets...)); err != nil {
		t.duration = nometric.Float64Histogram{}
	}
	if t.retries, err = meter.Int64Counter("acervo.client.retries", metric.WithUnit("{retry}"),
		metric.WithDescription("Further attempts of operations, after a deadlock, a race or a lost connection.")); err != nil {
		t.retries = nometric.Int64Counter{}
	}
	if t.active, err = meter.Int64UpDownCounter("acervo.client.active_operations", metric.WithUnit("{operation}"),
		metric.WithDescription("Operations under way, each with a session of the driver and at most one connection of its pool.")); err != nil {
		t.active = nometric.Int64UpDownCounter{}
	}
	return t
}

// observation is an operation under way, or a statement of one. Nil, nothing is
// observed.
type observation struct {
	*telemetry
	span  trace.Span // nil: of the caller's transaction, which isn't observed itself
	name  string
	start time.Time
	whole bool // it is measured: no other observation that is holds it
}

// operation begins to observe an operation.
func (t *telemetry) operation(ctx context.Context, name string) *observation {
	if t == nil {
		return nil
	}
	o := &observation{telemetry: t, name: name, start: time.Now(), whole: true}
	o.span = o.begin(ctx, trace.SpanKindClient)
	t.active.Add(context.WithoutCancel(ctx), 1, metric.WithAttributes(t.common...))
	return o
}

// joined observes the statements of a caller's transaction, each as an operation.
func (t *telemetry) joined() *observation {
	if t == nil {
		return nil
	}
	return &observation{telemetry: t}
}

// statement begins to observe a statement of an operation.
func (o *observation) statement(ctx context.Context, name string, attempt int) *observation {
	switch {
	case o == nil:
		return nil
	case o.span == nil:
		return o.operation(ctx, name)
	}
	s := &observation{telemetry: o.telemetry, name: name}
	s.span = s.begin(trace.ContextWithSpan(ctx, o.span), trace.SpanKindInternal, attribute.Int("acervo.attempt", attempt))
	return s
}

func (o *observation) begin(ctx context.Context, kind trace.SpanKind, more ...attribute.KeyValue) trace.Span {
	_, span := o.tracer.Start(ctx, o.name, trace.WithSpanKind(kind), trace.WithAttributes(o.common...),
		trace.WithAttributes(semconv.DBOperationName(o.name), semconv.DBQuerySummary(o.name)), trace.WithAttributes(more...))
	return span
}

// attempt counts an attempt, from 1: those after the first are retries.
func (o *observation) attempt(ctx context.Context, attempt int) {
	if o != nil && attempt > 1 {
		o.retries.Add(context.WithoutCancel(ctx), 1, o.attributes())
	}
}

// end ends the observation with the class of an error, never with its text, which
// may repeat what owners said.
func (o *observation) end(ctx context.Context, err error) {
	if o == nil {
		return
	}
	var failure []attribute.KeyValue
	if err != nil && !errors.Is(err, errDryRun) {
		class, code := errorClass(ctx, err)
		failure = append(failure, semconv.ErrorTypeKey.String(class))
		if code != "" {
			failure = append(failure, semconv.DBResponseStatusCode(code))
		}
		o.span.SetAttributes(failure...)
		o.span.SetStatus(codes.Error, "")
	}
	if o.whole {
		ctx := trace.ContextWithSpan(context.WithoutCancel(ctx), o.span) // its exemplar
		o.duration.Record(ctx, time.Since(o.start).Seconds(), o.attributes(failure...))
		o.active.Add(ctx, -1, metric.WithAttributes(o.common...))
	}
	o.span.End()
}

func (o *observation) attributes(more ...attribute.KeyValue) metric.MeasurementOption {
	all := make([]attribute.KeyValue, 0, len(o.common)+1+len(more))
	all = append(append(all, o.common...), semconv.DBOperationName(o.name))
	return metric.WithAttributes(append(all, more...)...)
}

// errorClass gives an error's class and the server's status code, if there is one,
// which is the class then.
func errorClass(ctx context.Context, err error) (class, code string) {
	err = classify(ctx, err)
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled", ""
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline_exceeded", ""
	}
	if code := codeOf(err); code != "" {
		return code, code
	}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			return s.class, ""
		}
	}
	return semconv.ErrorTypeOther.Value.AsString(), ""
}
