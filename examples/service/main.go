// Command service is a memory for many users over HTTP. A bearer token says whose
// memory a request is about; no request can name another's.
//
//	POST   /remember  a document like those of acervo upsert
//	POST   /turn      {"message": "…", "session": "…", "turn_id": "…"}, of which all but message may be left out
//	GET    /search    ?q=…&limit=…&offset=…
//	DELETE /memory    forgets the user
//
// A file says whose each token is. This makes one, and starts the service, with a
// Neo4j if NEO4J_URI names none:
//
//	TOKEN=$(openssl rand -hex 32); (umask 077; echo "{\"$TOKEN\": \"ada\"}" > tokens.json)
//	go run ./integration/server with -- go run ./examples/service
//
// and this uses it:
//
//	curl -H "Authorization: Bearer $TOKEN" -d '{"facts": [["Lighthouse", "Goes live in May"]]}' localhost:8080/remember
//	curl -H "Authorization: Bearer $TOKEN" 'localhost:8080/search?q=may'
//
// There is no TLS: beyond one machine, put a proxy in front that has it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "address to serve on")
	tokens := flag.String("tokens", "tokens.json", "file with a JSON object of the owner of each token")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *listen, *tokens); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, listen, tokensFile string) error {
	text, err := os.ReadFile(tokensFile)
	if err != nil {
		return err
	}
	var tokens map[string]string
	if err := json.Unmarshal(text, &tokens); err != nil {
		return fmt.Errorf("%s: %w", tokensFile, err)
	}
	client, err := acervo.Open(ctx, acervo.Config{
		URI: os.Getenv("NEO4J_URI"), Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD"),
	})
	if err != nil {
		return err
	}
	defer client.Close(context.WithoutCancel(ctx))
	if _, err := client.Migrate(ctx); err != nil {
		return err
	}
	handler, err := newHandler(client, tokens)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	log.Printf("serving on http://%s", l.Addr())
	return serve(ctx, l, handler)
}

// serve serves until the context ends; requests that are under way then have 10
// seconds to end.
func serve(ctx context.Context, l net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: requestTimeout + 30*time.Second, IdleTimeout: 2 * time.Minute,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
