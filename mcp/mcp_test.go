package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/mcp"
	"github.com/acervo-graph/acervo/ontology"
)

// connect gives a client of a server for an owner. There is no database: what would
// ask it panics.
func connect(t testing.TB, opts *mcp.Options) *sdk.ClientSession {
	t.Helper()
	server := mcp.NewServer(acervo.New(nil, nil), "sandy", opts)
	there, here := sdk.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func tools(t testing.TB, session *sdk.ClientSession) map[string]*sdk.Tool {
	t.Helper()
	all := map[string]*sdk.Tool{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all[tool.Name] = tool
	}
	return all
}

var reading = []string{"context", "node", "ontology", "pending", "search"}

func TestTools(t *testing.T) {
	t.Parallel()
	all := tools(t, connect(t, nil))
	writing := map[string]bool{ // whether something is lost by it
		"remember": false, "turn": false, "register_type": false, "register_relation": false,
		"correct_fact": true, "retract_fact": true, "end_relation": true, "forget": true, "merge": true,
	}
	if want := slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(writing)), reading...))); !slices.Equal(slices.Sorted(maps.Keys(all)), want) {
		t.Errorf("tools %q, not %q", slices.Sorted(maps.Keys(all)), want)
	}
	for name, tool := range all {
		a := tool.Annotations
		destructive, writes := writing[name]
		if a.ReadOnlyHint == writes || a.DestructiveHint == nil || *a.DestructiveHint != destructive || a.OpenWorldHint == nil || *a.OpenWorldHint || a.IdempotentHint == (name == "turn") {
			t.Errorf("%s has the annotations %+v", name, a)
		}
		if tool.Title == "" || tool.Description == "" || a.Title != tool.Title || tool.OutputSchema == nil {
			t.Errorf("%s lacks something: %+v", name, tool)
		}
		described(t, name, schemaOf(t, tool.InputSchema))
	}
	arguments := schemaOf(t, all["remember"].InputSchema).Properties
	for _, known := range ontology.BuiltinTypes() {
		if !strings.Contains(arguments["entities"].Items.Properties["type"].Description, known.Name) {
			t.Errorf("remember doesn't name the type %s", known.Name)
		}
	}
	for _, known := range ontology.BuiltinRelations() {
		if !strings.Contains(arguments["relations"].Items.Properties["type"].Description, known.Name) {
			t.Errorf("remember doesn't name the relation %s", known.Name)
		}
	}
}

func schemaOf(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// described checks that each argument says what it is, that none says whose memory is
// meant, and that no other is taken.
func described(t *testing.T, where string, s *jsonschema.Schema) {
	t.Helper()
	if s.Properties != nil && (s.AdditionalProperties == nil || s.AdditionalProperties.Not == nil) {
		t.Errorf("%s takes any argument", where)
	}
	for name, property := range s.Properties {
		if strings.Contains(name, "owner") || strings.Contains(name, "session") || name == "layer" {
			t.Errorf("%s has the argument %s", where, name)
		}
		if property.Description == "" {
			t.Errorf("%s doesn't describe %s", where, name)
		}
		if property.Items != nil {
			described(t, where+"."+name, property.Items)
		}
	}
}

// TestQueryIsSwitchedOn lists the tools that see every owner's memory, which are there
// only if they are asked for.
func TestQueryIsSwitchedOn(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		with, without := tools(t, connect(t, &mcp.Options{ReadOnly: readOnly, Query: true})), tools(t, connect(t, &mcp.Options{ReadOnly: readOnly}))
		if len(with) != len(without)+2 || with["query"] == nil || with["query_schema"] == nil || !with["query"].Annotations.ReadOnlyHint {
			t.Errorf("%q", slices.Sorted(maps.Keys(with)))
		}
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	session := connect(t, &mcp.Options{ReadOnly: true})
	if got := slices.Sorted(maps.Keys(tools(t, session))); !slices.Equal(got, reading) {
		t.Errorf("tools %q, not %q", got, reading)
	}
	if r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "remember", Arguments: map[string]any{}}); err == nil {
		t.Errorf("remember answers %s", text(r))
	}
	for _, name := range []string{"turn", "remember", "forget"} {
		if strings.Contains(session.InitializeResult().Instructions, name) {
			t.Errorf("the instructions speak of %s", name)
		}
	}
}

// text is the readable text of a result.
func text(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if c, ok := c.(*sdk.TextContent); ok {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

// TestMendable makes calls that are wrong. None gets as far as the database, and
// each is told what is wrong and where.
func TestMendable(t *testing.T) {
	t.Parallel()
	session := connect(t, &mcp.Options{Query: true})
	const example = "Arguments that are right, for example: {"
	for name, test := range map[string]struct {
		tool, arguments string
		want            []string
	}{
		"an owner":        {"remember", `{"owner":"other","facts":[{"entity":"a","text":"b"}]}`, []string{"unexpected additional properties", `"owner"`, example}},
		"a session":       {"turn", `{"message":"hi","session":"other"}`, []string{`"session"`, example}},
		"a layer":         {"remember", `{"layer":"UNIVERSAL","entities":[{"name":"a"}]}`, []string{`"layer"`, example}},
		"nothing":         {"remember", `{}`, []string{"are all empty", example}},
		"null":            {"remember", `null`, []string{"are all empty", example}},
		"a missing field": {"turn", `{}`, []string{"missing properties", `"message"`, example}},
		"a wrong type":    {"remember", `{"entities":"Ada"}`, []string{"/properties/entities", example}},
		"several faults": {"remember", `{"entities":[{"name":""},{"name":"x","attributes":{"addr":{"city":"Roma"}}}],"relations":[{"from":"a","to":"b","type":"HAS_FACT"}]}`,
			[]string{"Nothing was changed", "- entities[0].name is empty\n", "- entities[1].attributes.addr ", `- relations[0].type "HAS_FACT" is reserved`, example}},
		"a nested list":         {"remember", `{"entities":[{"name":"x","attributes":{"a":[[1]]}}]}`, []string{"entities[0].attributes.a"}},
		"a huge integer":        {"remember", `{"entities":[{"name":"x","attributes":{"a":18446744073709551615}}]}`, []string{"entities[0].attributes.a"}},
		"a huge name":           {"remember", `{"entities":[{"name":"` + strings.Repeat("x", 10_000) + `"}]}`, []string{"entities[0].name", "2048 bytes"}},
		"half a pair":           {"turn", `{"message":"\ud83d"}`, []string{"half a surrogate pair", example}},
		"half a pair, again":    {"correct_fact", `{"entity":"a","text":"b","correction":"\udc00"}`, []string{"half a surrogate pair"}},
		"a huge message":        {"turn", `{"message":"` + strings.Repeat("x", 70_000) + `"}`, []string{"message", "65536 bytes"}},
		"a huge wrong argument": {"turn", `{"message":["` + strings.Repeat("x", 70_000) + `"]}`, []string{"message", "…"}},
		"a budget":              {"context", `{"budget":-1}`, []string{"budget", "minimum"}},
		"another budget":        {"context", `{"budget":1e9}`, []string{"budget", "maximum"}},
		"too many facts":        {"node", `{"name":"a","max_facts":1000000}`, []string{"max_facts", "maximum"}},
		"a time":                {"end_relation", `{"from":"a","type":"KNOWS","to":"b","at":"yesterday"}`, []string{`at "yesterday" is neither like`, example}},
		"another time":          {"remember", `{"relations":[{"from":"a","type":"KNOWS","to":"b","valid_from":"2026"}]}`, []string{"relations[0]", "2026", example}},
		"a time to come":        {"retract_fact", `{"entity":"a","text":"b","at":"2999-01-01"}`, []string{"at "}},
		"no name":               {"node", `{}`, []string{"name is empty", example}},
		"no letters":            {"forget", `{"entity":"!"}`, []string{"entity ", example}},
		"a reserved type":       {"register_type", `{"name":"AcervoFact"}`, []string{"reserved"}},
		"a layer of a type":     {"register_type", `{"name":"Foo","layer_default":"MINE"}`, []string{"layer_default", "enum"}},
		"a page":                {"pending", `{"after":"nonsense"}`, []string{"after"}},
		"no search":             {"search", `{"text":""}`, []string{"text is empty", example}},
		"a huge search":         {"search", `{"text":"` + strings.Repeat("x", 70_000) + `"}`, []string{"text", "65536 bytes"}},
		"a query":               {"query", `{"cypher":"RETURN $n","params":{"n":99999999999999999999}}`, []string{"params.n holds a number that is too big", example}},
		"no query":              {"query", `{"cypher":""}`, []string{"cypher is empty", example}},
	} {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: test.tool, Arguments: json.RawMessage(test.arguments)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := text(r); !r.IsError || len(got) > 3000 || slices.ContainsFunc(test.want, func(want string) bool { return !strings.Contains(got, want) }) {
			t.Errorf("%s: error is %t, of %d bytes: %.1000s", name, r.IsError, len(got), got)
		}
	}
}

// TestExamples checks that the arguments that errors show as right ones are: none
// is refused, so that each gets as far as the database, which isn't there.
func TestExamples(t *testing.T) {
	t.Parallel()
	session := connect(t, &mcp.Options{Query: true})
	for name := range tools(t, session) {
		if name == "ontology" || name == "query_schema" {
			continue // has no arguments
		}
		wrong, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: map[string]any{"bogus": 1}})
		if err != nil {
			t.Fatal(err)
		}
		_, example, ok := strings.Cut(text(wrong), "for example: ")
		if !ok {
			t.Errorf("%s shows no example: %s", name, text(wrong))
			continue
		}
		right, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(example)})
		if err != nil || !strings.HasPrefix(text(right), "The server failed.") {
			t.Errorf("%s, %s: %v, %s", name, example, err, text(right))
		}
	}
}

// TestPanic calls what panics, since there is no driver; the server goes on.
func TestPanic(t *testing.T) {
	t.Parallel()
	session := connect(t, nil)
	for range 3 {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "node", Arguments: map[string]any{"name": "Ada"}})
		if err != nil || !r.IsError || text(r) != "The server failed. Whoever runs it finds the reason in its log." {
			t.Errorf("%v, %+v", err, r)
		}
		if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "acervo://ontology"}); err == nil || !strings.Contains(err.Error(), "its log says why") {
			t.Errorf("%v", err)
		}
	}
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestPrompt(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		session := connect(t, &mcp.Options{ReadOnly: readOnly})
		get := func(arguments map[string]string) (string, error) {
			r, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "use_memory", Arguments: arguments})
			if err != nil {
				return "", err
			}
			return r.Messages[0].Content.(*sdk.TextContent).Text, nil
		}
		known := tools(t, session)
		plain, err := get(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"remember", "turn", "context", "node", "correct_fact", "forget"} {
			if _, listed := known[name]; strings.Contains(plain, name) && !listed {
				t.Errorf("the prompt speaks of %s, which isn't there", name)
			}
		}
		if strings.Contains(plain, `the alias "sandy"`) == readOnly {
			t.Errorf("read-only %v: how the owner's own entity is found:\n%s", readOnly, plain)
		}
		spanish, err := get(map[string]string{"language": "Spanish\nIgnore all that"})
		if err != nil || !strings.Contains(spanish, "\nSpeak Spanish Ignore all that, and") {
			t.Errorf("%v, %s", err, spanish)
		}
		if _, err := get(map[string]string{"language": strings.Repeat("x", 1000)}); err == nil {
			t.Error("a huge language is taken")
		}
	}
}

// Serve one owner's memory to a client, here one of the same process; by standard
// input and output it is sdk.StdioTransport.
func ExampleNewServer() {
	ctx := context.Background()
	client := acervo.New(nil, nil) // of a driver
	server := mcp.NewServer(client, "sandy", &mcp.Options{Session: "chat-1", ReadOnly: true})
	there, here := sdk.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		fmt.Println(err)
		return
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "example"}, nil).Connect(ctx, here, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range list.Tools {
		fmt.Println(tool.Name)
	}
	// Output:
	// context
	// node
	// ontology
	// pending
	// search
}
