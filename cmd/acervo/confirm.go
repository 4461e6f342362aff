package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/acervo-graph/acervo/acervo"
)

// destructive are the flags of a command that removes or shares something.
type destructive struct{ yes, dryRun bool }

func (d *destructive) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&d.yes, "yes", false, "don't ask; needed where standard input is no terminal")
	cmd.Flags().BoolVar(&d.dryRun, "dry-run", false, "show what would be done and do nothing")
}

// confirm asks before something is done, unless --yes was given. show tells on
// standard error what would be done.
func (d *destructive) confirm(a *app, cmd *cobra.Command, show func(w io.Writer) error) error {
	if d.yes {
		return nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return &usageError{fmt.Errorf("%s needs --yes here, since standard input is no terminal; --dry-run shows what it would do", cmd.CommandPath())}
	}
	if err := show(a.stderr); err != nil {
		return err
	}
	fmt.Fprint(a.stderr, "Do it? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "s", "sí", "si":
		return nil
	}
	return errors.New("nothing was done")
}

// attempt runs a dry run, and, unless that is all that is wanted, asks and runs
// the work itself. It prints the last result.
func attempt[R any](a *app, cmd *cobra.Command, d *destructive, work func(dryRun bool) (R, error), text func(w io.Writer, r R) error) error {
	if d.dryRun || !d.yes {
		planned, err := work(true)
		if err != nil {
			return err
		}
		if d.dryRun {
			return a.print(planned, func(w io.Writer) error { return text(w, planned) })
		}
		if err := d.confirm(a, cmd, func(w io.Writer) error { return text(w, planned) }); err != nil {
			return err
		}
	}
	done, err := work(false)
	if err != nil {
		return err
	}
	return a.print(done, func(w io.Writer) error { return text(w, done) })
}

// would says whether something was done or would be.
func would(dryRun bool) string {
	if dryRun {
		return "would be "
	}
	return ""
}

// progress gives a function that shows how many items of a total are done, if
// standard error is a terminal, and one that clears it. A total of -1 is unknown.
func (a *app) progress(what string, total int64) (step func(n int64), end func()) {
	f, ok := a.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions64(total, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(total > 0))
	return func(n int64) { _ = bar.Set64(n) }, func() { _ = bar.Clear() }
}

// scoped runs work with the owner's memory, or, if --universal is given, with the
// UNIVERSAL layer.
func (a *app) scoped(cmd *cobra.Command, universal bool, work func(m *acervo.Memory) error) error {
	if !universal {
		return a.memory(cmd.Context(), work)
	}
	return a.client(cmd.Context(), func(c *acervo.Client) error { return work(c.World()) })
}

func universalFlag(cmd *cobra.Command, universal *bool) {
	cmd.Flags().BoolVar(universal, "universal", false, "work on the UNIVERSAL layer, for all owners, instead of the owner's")
}

// timeFlag is a flag for a time: RFC 3339, or a day, which begins in UTC.
type timeFlag struct{ time.Time }

// String implements pflag.Value.
func (t *timeFlag) String() string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// Set implements pflag.Value.
func (t *timeFlag) Set(s string) error {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if parsed, err := time.Parse(layout, s); err == nil {
			t.Time = parsed
			return nil
		}
	}
	return errors.New("is neither like 2026-03-01T12:00:00Z nor like 2026-03-01")
}

// Type implements pflag.Value.
func (t *timeFlag) Type() string { return "time" }

// asOf is a memory as it was at the flag's time.
func (t *timeFlag) asOf(m *acervo.Memory) *acervo.Memory {
	if t.IsZero() {
		return m
	}
	return m.AsOf(t.Time)
}
