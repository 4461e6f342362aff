package mcp_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/mcp"
)

const (
	sandys = "sandys-token-0123456789abcdef0123456789"
	mateos = "mateos-token-0123456789abcdef0123456789"
	desks  = "sandys-desk-token-0123456789abcdef01234"
)

// serve serves three tokens over real HTTP, without a database behind them.
func serve(t testing.TB, opts *mcp.HTTPOptions) *httptest.Server {
	t.Helper()
	handler, err := mcp.NewHandler(acervo.New(nil, nil), []mcp.Token{
		{Token: sandys, Owner: "sandy"}, {Token: mateos, Owner: "mateo"}, {Token: desks, Owner: "sandy", Session: "desk", ReadOnly: true},
	}, opts)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// post sends a message as a client does, but for what change changes.
func post(t testing.TB, server *httptest.Server, body string, change func(*http.Request)) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+sandys)
	if change != nil {
		change(r)
	}
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	server := serve(t, &mcp.HTTPOptions{Hosts: []string{"memory.example.org"}, Origins: []string{"https://chat.example.org"}})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }
	for name, test := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"as it should be":            {nil, http.StatusOK},
		"another token":              {header("Authorization", "bearer "+mateos), http.StatusOK},
		"no token":                   {func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"an empty token":             {header("Authorization", "Bearer "), http.StatusUnauthorized},
		"a wrong token":              {header("Authorization", "Bearer "+strings.Repeat("x", len(sandys))), http.StatusUnauthorized},
		"the beginning of a token":   {header("Authorization", "Bearer "+sandys[:len(sandys)-1]), http.StatusUnauthorized},
		"more than a token":          {header("Authorization", "Bearer "+sandys+"x"), http.StatusUnauthorized},
		"a token as a password":      {func(r *http.Request) { r.SetBasicAuth("sandy", sandys) }, http.StatusUnauthorized},
		"a token in the address":     {func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "access_token=" + sandys }, http.StatusUnauthorized},
		"a known host":               {host("memory.example.org"), http.StatusOK},
		"a known host's port":        {host("MEMORY.example.org:443"), http.StatusOK},
		"localhost":                  {host("localhost:1"), http.StatusOK},
		"IPv6":                       {host("[::1]:80"), http.StatusOK},
		"a rebound name":             {host("evil.example"), http.StatusForbidden},
		"a rebound name of a page":   {func(r *http.Request) { r.Host = "evil.example"; r.Header.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		"a name that begins so":      {host("localhost.evil.example"), http.StatusForbidden},
		"a page of another site":     {header("Origin", "https://evil.example"), http.StatusForbidden},
		"a page without an origin":   {header("Origin", "null"), http.StatusForbidden},
		"a page of another port":     {func(r *http.Request) { r.Host = "localhost:8080"; r.Header.Set("Origin", "http://localhost:3000") }, http.StatusForbidden},
		"a known page":               {header("Origin", "https://chat.example.org"), http.StatusOK},
		"a cross-site fetch":         {header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"a stream of another site":   {func(r *http.Request) { r.Method = http.MethodGet; r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"a preflight":                {func(r *http.Request) { r.Method = http.MethodOptions; r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"a form":                     {header("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
		"an unknown session":         {header("Mcp-Session-Id", "nonsense"), http.StatusNotFound},
		"an end of no known session": {func(r *http.Request) { r.Method = http.MethodDelete; r.Header.Set("Mcp-Session-Id", "nonsense") }, http.StatusNotFound},
	} {
		response := post(t, server, initialize, test.change)
		challenge := response.Header.Get("WWW-Authenticate")
		if response.StatusCode != test.want || (challenge != "") != (test.want == http.StatusUnauthorized) {
			t.Errorf("%s: %s, %q", name, response.Status, challenge)
		}
		if cors := response.Header.Get("Access-Control-Allow-Origin"); cors != "" {
			t.Errorf("%s: pages of %s may read the answer", name, cors)
		}
	}
	if got := post(t, server, initialize, header("Authorization", "Bearer x")).Header.Get("WWW-Authenticate"); got != `Bearer realm="acervo", error="invalid_token"` {
		t.Error(got)
	}
	if got := post(t, server, `{"x":"`+strings.Repeat("x", 5<<20)+`"}`, nil); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("5 MiB: %s", got.Status)
	}
	for _, body := range []string{"", "{", "[]", "null", "\xff", strings.Repeat("[", 100_000)} {
		if got := post(t, server, body, nil); got.StatusCode != http.StatusBadRequest {
			t.Errorf("%.10q: %s", body, got.Status)
		}
	}
}

// TestSessionOfAnotherToken uses a session by other tokens than the one that began
// it, in each way.
func TestSessionOfAnotherToken(t *testing.T) {
	t.Parallel()
	server := serve(t, nil)
	session := post(t, server, initialize, nil).Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatal("no session")
	}
	with := func(token, method string) int {
		return post(t, server, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, func(r *http.Request) {
			r.Method = method
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Mcp-Session-Id", session)
		}).StatusCode
	}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		for _, token := range []string{mateos, desks} {
			if got := with(token, method); got != http.StatusForbidden {
				t.Errorf("%s by %s: %d", method, token, got)
			}
		}
	}
	if got := with(sandys, http.MethodPost); got != http.StatusOK {
		t.Errorf("by its own token: %d", got)
	}
	if got := with(sandys, http.MethodDelete); got != http.StatusNoContent {
		t.Errorf("its end: %d", got)
	}
	if got := with(sandys, http.MethodPost); got != http.StatusNotFound {
		t.Errorf("after its end: %d", got)
	}
}

// bearing sends a token with each request.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func dial(t testing.TB, endpoint, token string) (*sdk.ClientSession, error) {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: endpoint, HTTPClient: &http.Client{Transport: bearing(token)}}, nil)
	if err == nil {
		t.Cleanup(func() { session.Close() })
	}
	return session, err
}

// TestTokenReadOnly lists the tools of a token that is for reading.
func TestTokenReadOnly(t *testing.T) {
	t.Parallel()
	server := serve(t, nil)
	for token, want := range map[string]int{sandys: 14, desks: len(reading)} {
		session, err := dial(t, server.URL, token)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(tools(t, session)); got != want {
			t.Errorf("%d tools, not %d", got, want)
		}
	}
	if _, err := dial(t, server.URL, "nonsense"); err == nil {
		t.Error("any token is taken")
	}
}

// TestServe ends a server while a stream is open and a request is half sent.
func TestServe(t *testing.T) {
	t.Parallel()
	handler, err := mcp.NewHandler(acervo.New(nil, nil), []mcp.Token{{Token: sandys, Owner: "sandy"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(ctx, l, handler, nil) }()
	session, err := dial(t, "http://"+l.Addr().String(), sandys) // it opens a stream
	if err != nil {
		t.Fatal(err)
	}
	if len(tools(t, session)) == 0 {
		t.Error("no tools")
	}
	start := time.Now()
	stop()
	select {
	case err := <-ended:
		if took := time.Since(start); err != nil || took > 3*time.Second {
			t.Errorf("%v, after %s", err, took)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("it is still listened to")
	}
}

func TestWrongTokens(t *testing.T) {
	t.Parallel()
	good := mcp.Token{Token: sandys, Owner: "sandy"}
	for name, test := range map[string]struct {
		tokens []mcp.Token
		want   string
	}{
		"none":              {nil, "are none"},
		"a short one":       {[]mcp.Token{{Token: "secret", Owner: "sandy"}}, "token 0: token has not 32 to 512 characters"},
		"a huge one":        {[]mcp.Token{{Token: strings.Repeat("x", 513), Owner: "sandy"}}, "token 0: token has not 32 to 512 characters"},
		"one with a blank":  {[]mcp.Token{good, {Token: sandys + " x", Owner: "sandy"}}, "token 1: token has other characters"},
		"one with a line":   {[]mcp.Token{{Token: sandys + "\n", Owner: "sandy"}}, "token 0: token has other characters"},
		"one twice":         {[]mcp.Token{good, {Token: sandys, Owner: "mateo"}}, "token 1: token is one of another owner"},
		"no owner":          {[]mcp.Token{{Token: sandys}}, "token 0: owner is empty"},
		"the world":         {[]mcp.Token{{Token: sandys, Owner: "world"}}, "token 0: owner "},
		"an owner with NUL": {[]mcp.Token{{Token: sandys, Owner: "a\x00b"}}, "token 0: owner "},
		"a huge session":    {[]mcp.Token{{Token: sandys, Owner: "a", Session: strings.Repeat("x", 10_000)}}, "token 0: session "},
	} {
		_, err := mcp.NewHandler(acervo.New(nil, nil), test.tokens, nil)
		if err == nil || !errors.Is(err, acervo.ErrInvalid) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), sandys) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := mcp.NewHandler(acervo.New(nil, nil), []mcp.Token{good}, &mcp.HTTPOptions{Origins: []string{"chat.example.org"}}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a wrong origin: %v", err)
	}
}

func TestReadTokens(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens.json")
	write := func(text string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	const right = `[{"owner":"José","token":"` + sandys + `","session":"desk","read_only":true}]`
	for _, mode := range []os.FileMode{0o600, 0o400} {
		write(right, mode)
		tokens, err := mcp.ReadTokens(path)
		if want := (mcp.Token{Token: sandys, Owner: "José", Session: "desk", ReadOnly: true}); err != nil || len(tokens) != 1 || tokens[0] != want {
			t.Errorf("%v, %+v", err, tokens)
		}
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604, 0o620, 0o777} {
		write(right, mode)
		if _, err := mcp.ReadTokens(path); !errors.Is(err, acervo.ErrInvalid) || !strings.Contains(err.Error(), "has mode") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	for _, wrong := range []string{"", "{}", `"x"`, `[{"owner":"a","token":"b","readonly":true}]`, right + "x", right + right, "[{\"owner\":\"\xff\"}]", `[{"owner":"\ud83d"}]`, "[" + strings.Repeat(" ", 2<<20) + "]"} {
		write(wrong, 0o600)
		if _, err := mcp.ReadTokens(path); !errors.Is(err, acervo.ErrInvalid) {
			t.Errorf("%.60q: %v", wrong, err)
		}
	}
	if _, err := mcp.ReadTokens(path + ".not"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestSlowBody sends the beginning of a request without a token and reads the
// refusal, for which nothing more of it is needed.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	server := serve(t, nil)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 12)
	if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "HTTP/1.1 401" {
		t.Errorf("%v, %q", err, answer)
	}
}

// Serve two owners by HTTP, each by a token of their own, on this machine.
func ExampleNewHandler() {
	client := acervo.New(nil, nil) // of a driver
	tokens, err := mcp.ReadTokens("tokens.json")
	if err != nil {
		log.Fatal(err)
	}
	handler, err := mcp.NewHandler(client, tokens, nil)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:8088")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mcp.Serve(ctx, l, handler, nil); err != nil {
		log.Print(err)
	}
}
