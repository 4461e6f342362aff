// Command server starts and ends a real Neo4j for `make up`, `make down` and
// `make demo`.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cmd/acervo/browser"
	"github.com/acervo-graph/acervo/integration/provision"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := &cobra.Command{Use: "server", Short: "A real Neo4j for trying things", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(
		&cobra.Command{Use: "up", Short: "Start Neo4j, or find the one that runs", Args: cobra.NoArgs, RunE: up},
		&cobra.Command{Use: "down", Short: "End what up started; data stays", Args: cobra.NoArgs, RunE: down},
		&cobra.Command{Use: "with -- COMMAND…", Short: "Run a command with the server of up", Args: cobra.MinimumNArgs(1), RunE: with},
	)
	root.AddCommand(&cobra.Command{Use: "guide-of-make-up PORT", Hidden: true, Args: cobra.ExactArgs(1), RunE: guide})
	if err := root.ExecuteContext(ctx); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			os.Exit(exit.ExitCode())
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func up(cmd *cobra.Command, _ []string) error {
	s, err := provision.Start(cmd.Context(), provision.Options{Persistent: true})
	if err != nil {
		return err
	}
	if err := provision.ServeGuide(s, provision.Options{}); err != nil && s.BrowserURL != "" {
		fmt.Println(err) // the server is what was asked for
	}
	fmt.Printf("Neo4j answers at %s (user %s, password %s)\n", s.URI, s.Username, shown(s.Password))
	if s.BrowserURL != "" {
		fmt.Printf("Neo4j Browser: %s\n", s.BrowserURL)
	}
	fmt.Printf("For the command line: export NEO4J_URI=%s NEO4J_USERNAME=%s NEO4J_PASSWORD=…\n", s.URI, s.Username)
	return nil
}

// shown gives the password that anybody can read in this repository, and no other.
func shown(password string) string {
	if password == provision.DefaultPassword {
		return password
	}
	return "as in NEO4J_PASSWORD"
}

func down(cmd *cobra.Command, _ []string) error {
	ended, err := provision.Down(cmd.Context(), provision.Options{})
	for _, line := range ended {
		fmt.Println(line)
	}
	if err == nil && len(ended) == 0 {
		fmt.Println("nothing to end: make up has started nothing that runs")
	}
	return err
}

// guide serves the guide of Browser until it is ended. It is started by up.
func guide(cmd *cobra.Command, args []string) error {
	l, err := net.Listen("tcp", "127.0.0.1:"+args[0])
	if err != nil {
		return err
	}
	client, err := acervo.Open(cmd.Context(), acervo.Config{URI: os.Getenv("NEO4J_URI"), Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD")})
	if err != nil {
		return err
	}
	defer client.Close(cmd.Context())
	site := browser.Site{Owner: "sandy", Session: "demo", Types: browser.Types(client)}
	return site.Serve(cmd.Context(), l)
}

// with runs a command with the server's address in its environment.
func with(cmd *cobra.Command, args []string) error {
	s, err := provision.Start(cmd.Context(), provision.Options{Persistent: true})
	if err != nil {
		return err
	}
	child := exec.CommandContext(cmd.Context(), args[0], args[1:]...)
	child.Env = append(os.Environ(), "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password, "NEO4J_BROWSER_URL="+s.BrowserURL)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	return child.Run()
}
