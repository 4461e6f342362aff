package main

import (
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cmd/acervo/browser"
)

func (a *app) browser() *cobra.Command {
	var port int
	cmd := &cobra.Command{
		Use: "browser", Short: "Serve a style and a guide for Neo4j Browser until interrupted", Args: cobra.NoArgs,
		Long: `Serves the style of this memory and a guide of queries about the owner on a
port of this machine, and says what to paste into Neo4j Browser. The style has a
rule for each type of the ontology. Nothing that is remembered is served.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				site := browser.Site{Owner: a.owner(), Session: a.setting("session", "ACERVO_SESSION", acervo.DefaultSession), Types: browser.Types(c)}
				if _, err := site.Types(cmd.Context()); err != nil { // before anything is promised
					return err
				}
				l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
				if err != nil {
					return &usageError{err}
				}
				address := fmt.Sprintf("http://localhost:%d", l.Addr().(*net.TCPAddr).Port)
				fmt.Fprintf(a.stdout, "Open Neo4j Browser of your server (mostly http://localhost:7474/browser/), connect, and paste:\n\n  :style %s/style.grass\n  :guide %s/guide.html\n\nServing until you press Ctrl-C.\n", address, address)
				return site.Serve(cmd.Context(), l)
			})
		},
	}
	cmd.Flags().IntVar(&port, "port", 0, "port of this machine (default any that is free)")
	return cmd
}
