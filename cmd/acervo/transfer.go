package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) export() *cobra.Command {
	format := string(acervo.FormatJSONLines)
	cmd := &cobra.Command{
		Use: "export [FILE|-]", Short: "Write the owner's memory, or the UNIVERSAL layer, to a file", Args: cobra.MaximumNArgs(1),
		Long: `Writes what is the owner's own; without an owner, the UNIVERSAL layer. Formats:

  jsonl        everything, with times and history; "acervo import jsonl" reads it
  cypher       a script for cypher-shell that makes the same graph elsewhere
  graphml      current entities, facts and relations, with attributes
  mermaid      a diagram
  acervo-json  nodes.json and edges.json of the Python original; FILE is a folder

A file is complete or not there.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains([]string{"jsonl", "cypher", "graphml", "mermaid", "acervo-json"}, format) {
				return &usageError{fmt.Errorf("--format %q is none of jsonl, cypher, graphml, mermaid and acervo-json", format)}
			}
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				step, end := a.progress("items written", -1)
				defer end()
				var r *acervo.ExportResult
				var err error
				switch {
				case format == "acervo-json" && len(args) == 0:
					return &usageError{errors.New("acervo-json needs a folder to write to")}
				case format == "acervo-json":
					r, err = a.exportOriginal(cmd, m, args[0])
				case len(args) == 0 || args[0] == "-":
					if a.json {
						return &usageError{errors.New("--json needs a file to export to, since standard output is for the result then")}
					}
					_, err := m.Export(cmd.Context(), a.stdout, acervo.ExportParams{Format: acervo.ExportFormat(format), Progress: step})
					return err
				default:
					err = whole(args[0], private, func(f io.Writer) (err error) {
						r, err = m.Export(cmd.Context(), f, acervo.ExportParams{Format: acervo.ExportFormat(format), Progress: step})
						return err
					})
				}
				if err != nil {
					return err
				}
				end()
				return a.print(r, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%d entities, %d facts, %d relations\n", r.Entities+r.Shared, r.Facts, r.Relations)
					return err
				})
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "jsonl, cypher, graphml, mermaid or acervo-json")
	return cmd
}

func (a *app) exportOriginal(cmd *cobra.Command, m *acervo.Memory, dir string) (r *acervo.ExportResult, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	err = whole(filepath.Join(dir, "nodes.json"), private, func(nodes io.Writer) error {
		return whole(filepath.Join(dir, "edges.json"), private, func(edges io.Writer) (err error) {
			r, err = m.ExportAcervoJSON(cmd.Context(), nodes, edges)
			return err
		})
	})
	return r, err
}

// private is the mode of a new file that holds what somebody said.
const private = 0o600

// whole writes a file beside its place and puts it there when it is complete. A
// file that is there keeps its mode, a link leads to where it led; a pipe or a
// device is written to.
func whole(path string, mode os.FileMode, write func(w io.Writer) error) error {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	case err == nil:
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	default:
		if target, err := os.Readlink(path); err == nil { // of a link to nothing yet
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(path), target)
			}
			path = target
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is there once it is renamed
	if err := errors.Join(write(f), f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (a *app) importLines() *cobra.Command {
	var p acervo.ImportParams
	cmd := &cobra.Command{
		Use: "jsonl FILE|-", Short: "Import what acervo export wrote as JSON Lines", Args: cobra.ExactArgs(1),
		Long: `Imports an export with its ids, times and history, into the memory of --owner or
ACERVO_OWNER; without an owner, into the UNIVERSAL layer. What is there stays as
it is. Of a file, every line is checked before the first is stored.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return &usageError{err}
				}
				defer f.Close()
				in = f
			}
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				step, end := a.progress("lines stored", -1)
				defer end()
				p.Progress = step
				r, err := m.Import(cmd.Context(), in, p)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				end()
				return a.print(r, func(w io.Writer) error {
					for _, c := range []struct {
						what   string
						counts acervo.ImportCounts
					}{{"shared", r.Shared}, {"entities", r.Entities}, {"aliases", r.Aliases}, {"facts", r.Facts}, {"relations", r.Relations}, {"ended", r.Ended}, {"sessions", r.Sessions}} {
						fmt.Fprintf(w, "%-9s %d read, %d created, %d matched\n", c.what, c.counts.Read, c.counts.Created, c.counts.Matched)
					}
					return nil
				})
			})
		},
	}
	cmd.Flags().BoolVar(&p.AnyOwner, "any-owner", false, "take an export of another owner as this owner's own")
	return cmd
}
