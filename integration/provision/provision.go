package provision

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	// DefaultVersion is the release of Neo4j that is started: the 5.26 LTS.
	DefaultVersion = "5.26.30"
	// DefaultPassword is the password of the servers that are started.
	DefaultPassword = "acervo-local"
	// DefaultBoltPort and DefaultHTTPPort are Neo4j's own.
	DefaultBoltPort = 7687
	DefaultHTTPPort = 7474
)

// username is the only user of the servers that are started.
const username = "neo4j"

// Options say what kind of server is wanted. The zero value is one for tests: on
// free ports, with a new store that is removed at the end.
type Options struct {
	// Persistent is for `make up`: fixed ports, a store that stays, and a server
	// that outlives this process.
	Persistent bool
	// Version is the release of Neo4j. Default: NEO4J_VERSION, else [DefaultVersion].
	Version string
	// Password is that of the user neo4j. Default: NEO4J_PASSWORD, else [DefaultPassword].
	Password string
	// BoltPort and HTTPPort are for a persistent server. Default: NEO4J_BOLT_PORT
	// and NEO4J_HTTP_PORT, else Neo4j's own ports.
	BoltPort, HTTPPort int
	// Config holds further lines of neo4j.conf.
	Config map[string]string
	// Files are the texts of further files, by their paths in the server's home
	// folder, for a server for tests.
	Files map[string]string
	// Own leaves out NEO4J_URI: the caller will stop or configure the server.
	Own bool
	// Progress gets a line for each step. Default: standard error.
	Progress io.Writer
}

// Server is a Neo4j that answers.
type Server struct {
	URI, Username, Password string
	// BrowserURL is where Neo4j Browser is served; empty if that isn't known.
	BrowserURL string
	// How says which way was taken and why.
	How string

	stop    func(ctx context.Context) error
	kill    func(ctx context.Context) error
	restart func(ctx context.Context, config map[string]string) error
}

// Stop ends the server if this process started it for itself, and removes its store.
func (s *Server) Stop(ctx context.Context) error {
	if s.stop == nil {
		return nil
	}
	return s.stop(ctx)
}

// errNotOurs is returned for a server that this process didn't start for itself.
var errNotOurs = errors.New("only a server that was started for tests can be killed and started again")

// Kill ends the server's process at once, as a crash would.
func (s *Server) Kill(ctx context.Context) error {
	if s.kill == nil {
		return errNotOurs
	}
	return s.kill(ctx)
}

// Restart starts a killed server again on its store, with further lines of
// neo4j.conf. Its address may be another one then.
func (s *Server) Restart(ctx context.Context, config map[string]string) error {
	if s.restart == nil {
		return errNotOurs
	}
	return s.restart(ctx, config)
}

// way is one way to get a server. usable says why not, "" if it can be tried.
type way struct {
	name   string
	usable func() string
	start  func(ctx context.Context) (*Server, error)
}

// Start gets a server and waits until it answers a query. The ways are tried in
// the order of the package's description; one that can't be used, or fails for
// want of an image, is reported and the next one is tried. ACERVO_NEO4J=docker
// or =java allows that way alone.
func Start(ctx context.Context, opts Options) (*Server, error) {
	opts.fill()
	if uri := os.Getenv("NEO4J_URI"); uri != "" && !opts.Own {
		return existing(ctx, uri, opts)
	}
	return choose(ctx, opts.ways(), os.Getenv("ACERVO_NEO4J"), opts.Progress)
}

func choose(ctx context.Context, ways []way, only string, progress io.Writer) (*Server, error) {
	missing := []string{"set NEO4J_URI (and NEO4J_USERNAME, NEO4J_PASSWORD) to use a Neo4j that is running"}
	for _, w := range ways {
		if only != "" && only != w.name {
			continue
		}
		if reason := w.usable(); reason != "" {
			missing = append(missing, w.name+": "+reason)
			continue
		}
		server, err := w.start(ctx)
		if err == nil {
			fmt.Fprintln(progress, server.How)
			return server, nil
		}
		var unavailable *unavailableError
		if !errors.As(err, &unavailable) {
			return nil, err
		}
		fmt.Fprintf(progress, "%s can't be used (%v); trying the next way\n", w.name, err)
		missing = append(missing, fmt.Sprintf("%s: %v", w.name, err))
	}
	return nil, fmt.Errorf("no Neo4j: one of three ways is needed\n  - %s", strings.Join(missing, "\n  - "))
}

// unavailableError says that a way looked usable and wasn't.
type unavailableError struct{ err error }

func (e *unavailableError) Error() string { return e.err.Error() }
func (e *unavailableError) Unwrap() error { return e.err }

func (o *Options) fill() {
	o.Version = firstOf(o.Version, os.Getenv("NEO4J_VERSION"), DefaultVersion)
	o.Password = firstOf(o.Password, os.Getenv("NEO4J_PASSWORD"), DefaultPassword)
	if o.BoltPort == 0 {
		o.BoltPort = portOf("NEO4J_BOLT_PORT", DefaultBoltPort)
	}
	if o.HTTPPort == 0 {
		o.HTTPPort = portOf("NEO4J_HTTP_PORT", DefaultHTTPPort)
	}
	if o.Progress == nil {
		o.Progress = os.Stderr
	}
}

func (o *Options) ways() []way {
	docker := way{"docker", dockerMissing, func(ctx context.Context) (*Server, error) { return container(ctx, *o) }}
	if o.Persistent {
		docker.start = func(ctx context.Context) (*Server, error) { return compose(ctx, *o) }
	}
	return []way{docker, {"java", func() string { return javaMissing(o.Version) }, func(ctx context.Context) (*Server, error) { return javaServer(ctx, *o) }}}
}

// existing uses the server of NEO4J_URI.
func existing(ctx context.Context, uri string, opts Options) (*Server, error) {
	s := &Server{URI: uri, Username: firstOf(os.Getenv("NEO4J_USERNAME"), username), Password: os.Getenv("NEO4J_PASSWORD"), How: "using the Neo4j at NEO4J_URI"}
	if s.Password == "" {
		s.Username = ""
	}
	if err := s.ask(ctx); err != nil {
		return nil, fmt.Errorf("the Neo4j at NEO4J_URI doesn't answer: %w", err)
	}
	fmt.Fprintln(opts.Progress, s.How)
	return s, nil
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// folder is where everything is kept that is downloaded or written: .neo4j
// beside the go.mod that is next above the working directory.
func folder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, ".neo4j"), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working directory: run this inside the repository")
		}
		dir = parent
	}
}

// Missing says why no server of a release can be started on this machine, ""
// if one can. Only is the one way that is allowed, docker or java, "" for either.
func Missing(version, only string) string {
	var missing []string
	for _, w := range (&Options{Version: version}).ways() {
		if only != "" && only != w.name {
			continue
		}
		reason := w.usable()
		if reason == "" {
			return ""
		}
		missing = append(missing, w.name+": "+reason)
	}
	return strings.Join(missing, "; ")
}
