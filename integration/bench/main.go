// Command bench compares Acervo with hand-written driver code that does the same
// work in the same run, and reports the ratios: `make bench`.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"github.com/acervo-graph/acervo/integration/provision"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var o options
	flag.IntVar(&o.rounds, "rounds", 7, "how many rounds of each side are measured, at least 5")
	flag.StringVar(&o.run, "run", "", "a regular expression of the scenarios that are run; default: all")
	flag.IntVar(&o.entities, "entities", 10_000, "how many entities a bulk load has, with twice as many facts and relations")
	flag.IntVar(&o.large, "large", 1_000_000, "how many entities the graph grows to in the scenarios of growth")
	flag.IntVar(&o.hub, "hub", 100_000, "how many relationships a hub has, with a tenth as many facts or other owners")
	flag.IntVar(&o.calls, "calls", 50, "how many calls of each side a round of a small operation has")
	flag.BoolVar(&o.json, "json", false, "write JSON instead of a table")
	flag.Parse()
	if err := o.bench(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

type options struct {
	rounds, entities, large, hub, calls int
	run                                 string
	json                                bool
}

func (o options) bench(ctx context.Context, out, log io.Writer) (err error) {
	if o.rounds < 5 {
		return errors.New("-rounds: fewer than 5 say nothing")
	}
	if o.entities < 100 || o.large < 200 || o.hub < 100 || o.calls < 1 {
		return errors.New("-entities, -large, -hub or -calls is too small")
	}
	wanted, err := regexp.Compile(o.run)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	list := slices.DeleteFunc(scenarios(), func(s scenario) bool { return !wanted.MatchString(s.name) })
	if len(list) == 0 {
		return fmt.Errorf("-run: no scenario is called like %q", o.run)
	}
	server, err := provision.Start(ctx, provision.Options{Progress: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	driver, err := connect(server)
	if err != nil {
		return err
	}
	defer driver.Close(context.WithoutCancel(ctx))
	b, err := newBench(ctx, driver, "bench-"+strings.ToLower(rand.Text()[:8]), log)
	if err != nil {
		return err
	}
	b.rounds, b.entities, b.large, b.hub, b.calls = o.rounds, o.entities, o.large, o.hub, o.calls
	defer func() {
		fmt.Fprintln(log, "removing what was made")
		cleaning, stop := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Minute)
		defer stop()
		err = errors.Join(err, b.clean(cleaning))
	}()
	var rows []*row
	if err := b.run(ctx, list, func(r *row) { rows = append(rows, r) }); err != nil {
		return err
	}
	machine, err := describe(ctx, driver)
	if err != nil {
		return err
	}
	if !o.json {
		writeTable(out, machine, rows)
		return nil
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"machine": machine, "rounds": o.rounds, "rows": rows})
}

// connect makes a driver that both sides use.
func connect(server *provision.Server) (neo4j.DriverWithContext, error) {
	auth := neo4j.NoAuth()
	if server.Username != "" {
		auth = neo4j.BasicAuth(server.Username, server.Password, "")
	}
	return neo4j.NewDriverWithContext(server.URI, auth, func(c *config.Config) {
		c.NotificationsMinSeverity = notifications.DisabledLevel
		c.TelemetryDisabled = true
	})
}

// describe names the machine and the server.
func describe(ctx context.Context, driver neo4j.DriverWithContext) (string, error) {
	info, err := driver.GetServerInfo(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, %s", info.Agent(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), time.Now().Format(time.DateOnly)), nil
}
