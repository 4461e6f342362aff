package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acervo-graph/acervo/layers"
)

// tool is what a tool's declaration says.
type tool[In, Out any] struct {
	name, title, description string
	// example are right arguments, which an error shows.
	example In
	// effect is what a call may change.
	effect effect
	// idempotent: the same call again changes nothing more.
	idempotent bool
	// schema completes the schema of the arguments. Optional.
	schema func(arguments fields)
	// run does a call and gives its result, also as text.
	run func(ctx context.Context, call call, in In) (*Out, string, error)
}

// effect is what a tool may change.
type effect int

const (
	reads    effect = iota // nothing
	adds                   // it adds, and nothing is lost
	destroys               // something isn't current any more, or is gone
)

// call is one call as it came.
type call struct{ arguments json.RawMessage }

// add declares a tool, unless it writes and the server doesn't.
func add[In, Out any](s *service, t tool[In, Out]) {
	if s.opts.ReadOnly && t.effect != reads {
		return
	}
	example, err := json.Marshal(t.example)
	if err != nil {
		panic(err) // the declarations are part of the program
	}
	s.examples[t.name] = string(example)
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err)
	}
	if t.schema != nil {
		t.schema(schema.Properties)
	}
	result, err := jsonschema.For[Out](nil)
	if err != nil {
		panic(err)
	}
	closed := false
	destructive := t.effect == destroys
	sdk.AddTool(s.server, &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: schema, OutputSchema: result,
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: t.effect == reads, DestructiveHint: &destructive,
			IdempotentHint: t.idempotent || t.effect == reads, OpenWorldHint: &closed,
		},
	}, func(ctx context.Context, request *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		out, text, err := t.run(ctx, call{request.Params.Arguments}, in)
		if err != nil {
			return nil, nil, s.mended(t.name, err)
		}
		// The SDK would read the result into floats, by which integers change.
		structured, err := json.Marshal(out)
		if err != nil {
			return nil, nil, s.mended(t.name, err)
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: json.RawMessage(structured)}, nil, nil
	})
}

// fields are the properties of an object's schema.
type fields map[string]*jsonschema.Schema

// between bounds an integer, and says so.
func (f fields) between(name string, least, most float64) {
	f[name].Minimum, f[name].Maximum = &least, &most
}

// layer admits the layers only.
func (f fields) layer(names ...string) {
	for _, name := range names {
		f[name].Enum = []any{string(layers.Personal), string(layers.Universal)}
	}
}

// names lists names in a description.
func names[T any](list []T, name func(T) string) string {
	all := make([]string, len(list))
	for i, item := range list {
		all[i] = name(item)
	}
	return strings.Join(all, ", ")
}

// oneLine keeps a text from looking like lines of its own.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// lines are the lines of a result's text.
type lines struct{ strings.Builder }

func (l *lines) add(format string, args ...any) { fmt.Fprintf(&l.Builder, format+"\n", args...) }

// text is what the lines say, without the end of the last one.
func (l *lines) text() string { return strings.TrimSuffix(l.String(), "\n") }
