package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel/metric"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/embed"
)

// app is what the commands share: the global flags and where output goes.
type app struct {
	root           *cobra.Command
	json           bool
	stdout, stderr io.Writer
	grace          atomic.Int64         // nanoseconds that an interrupted command may take to end
	meters         metric.MeterProvider // of the clients that are opened; nil: they don't measure
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "acervo",
		Short: "A memory for agents: a two-layer knowledge graph in Neo4j",
		Long: `Acervo keeps what an assistant learns in conversation as a knowledge graph in a
Neo4j database. UNIVERSAL knowledge is shared by every owner; PERSONAL knowledge
is what one owner said. Results go to standard output, messages to standard error.

` + exitHelp,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if f := cmd.Flags().Lookup("owner"); f != nil && f.Changed && f.Value.String() == "" {
				return &usageError{errors.New("owner is empty: --owner needs a name, or is left out")}
			}
			return nil
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	f := root.PersistentFlags()
	a.root = root
	f.String("uri", "", "address of the server (NEO4J_URI; default neo4j://localhost:7687)")
	f.String("user", "", "user of the server (NEO4J_USERNAME; default neo4j if there is a password)")
	f.String("password", "", "password of the user (better in NEO4J_PASSWORD, where other users can't see it)")
	f.String("database", "", "name of the database (NEO4J_DATABASE; default neo4j)")
	f.String("owner", "", "whose memory it is (ACERVO_OWNER)")
	f.String("session", "", "session of the owner (ACERVO_SESSION; default default)")
	f.String("log-level", "", "log to standard error: trace (with parameters), debug, info, warn or error (ACERVO_LOG; default none)")
	f.BoolVar(&a.json, "json", false, "print one JSON document")
	root.AddCommand(
		a.migrate(), a.upsert(), a.turn(), a.cycle(), a.mention(), a.context(), a.node(), a.nodes(), a.search(), a.reembed(), a.pending(),
		a.types(), a.relationNames(), a.relations(), a.register(), a.importCommand(), a.load(), a.status(), a.version(),
		a.facts(), a.correctFact(), a.retractFact(), a.endRelation(), a.removeRelation(), a.removeEntity(), a.forget(),
		a.verify(), a.promote(), a.duplicates(), a.merge(), a.rename(), a.alias(), a.export(), a.pack(), a.graph(), a.browser(), a.query(), a.doctor(), a.mcp(),
	)
	usage(root)
	return root
}

// usage makes wrong arguments of a command, and of those below it, a wrong use.
func usage(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(cmd *cobra.Command, given []string) error {
			if err := args(cmd, given); err != nil {
				return &usageError{err}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		usage(sub)
	}
}

// setting gives a flag's value if it was given, though it be empty, else that of
// an environment variable, else the last.
func (a *app) setting(flag, variable, otherwise string) string {
	if f := a.root.PersistentFlags().Lookup(flag); f.Changed {
		return f.Value.String()
	}
	if v := os.Getenv(variable); v != "" {
		return v
	}
	return otherwise
}

// owner is whose memory the command line asks for, "" if it doesn't say; an empty
// --owner never gets this far.
func (a *app) owner() string { return a.setting("owner", "ACERVO_OWNER", "") }

// open connects to the server. The caller has to close the client.
func (a *app) open(ctx context.Context) (*acervo.Client, error) {
	password := a.setting("password", "NEO4J_PASSWORD", "")
	user := a.setting("user", "NEO4J_USERNAME", "")
	if user == "" && password != "" {
		user = "neo4j"
	}
	opts := &acervo.Options{Database: a.setting("database", "NEO4J_DATABASE", ""), MeterProvider: a.meters}
	logger, err := a.logger("")
	if err != nil {
		return nil, err
	}
	opts.Logger = logger
	switch embedder, err := embed.FromEnvironment(); {
	case err == nil:
		opts.Embedder = embedder
	case !errors.Is(err, embed.ErrNotConfigured):
		return nil, &usageError{err}
	}
	return acervo.Open(ctx, acervo.Config{URI: a.setting("uri", "NEO4J_URI", ""), Username: user, Password: password, Options: opts})
}

// logger logs to standard error, at a level unless another one was given; nil logs
// nothing, which is the level "".
func (a *app) logger(otherwise string) (*zerolog.Logger, error) {
	level := a.setting("log-level", "ACERVO_LOG", otherwise)
	if level == "" {
		return nil, nil
	}
	l, err := zerolog.ParseLevel(level)
	if err != nil {
		return nil, &usageError{fmt.Errorf("--log-level %q is none of trace, debug, info, warn and error", level)}
	}
	logger := zerolog.New(a.stderr).Level(l).With().Timestamp().Logger()
	return &logger, nil
}

// client runs some work with a client.
func (a *app) client(ctx context.Context, work func(c *acervo.Client) error) error {
	c, err := a.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(work(c), c.Close(context.WithoutCancel(ctx)))
}

// memory runs some work with the owner's memory.
func (a *app) memory(ctx context.Context, work func(m *acervo.Memory) error) error {
	owner := a.owner()
	if owner == "" {
		return &usageError{errors.New("whose memory? Give --owner or ACERVO_OWNER")}
	}
	return a.client(ctx, func(c *acervo.Client) error { return work(a.of(c, owner)) })
}

// shared is memory for reading; without an owner, only the UNIVERSAL layer is seen.
func (a *app) shared(ctx context.Context, work func(m *acervo.Memory) error) error {
	return a.client(ctx, func(c *acervo.Client) error { return work(a.of(c, a.owner())) })
}

func (a *app) of(c *acervo.Client, owner string) *acervo.Memory {
	if owner == "" {
		return c.World()
	}
	return c.Memory(owner).WithSession(a.setting("session", "ACERVO_SESSION", acervo.DefaultSession))
}
