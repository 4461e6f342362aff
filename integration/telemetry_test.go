package integration

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/acervo-graph/acervo/acervo"
)

// observed is a client whose spans and metrics are kept in memory.
type observed struct {
	*acervo.Client
	spans  *tracetest.InMemoryExporter
	tracer trace.Tracer
	reader *metric.ManualReader
}

func observedClient(t testing.TB, uri string) *observed {
	t.Helper()
	s := testServer(t)
	o := &observed{spans: tracetest.NewInMemoryExporter(), reader: metric.NewManualReader()}
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(s.Username, s.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close(context.Background()) })
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(o.spans))
	o.tracer = provider.Tracer("test")
	o.Client = migrated(t, acervo.New(driver, &acervo.Options{TracerProvider: provider, MeterProvider: metric.NewMeterProvider(metric.WithReader(o.reader))}))
	return o
}

// metrics gives the points of each metric.
func (o *observed) metrics(t testing.TB) (durations []metricdata.HistogramDataPoint[float64], retries, active []metricdata.DataPoint[int64]) {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := o.reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Histogram[float64]:
				if m.Name != "db.client.operation.duration" || m.Unit != "s" {
					t.Errorf("a histogram %s in %s", m.Name, m.Unit)
				}
				durations = data.DataPoints
			case metricdata.Sum[int64]:
				switch m.Name {
				case "acervo.client.retries":
					retries = data.DataPoints
				case "acervo.client.active_operations":
					active = data.DataPoints
				default:
					t.Errorf("a sum %s", m.Name)
				}
			}
		}
	}
	return durations, retries, active
}

// of gives a value of a set of attributes as text, "" if it isn't there.
func of(set []attribute.KeyValue, key attribute.Key) string {
	for _, kv := range set {
		if kv.Key == key {
			return kv.Value.String()
		}
	}
	return ""
}

// TestSpansAndMetrics looks at what is told of calls: names, classes and times, and
// nothing that was said.
func TestSpansAndMetrics(t *testing.T) {
	o := observedClient(t, testServer(t).URI)
	owner := testOwner(t)
	m := o.Memory(owner).WithSession("confidential-session")
	said := acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Confidential Ada", Type: "Persona", Attributes: map[string]any{"rol": "confidential"}}},
		Relations: []acervo.Relation{{From: "Confidential Ada", To: "Acme", Type: "confidential relation"}},
		Facts:     []acervo.Fact{{Entity: "Confidential Ada", Text: "confidential fact"}},
	}
	upsert(t, m, said) // which registers the relation, so that all that follows is plain
	o.spans.Reset()
	ctx, caller := o.tracer.Start(t.Context(), "caller")
	if _, err := m.UpsertEntities(ctx, said); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Turn(ctx, acervo.TurnParams{Message: "confidential message of confidential ada"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.CorrectFact(ctx, acervo.CorrectFactParams{Entity: acervo.EntityRef{Name: "confidential nobody"}, Text: "confidential", Correction: "confidential too"}); err == nil {
		t.Error("a fact of nobody is corrected")
	}
	if _, err := o.Query(ctx, acervo.QueryParams{Cypher: "RETURN 'confidential' AS"}); err == nil {
		t.Error("no statement, and it runs")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Node(ended, acervo.NodeParams{Name: "confidential ada"}); err == nil {
		t.Error("a call that was given up has an answer")
	}
	caller.End()

	spans := o.spans.GetSpans()
	byID := map[trace.SpanID]tracetest.SpanStub{}
	classes := map[string]string{} // of operations, by name
	for _, s := range spans {
		byID[s.SpanContext.SpanID()] = s
	}
	for _, s := range spans {
		if s.Name == "caller" {
			continue
		}
		parent := byID[s.Parent.SpanID()]
		switch {
		case s.SpanKind == trace.SpanKindClient && parent.Name == "caller":
			if of(s.Attributes, "error.type") != "" || classes[s.Name] == "" {
				classes[s.Name] = of(s.Attributes, "error.type")
			}
		case s.SpanKind == trace.SpanKindInternal && parent.SpanKind == trace.SpanKindClient && of(s.Attributes, "acervo.attempt") == "1":
		default:
			t.Errorf("%s is a %s of %s", s.Name, s.SpanKind, parent.Name)
		}
		if failed := of(s.Attributes, "error.type") != ""; failed != (s.Status.Code == codes.Error) || s.Status.Description != "" {
			t.Errorf("%s: %v, %v", s.Name, s.Status, s.Attributes)
		}
		for key, want := range map[attribute.Key]string{"db.system.name": "neo4j", "db.namespace": "neo4j", "db.operation.name": s.Name, "db.query.summary": s.Name} {
			if got := of(s.Attributes, key); got != want {
				t.Errorf("%s: %s is %q", s.Name, key, got)
			}
		}
		if host := of(s.Attributes, "server.address"); !strings.Contains(testServer(t).URI, host+":"+of(s.Attributes, "server.port")) || host == "" {
			t.Errorf("%s: the server is %q", s.Name, host)
		}
		if text := strings.ToLower(fmt.Sprint(s.Name, s.Attributes, s.Events, s.Links, s.Status)); strings.Contains(text, "confidential") || strings.Contains(text, strings.ToLower(owner)) {
			t.Errorf("what was said is told: %s", text)
		}
	}
	for name, want := range map[string]string{
		"entity/upsert_plain": "", "context/turn": "", "fact/end": "not_found", "query": "Neo.ClientError.Statement.SyntaxError", "entity/get": "canceled",
	} {
		if got, ok := classes[name]; !ok || got != want {
			t.Errorf("%s has the class %q: %v", name, got, classes)
		}
	}

	durations, _, active := o.metrics(t)
	told := map[string]string{}
	for _, p := range durations {
		set := p.Attributes.ToSlice()
		if of(set, "db.operation.name") == "context/turn" && (p.Count != 1 || p.Sum <= 0 || p.Sum > 60) {
			t.Errorf("a turn: %+v", p)
		}
		if !slices.Equal(p.Bounds, []float64{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10}) {
			t.Errorf("%v", p.Bounds)
		}
		if text := strings.ToLower(fmt.Sprint(set)); strings.Contains(text, "confidential") || strings.Contains(text, strings.ToLower(owner)) {
			t.Errorf("what was said is told: %s", text)
		}
		if class := of(set, "error.type"); class != "" {
			told[of(set, "db.operation.name")] = class
		}
	}
	if told["query"] != "Neo.ClientError.Statement.SyntaxError" || told["fact/end"] != "not_found" {
		t.Errorf("%v", told)
	}
	if len(active) != 1 || active[0].Value != 0 {
		t.Errorf("operations that go on: %+v", active)
	}
}

// TestRetriesAreCounted cuts the connection of a turn that waits for another
// transaction: it is done by a further attempt, which is told.
func TestRetriesAreCounted(t *testing.T) {
	proxy := newProxy(t, testServer(t).URI)
	o := observedClient(t, "bolt://"+proxy.address)
	owner := testOwner(t)
	m := o.Memory(owner)
	if _, err := m.Turn(t.Context(), acervo.TurnParams{Message: "first"}); err != nil {
		t.Fatal(err)
	}
	tx := begin(t)
	result, err := tx.Run(t.Context(), "MATCH (s:AcervoSession {owner: $owner}) SET s.turn = s.turn RETURN count(*)", map[string]any{"owner": owner})
	if err != nil {
		t.Fatal(err)
	}
	if record, err := result.Single(t.Context()); err != nil || record.Values[0] != int64(1) {
		t.Fatalf("%v, %v", record, err)
	}
	o.spans.Reset()
	done := make(chan error, 1)
	go func() {
		_, err := m.Turn(t.Context(), acervo.TurnParams{Message: "second"})
		done <- err
	}()
	waits := func() bool {
		return len(query(t, "SHOW TRANSACTIONS YIELD metaData, status WHERE metaData.statement = 'context/turn' AND status STARTS WITH 'Blocked' RETURN 1", nil)) > 0
	}
	for deadline := time.Now().Add(30 * time.Second); !waits(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the turn doesn't wait")
		}
	}
	_, _, active := o.metrics(t)
	if len(active) != 1 || active[0].Value != 1 {
		t.Errorf("operations that go on: %+v", active)
	}
	proxy.cut()
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	var attempts []string
	for _, s := range o.spans.GetSpans() {
		if s.SpanKind == trace.SpanKindInternal {
			attempts = append(attempts, s.Name+" "+of(s.Attributes, "acervo.attempt")+" "+of(s.Attributes, "error.type"))
		}
	}
	if want := []string{"context/turn 1 unavailable", "context/turn 2 "}; !slices.Equal(attempts, want) {
		t.Errorf("%q", attempts)
	}
	_, retries, active := o.metrics(t)
	if len(retries) != 1 || retries[0].Value != 1 || of(retries[0].Attributes.ToSlice(), "db.operation.name") != "context/turn" {
		t.Errorf("%+v", retries)
	}
	if len(active) != 1 || active[0].Value != 0 {
		t.Errorf("operations that go on: %+v", active)
	}
}

// TestJoinedIsObserved looks at statements in a transaction of the caller's: each is
// an operation, as a span of the caller's and in the metrics.
func TestJoinedIsObserved(t *testing.T) {
	o := observedClient(t, testServer(t).URI)
	m := o.Memory(testOwner(t))
	if _, err := m.Turn(t.Context(), acervo.TurnParams{}); err != nil { // which reads the ontology
		t.Fatal(err)
	}
	o.spans.Reset()
	ctx, caller := o.tracer.Start(t.Context(), "caller")
	tx := begin(t)
	if _, err := m.TurnTx(ctx, tx, acervo.TurnParams{Message: "hello"}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	spans := o.spans.GetSpans()
	if len(spans) != 1 || spans[0].Name != "context/turn" || spans[0].SpanKind != trace.SpanKindClient || spans[0].Parent.SpanID() != caller.SpanContext().SpanID() {
		t.Errorf("%+v", spans)
	}
	durations, _, _ := o.metrics(t)
	for _, p := range durations {
		if of(p.Attributes.ToSlice(), "db.operation.name") == "context/turn" && p.Count != 2 {
			t.Errorf("%d turns", p.Count)
		}
	}
}

// TestNothingIsObserved: a client that was given no provider uses no global one.
func TestNothingIsObserved(t *testing.T) {
	spans, reader := tracetest.NewInMemoryExporter(), metric.NewManualReader()
	traces, meters := otel.GetTracerProvider(), otel.GetMeterProvider()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)))
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	t.Cleanup(func() {
		otel.SetTracerProvider(traces)
		otel.SetMeterProvider(meters)
	})
	if _, err := testClient(t).Memory(testOwner(t)).Turn(t.Context(), acervo.TurnParams{Message: "hello"}); err != nil {
		t.Fatal(err)
	}
	var told metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &told); err != nil {
		t.Fatal(err)
	}
	if len(spans.GetSpans()) > 0 || len(told.ScopeMetrics) > 0 {
		t.Errorf("%+v, %+v", spans.GetSpans(), told.ScopeMetrics)
	}
}
