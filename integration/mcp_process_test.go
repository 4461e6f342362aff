package integration

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/mcp"
)

// The clients of another make that the server is tested with.
const (
	pythonSDK = "mcp==2.3.0"
	inspector = "@modelcontextprotocol/inspector@2.12.0"
)

// acervoBinary is the program, built once, in a folder that TestMain removes.
var acervoBinary = sync.OnceValues(func() (string, error) {
	var err error
	if binaries, err = os.MkdirTemp("", "acervo-test-"); err != nil {
		return "", err
	}
	bin := filepath.Join(binaries, "acervo")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/acervo").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
})

var binaries string

// mcpCommand is `acervo mcp` on the tests' server, for an owner of the test's own.
func mcpCommand(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	s := testServer(t)
	testClient(t) // migrates
	bin, err := acervoBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, append([]string{"mcp"}, args...)...)
	cmd.Env = append(os.Environ(), "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password,
		"ACERVO_OWNER="+testOwner(t), "ACERVO_SESSION=", "ACERVO_LOG=", "ACERVO_MCP_TOKEN=")
	return cmd
}

// ends waits for a process, for 15 seconds at the most.
func ends(t testing.TB, cmd *exec.Cmd) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(15 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("it goes on")
		return nil
	}
}

// TestMCPStdio speaks to the program as a client does, and reads all that it writes.
func TestMCPStdio(t *testing.T) {
	cmd := mcpCommand(t, "--log-level", "debug")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	// answer sends a message and reads one; every line has to be one of the protocol.
	answer := func(message string) fields {
		t.Helper()
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() {
			t.Fatalf("no answer to %.200s: %v", message, lines.Err())
		}
		var got fields
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil || got["jsonrpc"] != "2.0" {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		return got
	}
	answer(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	call := func(tool, arguments string) string {
		t.Helper()
		got := answer(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
		text, err := json.Marshal(got["result"])
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, test := range []struct{ tool, arguments, says string }{
		{"remember", `{"facts":[{"entity":"Ada","text":"sings"}]}`, `"isError":null`},
		{"node", `{"name":"Ada"}`, "fact: sings (from user)"},
		{"remember", "{\"facts\":[{\"entity\":\"Ada\",\"text\":\"a\xffb\"}]}", "not valid UTF-8"},
		{"remember", `{"facts":[{"entity":"Ada","text":"a\ud83db"}]}`, "half a surrogate pair"},
		{"remember", `{"facts":[{"entity":"Ada","text":"` + strings.Repeat("x", 1<<20) + `"}]}`, "is longer than 65536 bytes"},
		{"remember", `{"facts":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`, "/properties/facts"},
		{"turn", `{"message":"Ada"}`, "the user said: sings"},
	} {
		got := call(test.tool, test.arguments)
		if test.says == `"isError":null` {
			if strings.Contains(got, `"isError":true`) {
				t.Errorf("%s", got)
			}
		} else if !strings.Contains(got, test.says) || len(got) > 10_000 {
			t.Errorf("%s %.100s: %.2000s", test.tool, test.arguments, got)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := ends(t, cmd); err != nil {
		t.Errorf("%v, %s", err, stderr.String())
	}
	if !strings.Contains(stderr.String(), `"tool":"remember"`) {
		t.Errorf("nothing is logged: %s", stderr.String())
	}
	if strings.Contains(stderr.String(), "sings") {
		t.Error("what was said is logged")
	}
}

// TestMCPEndOfInput ends the program by the end of its input.
func TestMCPEndOfInput(t *testing.T) {
	cmd := mcpCommand(t)
	session := connected(t, &sdk.CommandTransport{Command: cmd})
	told(t, session, "remember", fields{"entities": []any{fields{"name": "Ada"}}})
	if err := session.Close(); err != nil {
		t.Errorf("%v", err)
	}
}

// TestMCPFlags starts the program with the flags that say which tools there are.
func TestMCPFlags(t *testing.T) {
	readers := []string{"context", "node", "ontology", "pending", "search"}
	queries := []string{"query", "query_schema"}
	for _, test := range []struct {
		flags, tools []string
	}{
		{nil, allTools},
		{[]string{"--read-only"}, readers},
		{[]string{"--query"}, slices.Concat(allTools, queries)},
		{[]string{"--read-only", "--query"}, slices.Concat(readers, queries)},
	} {
		session := connected(t, &sdk.CommandTransport{Command: mcpCommand(t, test.flags...)})
		listed, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tool := range listed.Tools {
			got = append(got, tool.Name)
		}
		if slices.Sort(test.tools); !slices.Equal(got, test.tools) {
			t.Errorf("%q: %q", test.flags, got)
		}
		// What isn't listed can't be called either.
		for tool, arguments := range map[string]fields{
			"remember": {"entities": []any{fields{"name": "Ada"}}}, "query": {"cypher": "RETURN 1 AS one"}, "node": {"name": "Nobody"},
		} {
			if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments}); (err == nil) != slices.Contains(test.tools, tool) {
				t.Errorf("%q, %s: %v", test.flags, tool, err)
			}
		}
	}
}

// mcpTokens are tokens of two owners, and of one for reading, by owner.
func mcpTokens(t testing.TB, owners ...string) string {
	t.Helper()
	var tokens []fields
	for _, owner := range owners {
		tokens = append(tokens, fields{"owner": owner, "token": tokenOf(owner)}, fields{"owner": owner, "token": tokenOf(owner) + "-reads", "read_only": true})
	}
	return tokensFile(t, tokens)
}

// tokensFile writes tokens to a file that only its owner may read.
func tokensFile(t testing.TB, tokens any) string {
	t.Helper()
	text, err := json.Marshal(tokens)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tokens.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func tokenOf(owner string) string { return "token-of-" + owner }

// httpServer starts the program by HTTP, and gives the address that it logs.
func httpServer(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	return serving(t, cmd, func(line string) string {
		var event struct{ Message, Address string }
		if json.Unmarshal([]byte(line), &event) != nil || event.Message != "serving" {
			return ""
		}
		return event.Address
	})
}

// serving starts a program and gives the address that it tells on standard error, in
// the first line that address finds one in.
func serving(t testing.TB, cmd *exec.Cmd, address func(line string) string) string {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if at := address(lines.Text()); at != "" {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return at
		}
		t.Log(lines.Text())
	}
	t.Fatal("it doesn't serve")
	return ""
}

// bearing sends a token with each request.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func overHTTP(t testing.TB, address, token string) *sdk.ClientSession {
	t.Helper()
	return connected(t, &sdk.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: bearing(token)}})
}

// TestMCPHTTP serves two owners by the program, and ends it while a call is under way.
func TestMCPHTTP(t *testing.T) {
	first, second := testOwner(t), testOwner(t)
	cmd := mcpCommand(t, "--http", "0", "--tokens", mcpTokens(t, first, second)) // a mere port
	address := httpServer(t, cmd)
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("a mere port is listened to at %s", address)
	}
	hers, his, reads := overHTTP(t, address, tokenOf(first)), overHTTP(t, address, tokenOf(second)), overHTTP(t, address, tokenOf(first)+"-reads")
	told(t, hers, "remember", fields{"facts": []any{fields{"entity": "Kim", "text": "the secret is 42"}}})
	told(t, his, "turn", fields{"message": "Kim"}, "The memory has nothing about this.")
	refused(t, his, "node", fields{"name": "Kim"}, "no entity")
	told(t, reads, "node", fields{"name": "Kim"}, "the secret is 42")
	if r, err := reads.CallTool(t.Context(), &sdk.CallToolParams{Name: "forget", Arguments: fields{"entity": "Kim", "confirm": true}}); err == nil {
		t.Errorf("a token for reading forgets: %+v", r)
	}
	if n, err := testClient(t).Memory(second).Nodes(t.Context(), acervo.NodesParams{Layer: "PERSONAL"}); err != nil || len(n.Nodes) != 0 {
		t.Errorf("%v, %+v", err, n)
	}

	// A call that waits for a lock, which goes half a second after the signal.
	tx := begin(t)
	if _, err := tx.Run(t.Context(), "MATCH (e:AcervoEntity {owner: $owner}) SET e.updated_at = e.updated_at", map[string]any{"owner": first}); err != nil {
		t.Fatal(err)
	}
	late := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second)
		defer cancel()
		r, text, err := answered(ctx, hers, "remember", fields{"entities": []any{fields{"name": "Kim", "type": "Persona"}}})
		if err == nil && (r.IsError || !strings.Contains(text, "completed")) {
			err = fmt.Errorf("%s", text)
		}
		late <- err
	}()
	time.Sleep(500 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-late; err != nil {
		t.Errorf("the call that was under way: %v", err)
	}
	if err := ends(t, cmd); err != nil {
		t.Error(err)
	}
}

var allTools = []string{"context", "correct_fact", "end_relation", "forget", "merge", "node", "ontology", "pending", "register_relation", "register_type", "remember", "retract_fact", "search", "turn"}

// mcpPython is a Python that has the SDK's client.
func mcpPython(t testing.TB) string {
	t.Helper()
	venv, err := filepath.Abs("../.neo4j/python-mcp")
	if err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(venv, "bin", "python")
	has := "import sys, importlib.metadata as m; sys.exit('mcp==' + m.version('mcp') != '" + pythonSDK + "')"
	if exec.CommandContext(t.Context(), python, "-c", has).Run() == nil {
		return python
	}
	for _, command := range [][]string{{"python3", "-m", "venv", venv}, {python, "-m", "pip", "install", "-q", pythonSDK}} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			needed(t, "no Python SDK of MCP: %v: %v\n%s", command, err, out)
		}
	}
	return python
}

// TestMCPPython remembers, recalls, corrects and forgets by the Python SDK's client,
// over both transports, by the README's settings, and with both ways to greet.
func TestMCPPython(t *testing.T) {
	python := mcpPython(t)
	owner := testOwner(t)
	address := httpServer(t, mcpCommand(t, "--http", "127.0.0.1:0", "--tokens", mcpTokens(t, owner)))
	for _, mode := range []string{"legacy", "auto"} {
		stdio := mcpCommand(t)
		for name, target := range map[string][]string{"stdio": stdio.Args, "README": {"--config", snippet(t, stdio)}, "http": {address}} {
			cmd := exec.CommandContext(t.Context(), python, append([]string{"testdata/mcp/client.py", mode}, target...)...)
			cmd.Env = append(stdio.Env, "ACERVO_MCP_TOKEN="+tokenOf(owner))
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%s, %s: %v\n%s", name, mode, err, stderrOf(err))
				continue
			}
			var got []string
			if err := json.Unmarshal(out, &got); err != nil || !slices.Equal(got, allTools) {
				t.Errorf("%s, %s: %v, %s", name, mode, err, out)
			}
		}
	}
}

// inspect runs the inspector's command line, and gives what it prints.
func inspect(t testing.TB, env []string, target []string, args ...string) fields {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		needed(t, "no npm: %v", err)
	}
	dir, err := filepath.Abs("../.neo4j/inspector")
	if err != nil {
		t.Fatal(err)
	}
	version := inspector[strings.LastIndex(inspector, "@")+1:]
	manifest, err := os.ReadFile(filepath.Join(dir, "node_modules", "@modelcontextprotocol", "inspector", "package.json"))
	if err != nil || !strings.Contains(string(manifest), `"version": "`+version+`"`) {
		if out, err := exec.CommandContext(t.Context(), "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, inspector).CombinedOutput(); err != nil {
			needed(t, "npm install %s: %v\n%s", inspector, err, out)
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", "mcp-inspector"), slices.Concat([]string{"--cli"}, target, args)...)
	cmd.Env = append(slices.Clip(env), "HOME="+t.TempDir()) // where it would keep a catalog
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s\n%s", args, err, out, stderrOf(err))
	}
	var result fields
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return result
}

// snippet is a file with the README's settings of a client, for the tests' server
// and program.
func snippet(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	var file struct {
		Servers map[string]settings `json:"mcpServers"`
	}
	blocks := jsonBlocks(t, "../README.md")
	if len(blocks) != 1 {
		t.Fatalf("%d settings in the README", len(blocks))
	}
	if err := json.Unmarshal([]byte(blocks[0]), &file); err != nil {
		t.Fatal(err)
	}
	server := file.Servers["acervo"]
	if server.Command != "acervo" {
		t.Fatalf("the README starts %q", server.Command)
	}
	server.Command = cmd.Path
	for name := range server.Env {
		server.Env[name] = setting(cmd, name)
	}
	file.Servers["acervo"] = server
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// setting is a variable of a command's environment.
func setting(cmd *exec.Cmd, name string) (value string) {
	for _, variable := range cmd.Env {
		if v, ok := strings.CutPrefix(variable, name+"="); ok {
			value = v // the last one counts
		}
	}
	return value
}

// jsonBlocks are the blocks of a document that are JSON.
func jsonBlocks(t testing.TB, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, part := range strings.Split(string(text), "\n```json\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		blocks = append(blocks, block)
	}
	return blocks
}

// settings are those of a client for one server.
type settings struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// starts checks that settings start the program as it is: a command that there is, with
// variables that its help names.
func (s settings) starts(t testing.TB, where, help string) {
	t.Helper()
	if s.Command != "acervo" || len(s.Args) == 0 || s.Args[0] != "mcp" {
		t.Errorf("%s: it starts %q with %q", where, s.Command, s.Args)
	}
	if s.Env["ACERVO_OWNER"] == "" || s.Env["NEO4J_PASSWORD"] == "" {
		t.Errorf("%s: whose memory, where? %v", where, s.Env)
	}
	for name := range s.Env {
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(help) {
			t.Errorf("%s: the program knows no %s", where, name)
		}
	}
}

// serves checks that settings connect to a server by HTTP.
func (s settings) serves(t testing.TB, where string) {
	t.Helper()
	if u, err := url.Parse(s.URL); err != nil || u.Scheme != "http" || u.Hostname() != "127.0.0.1" || u.Path != "/mcp" {
		t.Errorf("%s: it connects to %q", where, s.URL)
	}
	if token, ok := strings.CutPrefix(s.Headers["Authorization"], "Bearer "); !ok || token == "" {
		t.Errorf("%s: headers %v", where, s.Headers)
	}
}

// TestMCPSettings checks that what docs/mcp.md has to be copied is what clients read,
// and starts the program or connects to it.
func TestMCPSettings(t *testing.T) {
	t.Parallel()
	bin, err := acervoBinary()
	if err != nil {
		t.Fatal(err)
	}
	help, err := exec.CommandContext(t.Context(), bin, "mcp", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, block := range jsonBlocks(t, "../docs/mcp.md") {
		if strings.HasPrefix(block, "[") { // a file of tokens, whose tokens are made short
			var tokens []mcp.Token
			if err := json.Unmarshal([]byte(block), &tokens); err != nil || len(tokens) == 0 {
				t.Errorf("%v: %s", err, block)
			}
			for _, token := range tokens {
				if token.Owner == "" || token.Token == "" {
					t.Errorf("%+v", token)
				}
			}
			seen["tokens"]++
			continue
		}
		var file struct {
			Desktop map[string]settings `json:"mcpServers"`
			VSCode  map[string]settings `json:"servers"`
			Inputs  []struct {
				ID string `json:"id"`
			} `json:"inputs"`
		}
		if err := json.Unmarshal([]byte(block), &file); err != nil {
			t.Errorf("%v: %s", err, block)
		}
		for where, servers := range map[string]map[string]settings{"mcpServers": file.Desktop, "servers": file.VSCode} {
			if s := servers["acervo"]; s.URL != "" {
				s.serves(t, where)
				seen[where+" http"]++
			} else if len(servers) > 0 {
				s.starts(t, where, string(help))
				seen[where]++
			}
			for _, value := range servers["acervo"].Env {
				if id, ok := strings.CutPrefix(value, "${input:"); ok && (len(file.Inputs) != 1 || file.Inputs[0].ID+"}" != id) {
					t.Errorf("nothing asks for %s", value)
				}
			}
		}
	}
	text, err := os.ReadFile("../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "claude mcp add ") {
			s := claudeAdds(t, line)
			if s.Type == "http" {
				s.serves(t, line)
			} else {
				s.starts(t, line, string(help))
			}
			seen["claude "+s.Type]++
		}
	}
	if want := map[string]int{"mcpServers": 1, "mcpServers http": 1, "servers": 1, "tokens": 1, "claude stdio": 1, "claude http": 1}; !maps.Equal(seen, want) {
		t.Errorf("the snippets are %v, not %v", seen, want)
	}
}

// claudeAdds reads a line that adds a server to Claude Code:
// claude mcp add [--transport http] NAME [-e NAME=VALUE]... URL [--header HEADER] or -- COMMAND ARG...
func claudeAdds(t testing.TB, line string) settings {
	t.Helper()
	s := settings{Type: "stdio", Env: map[string]string{}, Headers: map[string]string{}}
	var plain []string
	words := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(strings.TrimPrefix(line, "claude mcp add "), -1)
	for i := 0; i < len(words); i++ {
		switch word := words[i]; word {
		case "--":
			if i+1 < len(words) {
				s.Command, s.Args = words[i+1], words[i+2:]
			}
			i = len(words)
		case "-e", "--transport", "--header":
			if i++; i == len(words) {
				t.Fatalf("%s lacks a value: %s", word, line)
			}
			switch value := strings.Trim(words[i], `"`); word {
			case "--transport":
				s.Type = value
			case "-e":
				name, value, _ := strings.Cut(value, "=")
				s.Env[name] = value
			default:
				name, value, _ := strings.Cut(value, ": ")
				s.Headers[name] = value
			}
		default:
			plain = append(plain, word)
		}
	}
	if want := map[string]int{"stdio": 1, "http": 2}[s.Type]; len(plain) != want || plain[0] != "acervo" {
		t.Fatalf("it adds %q: %s", plain, line)
	}
	s.URL = strings.Join(plain[1:], "")
	return s
}

// TestMCPInspector remembers, recalls, corrects and forgets by the inspector's command
// line.
func TestMCPInspector(t *testing.T) {
	owner := testOwner(t)
	stdio := mcpCommand(t)
	address := httpServer(t, mcpCommand(t, "--http", "127.0.0.1:0", "--tokens", mcpTokens(t, owner)))
	program := stdio.Args
	for _, variable := range stdio.Env { // it gives the program no other ones
		if strings.HasPrefix(variable, "NEO4J_") || strings.HasPrefix(variable, "ACERVO_OWNER=") {
			program = append([]string{"-e", variable}, program...)
		}
	}
	for name, by := range map[string]struct {
		owner  string
		target []string
	}{
		"stdio":  {setting(stdio, "ACERVO_OWNER"), program},
		"README": {setting(stdio, "ACERVO_OWNER"), []string{"--config", snippet(t, stdio), "--server", "acervo"}},
		"http":   {owner, []string{address, "--transport", "http", "--header", "Authorization: Bearer " + tokenOf(owner)}},
	} {
		var got []string
		for _, tool := range inspect(t, stdio.Env, by.target, "--method", "tools/list")["tools"].([]any) {
			got = append(got, tool.(fields)["name"].(string))
		}
		if !slices.Equal(got, allTools) {
			t.Errorf("%s: %v", name, got)
		}
		says := func(want string, args ...string) {
			t.Helper()
			text, err := json.Marshal(inspect(t, stdio.Env, by.target, args...))
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s, %v: %v, %s", name, args, err, text)
			}
		}
		call := func(want, tool string, args ...string) {
			t.Helper()
			all := []string{"--method", "tools/call", "--tool-name", tool}
			for _, arg := range args {
				all = append(all, "--tool-arg", arg)
			}
			says(want, all...)
		}
		facts := func() (texts []string) {
			t.Helper()
			stored, err := testClient(t).Memory(by.owner).Facts(t.Context(), acervo.FactsParams{Entity: named("Ada")})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range stored.Facts {
				texts = append(texts, f.Text)
			}
			return texts
		}
		call("ada: Ada sings: ", "remember", `facts=[{"entity":"Ada","text":"Ada sings"},{"entity":"Bo","text":"Bo listens"}]`)
		call("the user said: Ada sings", "turn", "message=What does Ada do?")
		call("Corrected: ada: ", "correct_fact", "entity=Ada", "text=Ada sings", "correction=Ada hums")
		call("the user said: Ada hums", "turn", "message=And Ada?")
		if got := facts(); !slices.Equal(got, []string{"Ada hums"}) {
			t.Errorf("%s: after the correction, %q", name, got)
		}
		says("Ada hums", "--method", "resources/read", "--uri", "acervo://node/Ada")
		says("Speak Spanish", "--method", "prompts/get", "--prompt-name", "use_memory", "--prompt-args", "language=Spanish")
		call("Nothing was removed yet", "forget", "entity=Ada")
		if got := facts(); !slices.Equal(got, []string{"Ada hums"}) {
			t.Errorf("%s: after the preview, %q", name, got)
		}
		call("Forgotten: Ada (id ada)", "forget", "entity=Ada", "confirm=true")
		left, err := testClient(t).Memory(by.owner).Nodes(t.Context(), acervo.NodesParams{Layer: "PERSONAL"})
		if err != nil || len(left.Nodes) != 1 || left.Nodes[0].ID != "bo" {
			t.Errorf("%s: after Ada was forgotten, %v, %+v", name, err, left)
		}
	}
}
