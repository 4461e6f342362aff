package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

// Site is what Browser fetches: the style and the guide.
type Site struct {
	// Owner and Session are those of the guide's queries.
	Owner, Session string
	// Types gives the types of the ontology, each time that the style is fetched.
	// Default: the built-in ones only.
	Types func(ctx context.Context) ([]string, error)
}

// ServeHTTP serves /guide.html and /style.grass, to pages of any origin: Browser
// is one of another port. Nothing of what is remembered is served.
func (s Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Private-Network", "true")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Headers", "*")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	switch r.URL.Path {
	case "/guide.html":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, Guide(s.Owner, s.Session, "http://"+r.Host+"/style.grass"))
	case "/style.grass":
		var types []string
		if s.Types != nil {
			// Where they can't be read, for example before the first migration, those
			// of every memory are styled.
			if known, err := s.Types(r.Context()); err == nil {
				types = known
			}
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, GraSS(types...))
	default:
		http.NotFound(w, r)
	}
}

// Serve serves the site until the context ends.
func (s Site) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// FirstQuery is what Browser shows at once: the entities and their relations.
const FirstQuery = "MATCH p = (:AcervoEntity)-[]->(:AcervoEntity) RETURN p LIMIT 200"

// demoType is the type that the demo's conversation brings into the ontology.
const demoType = "Superhero"

// PostConnect is the value of browser.post_connect_cmd: the style of the built-in
// types and the demo's (a style from an address would leave its frame on the
// screen; the guide has one for types that come later), the guide of a site on a port of localhost, and a first query.
func PostConnect(port int) string {
	return fmt.Sprintf("style %s; clear; guide http://localhost:%d/guide.html; auto %s", JSON(demoType), port, FirstQuery)
}

// Types gives the types of a database's ontology, for [Site].
func Types(c *acervo.Client) func(ctx context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		types, err := c.Types(ctx)
		names := make([]string, len(types))
		for i, t := range types {
			names[i] = t.Name
		}
		return names, err
	}
}
