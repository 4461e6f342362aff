package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) load() *cobra.Command {
	var p acervo.LoadParams
	var rejects string
	cmd := &cobra.Command{
		Use: "load FILE…|-", Short: "Store documents in bulk, one a line, of any size of input",
		Long: `Stores documents as upsert reads them, one a line, in transactions of many items,
without touching a session. A line without an owner is for
--owner or ACERVO_OWNER. Lines that can't be stored are left out and written to a
file with the reason, and the exit code is 0, or 2 if nothing could be stored;
with --strict, the first one ends the load. A load that leaves out no line removes
the file that an earlier one wrote there. After an interruption, the same load
again completes it.

  {"entities":[["Sandy","Persona"],{"name":"Butaco","type":"Proyecto"}]}
  {"relations":[["Sandy","Butaco","DUEÑO_DE"]],"facts":[["Sandy","Sandy vive lejos"]]}`,
		Args: cobra.MinimumNArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&rejects, "rejects", "", "where lines go that can't be stored (default the first FILE with .rejects.jsonl, or load.rejects.jsonl)")
	f.BoolVar(&p.Strict, "strict", false, "end at the first line that can't be stored")
	f.IntVar(&p.Parallel, "parallel", 0, "transactions that store entities at once, from 1 to 64 (default 4)")
	f.IntVar(&p.BatchSize, "batch-size", 0, "items of a transaction at the most, from 50 to 20000 (default 5000)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if rejects == "" {
			if rejects = args[0] + ".rejects.jsonl"; args[0] == "-" {
				rejects = "load.rejects.jsonl"
			}
		}
		if err := checkRejects(rejects, args, cmd.InOrStdin()); err != nil {
			return err
		}
		inputs, size, err := a.inputs(cmd, args)
		if err != nil {
			return err
		}
		defer func() {
			for _, in := range inputs {
				_ = in.Close() // they were only read
			}
		}()
		p.Owner = a.owner()
		out := &rejected{path: rejects}
		p.Rejects = out
		all := &acervo.LoadResult{}
		start := time.Now()
		err = a.client(cmd.Context(), func(c *acervo.Client) error {
			step, end := a.progress("bytes", size)
			defer end()
			for i, in := range inputs {
				before := *all
				p.Name = args[i]
				if step != nil {
					p.Progress = func(r acervo.LoadResult) { step(before.Bytes + r.Bytes) }
				}
				r, err := c.Load(cmd.Context(), in, p)
				if r != nil {
					add(all, r)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", args[i], err)
				}
			}
			return nil
		})
		if err := errors.Join(err, out.Close()); err != nil {
			if all.Lines > 0 {
				fmt.Fprintf(a.stderr, "%d lines were read before that; the same load again completes it\n", all.Lines)
			}
			return err
		}
		items := all.Entities.Read + all.Relations.Read + all.Facts.Read
		var nothing error
		switch {
		case all.Rejected == 0:
			if err := removeRejects(rejects); err != nil {
				return err
			}
		case items == 0:
			nothing = &usageError{fmt.Errorf("nothing was stored: %d of %d lines can't be, see %s", all.Rejected, all.Lines, printable(rejects))}
		default:
			fmt.Fprintf(a.stderr, "%d of %d lines can't be stored: see %s\n", all.Rejected, all.Lines, printable(rejects))
		}
		return errors.Join(nothing, a.print(all, func(w io.Writer) error {
			for _, c := range []struct {
				what   string
				counts acervo.ImportCounts
			}{{"entities", all.Entities}, {"relations", all.Relations}, {"facts", all.Facts}} {
				fmt.Fprintf(w, "%-9s %d read, %d created, %d matched\n", c.what, c.counts.Read, c.counts.Created, c.counts.Matched)
			}
			took := time.Since(start)
			_, err := fmt.Fprintf(w, "%d lines in %s, %.0f items a second\n", all.Lines, took.Round(time.Millisecond),
				float64(items)/took.Seconds())
			return err
		}))
	}
	return cmd
}

// checkRejects refuses a file for rejects that is also read, by whatever name.
func checkRejects(rejects string, args []string, stdin io.Reader) error {
	out, err := os.Stat(rejects)
	same := func(in os.FileInfo) bool { return err == nil && out.Mode().IsRegular() && os.SameFile(out, in) }
	for _, name := range args {
		var is bool
		if f, ok := stdin.(*os.File); name == "-" && ok {
			in, err := f.Stat()
			is = err == nil && same(in)
		} else if name != "-" {
			in, err := os.Stat(name)
			is = err == nil && same(in) || absolute(name) == absolute(rejects)
		}
		if is {
			return &usageError{fmt.Errorf("%s is an input, lines that can't be stored need another file: see --rejects", printable(rejects))}
		}
	}
	return nil
}

// absolute is a file's name from the root, without detours.
func absolute(name string) string {
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return filepath.Clean(name)
}

// removeRejects removes what an earlier load wrote, as it isn't so any more. What
// is no regular file stays.
func removeRejects(path string) error {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return os.Remove(path)
}

// inputs opens all files before the first is read, and gives their size in bytes,
// -1 if it isn't known.
func (a *app) inputs(cmd *cobra.Command, args []string) ([]io.ReadCloser, int64, error) {
	var inputs []io.ReadCloser
	size := int64(0)
	for _, name := range args {
		if name == "-" {
			inputs, size = append(inputs, io.NopCloser(cmd.InOrStdin())), -1
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, 0, &usageError{err}
		}
		inputs = append(inputs, f)
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			size = -1
		} else if size >= 0 {
			size += info.Size()
		}
	}
	return inputs, size, nil
}

func add(all, r *acervo.LoadResult) {
	all.Lines, all.Bytes, all.Rejected = all.Lines+r.Lines, all.Bytes+r.Bytes, all.Rejected+r.Rejected
	for _, c := range []struct{ to, from *acervo.ImportCounts }{{&all.Entities, &r.Entities}, {&all.Relations, &r.Relations}, {&all.Facts, &r.Facts}} {
		c.to.Read, c.to.Created, c.to.Matched = c.to.Read+c.from.Read, c.to.Created+c.from.Created, c.to.Matched+c.from.Matched
	}
}

// rejected is a file that is made when the first line is written to it.
type rejected struct {
	path string
	f    *os.File
}

// Write implements [io.Writer].
func (r *rejected) Write(line []byte) (n int, err error) {
	if r.f == nil {
		if r.f, err = os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return 0, err
		}
	}
	return r.f.Write(line)
}

// Close closes the file, if there is one.
func (r *rejected) Close() error {
	if r.f == nil {
		return nil
	}
	return r.f.Close()
}
