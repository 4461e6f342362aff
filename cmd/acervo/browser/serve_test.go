package browser_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/acervo-graph/acervo/cmd/acervo/browser"
)

// TestSite fetches what Browser does, as a page of another origin.
func TestSite(t *testing.T) {
	t.Parallel()
	site := browser.Site{Owner: "ada", Session: "s", Types: func(context.Context) ([]string, error) { return []string{"Superhéroe"}, nil }}
	for path, want := range map[string]string{"/guide.html": "owner: &#39;ada&#39;", "/style.grass": "node.Superhéroe {"} {
		for _, method := range []string{http.MethodGet, http.MethodOptions} {
			r := httptest.NewRequest(method, "http://localhost:7475"+path, nil)
			r.Header.Set("Origin", "http://localhost:7474")
			w := httptest.NewRecorder()
			site.ServeHTTP(w, r)
			if w.Header().Get("Access-Control-Allow-Origin") != "*" { // without it a guide fails and Browser says nothing
				t.Errorf("%s %s: %v", method, path, w.Header())
			}
			if method == http.MethodGet && (w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want)) {
				t.Errorf("%s: %d\n%s", path, w.Code, w.Body)
			}
		}
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/../../etc/passwd", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("another path: %d", w.Code)
	}
	// Where the types can't be read, those of every memory are styled.
	site.Types = func(context.Context) ([]string, error) { return nil, errors.New("not prepared") }
	w = httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/style.grass", nil))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "node.Persona {") {
		t.Errorf("without types: %d\n%s", w.Code, w.Body)
	}
}

// TestPostConnect names the guide by a host that Browser allows, and is a line of
// ASCII, as neo4j.conf needs it.
func TestPostConnect(t *testing.T) {
	t.Parallel()
	line := browser.PostConnect(7475)
	if !strings.Contains(line, "guide http://localhost:7475/guide.html") || strings.ContainsAny(line, "\n\r") || strings.ContainsFunc(line, func(r rune) bool { return r > 0x7e }) {
		t.Error(line)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- browser.Site{Owner: "ada"}.Serve(ctx, l) }()
	answer, err := http.Get("http://" + l.Addr().String() + "/guide.html")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), "runnable") {
		t.Errorf("%s, %v", text, err)
	}
	_ = answer.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("interrupted: %v", err)
	}
}
