package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"github.com/acervo-graph/acervo/acervo"
)

// The bounds of what a client may take.
const (
	maxBody       = 4 << 20 // bytes of a request
	bodyTimeout   = 30 * time.Second
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	sessionLife   = 8 * time.Hour // without a request
	shutdownGrace = 5 * time.Second
)

// HTTPOptions tune a handler. The zero value works.
type HTTPOptions struct {
	// Options are those of each owner's server; a token may name another session,
	// and be for reading only.
	Options
	// Hosts are names under which clients reach the handler, beside those of the
	// machine itself, without a port. A request for any other is refused, so that no
	// web page can reach it by a name of its own. Default: localhost, 127.0.0.1 and ::1.
	Hosts []string
	// Origins are the origins of web pages that may call the handler, for example
	// "https://chat.example.org"; a page that came from the handler's own host and
	// port may, too. Programs, which send no origin, always may. Default: none.
	Origins []string
}

// NewHandler serves the memories of owners by streamable HTTP. Each request needs
// one of the tokens as its bearer token, which says whose memory it is; without one
// it gets 401. A session of MCP belongs to the token that began it and is refused to
// any other. A request may have 4 MiB. It fails with [acervo.ErrInvalid] if
// there is no token, if one isn't good enough, and if an origin can't be read.
// Options may be nil.
//
// The handler does no TLS: beyond one machine, it belongs behind something that does.
func NewHandler(client *acervo.Client, tokens []Token, opts *HTTPOptions) (http.Handler, error) {
	var o HTTPOptions
	if opts != nil {
		o = *opts
	}
	if err := check(client, tokens); err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	servers := make([]*sdk.Server, len(tokens))
	for i, t := range tokens {
		own := o.Options
		own.ReadOnly = own.ReadOnly || t.ReadOnly
		if t.Session != "" {
			own.Session = t.Session
		}
		servers[i] = NewServer(client, t.Owner, &own)
	}
	handler := http.Handler(sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		if i, ok := bearerOf(r); ok {
			return servers[i]
		}
		return nil
	}, &sdk.StreamableHTTPOptions{
		Logger: slog.New(zerolog.NewSlogHandler(orNop(o.Logger))), SessionTimeout: sessionLife, MaxRequestBodyBytes: maxBody,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // of sameSite, which knows the hosts that are meant
	}))
	return guarded(&o, tokens, handler)
}

// NewMetricsHandler guards a handler of metrics as [NewHandler] does memories: by
// the hosts and origins of the options, and by a bearer token, which opens nothing
// else. It fails with [acervo.ErrInvalid] if the token isn't as [Token] says, and if
// an origin can't be read. Options may be nil.
func NewMetricsHandler(metrics http.Handler, token string, opts *HTTPOptions) (http.Handler, error) {
	var o HTTPOptions
	if opts != nil {
		o = *opts
	}
	if rule := checkBearer(token); rule != "" {
		return nil, &acervo.FieldError{Index: -1, Field: "metrics token", Rule: rule}
	}
	return guarded(&o, []Token{{Token: token}}, metrics)
}

// guarded lets pass who bears a token and isn't a web page of another site.
func guarded(o *HTTPOptions, tokens []Token, next http.Handler) (http.Handler, error) {
	origins := http.NewCrossOriginProtection()
	for _, origin := range o.Origins {
		if err := origins.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("origin %q: %w: %w", origin, err, acervo.ErrInvalid)
		}
	}
	return sameSite(o.Hosts, origins, authenticated(tokens, next)), nil
}

// authenticated lets pass who bears a token.
func authenticated(tokens []Token, next http.Handler) http.Handler {
	required := auth.RequireBearerToken(verifier(tokens), &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})
	const header = "WWW-Authenticate"
	verified := timely(required(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Del(header)
		w.Header().Del("Connection")
		next.ServeHTTP(w, r)
	})))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		challenge := `Bearer realm="acervo"`
		if r.Header.Get("Authorization") != "" {
			challenge += `, error="invalid_token"`
		}
		w.Header().Set(header, challenge)
		w.Header().Set("Connection", "close") // without waiting for the rest of what is refused
		verified.ServeHTTP(w, r)
	})
}

// sameSite refuses what a web page of another site could make a browser send: a
// host that isn't this one (which a page can have by rebinding its name), and an
// origin that isn't trusted, of reading requests, too.
func sameSite(hosts []string, origins *http.CrossOriginProtection, next http.Handler) http.Handler {
	known := append([]string{"localhost", "127.0.0.1", "::1"}, hosts...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
		if !slices.ContainsFunc(known, func(name string) bool { return strings.EqualFold(name, host) }) {
			http.Error(w, "this host isn't served here", http.StatusForbidden)
			return
		}
		writing := *r
		writing.Method = http.MethodPost
		if err := origins.Check(&writing); err != nil {
			http.Error(w, "requests of this origin are refused", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// timely bounds how long a client may take to send the body of a request. Answers
// may stay open, as streams do.
func timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body != http.NoBody && control.SetReadDeadline(time.Now().Add(bodyTimeout)) == nil {
			r.Body = &timedBody{r.Body, control}
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody takes the deadline away when the body has been read.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Serve serves a handler until the context ends; calls that are under way then have
// 5 seconds to end. The logger gets what goes wrong with connections; nil logs nothing.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, logger *zerolog.Logger) error {
	streams, endStreams := context.WithCancel(context.Background())
	defer endStreams()
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet { // a stream, which would last
				own, cancel := context.WithCancel(r.Context())
				defer cancel()
				defer context.AfterFunc(streams, cancel)()
				r = r.WithContext(own)
			}
			handler.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(zerolog.NewSlogHandler(orNop(logger)), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	endStreams()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return server.Close() // what is still under way is cut off
	}
	return nil
}
