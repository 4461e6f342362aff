package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/mcp"
)

// mcpFlags say how the memory is served.
type mcpFlags struct {
	mcp.HTTPOptions
	address, tokens string
	metrics         bool
}

func (a *app) mcp() *cobra.Command {
	var f mcpFlags
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve memories to language models, by the Model Context Protocol", Args: cobra.NoArgs,
		Long: `Serves the owner's memory as tools, resources and a prompt, by the Model Context
Protocol. A client starts it and speaks to it by standard input and output; with
--http it is a server that clients connect to. Whose memory it is, the session and
what may be done are settings of the server: no tool can change them.

By HTTP, each client needs a bearer token, which says whose memory it gets:
ACERVO_MCP_TOKEN is that of --owner, and --tokens names a file for any number of
owners, which only its own user may read:

  [{"owner": "ada", "token": "…"},
   {"owner": "bob", "token": "…", "session": "desk", "read_only": true}]

A token has 32 characters or more; "openssl rand -hex 32" makes one. Only this
machine is listened to unless --host names what others call it; put a proxy that
does TLS in front of it then. The address is http://ADDR/mcp.

With --metrics, Prometheus finds at http://ADDR/metrics what the server does: times,
failures and retries of operations, of all owners together, and its process. It
needs a bearer token of its own, ACERVO_METRICS_TOKEN, which opens nothing else.

Messages go to standard error, at the level info unless --log-level says otherwise.`,
		Example: `  acervo mcp --owner ada
  acervo mcp --owner ada --read-only
  ACERVO_MCP_TOKEN=… acervo mcp --owner ada --http 8088
  acervo mcp --tokens tokens.json --http 0.0.0.0:8088 --host memory.example.org`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			logger, err := a.logger("info")
			if err != nil {
				return err
			}
			f.Logger, f.Version = logger, programVersion()
			f.Session = a.setting("session", "ACERVO_SESSION", acervo.DefaultSession)
			if f.CallTimeout <= 0 {
				return &usageError{fmt.Errorf("--call-timeout %s is no time", f.CallTimeout)}
			}
			if f.address != "" {
				return a.serveHTTP(cmd.Context(), &f)
			}
			if f.tokens != "" || len(f.Hosts) > 0 || len(f.Origins) > 0 || f.metrics {
				return &usageError{errors.New("--tokens, --host, --origin and --metrics need --http")}
			}
			return a.served(cmd.Context(), func(c *acervo.Client, owner string) error {
				if owner == "" {
					return &usageError{errors.New("whose memory? Give --owner or ACERVO_OWNER")}
				}
				return a.serveStdio(cmd, mcp.NewServer(c, owner, &f.Options))
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.ReadOnly, "read-only", false, "leave out every tool that changes something, for all tokens")
	flags.BoolVar(&f.Query, "query", false, "add tools that read with Cypher of the model's own, which sees every owner's memory, for all tokens")
	flags.DurationVar(&f.CallTimeout, "call-timeout", time.Minute, "how long one call may take")
	flags.StringVar(&f.address, "http", "", "serve by HTTP on this port of this machine, or on HOST:PORT")
	flags.StringVar(&f.tokens, "tokens", "", "file of tokens, with mode 0600 or 0400")
	flags.BoolVar(&f.metrics, "metrics", false, "serve metrics for Prometheus at /metrics, by the token ACERVO_METRICS_TOKEN")
	flags.StringArrayVar(&f.Hosts, "host", nil, "name or address under which other machines reach the server; may be repeated")
	flags.StringArrayVar(&f.Origins, "origin", nil, "origin of web pages that may call the server, like https://chat.example.org; may be repeated")
	return cmd
}

// served runs some work with a client of a database that is prepared.
func (a *app) served(ctx context.Context, work func(c *acervo.Client, owner string) error) error {
	return a.client(ctx, func(c *acervo.Client) error {
		if _, err := c.CheckSchema(ctx); err != nil { // before anything is promised
			return err
		}
		return work(c, a.owner())
	})
}

// serveStdio serves on standard input and output until the input ends, or an
// interruption.
func (a *app) serveStdio(cmd *cobra.Command, server *sdk.Server) error {
	err := server.Run(cmd.Context(), &sdk.IOTransport{Reader: io.NopCloser(cmd.InOrStdin()), Writer: unclosed{a.stdout}})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// unclosed is a writer that somebody else closes.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// serveHTTP serves by HTTP until an interruption.
func (a *app) serveHTTP(ctx context.Context, f *mcpFlags) error {
	address, err := listenAddress(f.address, len(f.Hosts) > 0)
	if err != nil {
		return &usageError{err}
	}
	tokens, err := a.mcpTokens(f.tokens)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	if f.metrics {
		metrics, err := a.metrics(&f.HTTPOptions)
		if err != nil {
			return err
		}
		mux.Handle("GET /metrics", metrics)
	}
	return a.served(ctx, func(c *acervo.Client, _ string) error {
		handler, err := mcp.NewHandler(c, tokens, &f.HTTPOptions)
		if err != nil {
			return err
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			return &usageError{err}
		}
		a.grace.Store(int64(longGrace))
		mux.Handle("/mcp", handler)
		if f.Logger != nil {
			f.Logger.Info().Str("address", fmt.Sprintf("http://%s/mcp", l.Addr())).Int("tokens", len(tokens)).Msg("serving")
		}
		return mcp.Serve(ctx, l, mux, f.Logger)
	})
}

// listenAddress is what is listened to: a mere port is one of this machine's
// loopback address, and anything else than that has to be meant.
func listenAddress(address string, meant bool) (string, error) {
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		return net.JoinHostPort("127.0.0.1", address), nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("--http %q is neither a port nor HOST:PORT", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !meant {
		return "", fmt.Errorf("--http %q is reached from other machines: name it by --host, under which they do, or give a port only", address)
	}
	return net.JoinHostPort(host, port), nil
}

// mcpTokens are the tokens of a file and of the environment.
func (a *app) mcpTokens(file string) ([]mcp.Token, error) {
	var tokens []mcp.Token
	if file != "" {
		read, err := mcp.ReadTokens(file)
		if errors.Is(err, os.ErrNotExist) {
			err = &usageError{err}
		}
		if err != nil {
			return nil, err
		}
		tokens = read
	}
	if token := os.Getenv("ACERVO_MCP_TOKEN"); token != "" {
		if a.owner() == "" {
			return nil, &usageError{errors.New("whose memory does ACERVO_MCP_TOKEN open? Give --owner or ACERVO_OWNER")}
		}
		tokens = append(tokens, mcp.Token{Token: token, Owner: a.owner()})
	}
	if len(tokens) == 0 {
		return nil, &usageError{errors.New("--http needs tokens: ACERVO_MCP_TOKEN for the owner, or --tokens FILE")}
	}
	return tokens, nil
}
