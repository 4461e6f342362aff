package main

import (
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/mcp"
)

func (a *app) mcp() *cobra.Command {
	var opts mcp.Options
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve the owner's memory to language models, by the Model Context Protocol", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			logger, err := a.logger("info")
			if err != nil {
				return err
			}
			opts.Logger, opts.Version = logger, programVersion()
			opts.Session = a.setting("session", "ACERVO_SESSION", acervo.DefaultSession)
			owner := a.owner()
			if owner == "" {
				return &usageError{errors.New("whose memory? Give --owner or ACERVO_OWNER")}
			}
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				if _, err := c.CheckSchema(cmd.Context()); err != nil { // before anything is promised
					return err
				}
				return a.serveStdio(cmd, mcp.NewServer(c, owner, &opts))
			})
		},
	}
	cmd.Flags().BoolVar(&opts.ReadOnly, "read-only", false, "leave out every tool that changes something")
	return cmd
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
