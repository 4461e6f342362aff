package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) pack() *cobra.Command {
	cmd := group("pack", "Install, upgrade and remove packs of verified world knowledge")
	cmd.Long = `A pack is one file: JSON Lines compressed by gzip, the first of which is a
manifest with name, version, licence, attribution, counts and checksum.`
	cmd.AddCommand(a.packBuild(), a.packShow("inspect", "Show the manifest of a pack file", acervo.InspectPack),
		a.packShow("verify", "Check a whole pack file: format, items, counts and checksum", acervo.VerifyPack),
		a.packPut("install", "Store what a pack file holds, as verified UNIVERSAL knowledge"),
		a.packPut("upgrade", "Replace an installed pack by another version, and show what changes before"), a.packList(), a.packRemove())
	return cmd
}

func (a *app) packBuild() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "build DIR", Short: "Make a pack file of pack.json and items.jsonl", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var m *acervo.PackManifest
			dir := os.DirFS(args[0])
			if out == "" {
				return &usageError{fmt.Errorf("--out is needed: the file to write")}
			}
			if err := whole(out, 0o644, func(w io.Writer) (err error) {
				m, err = acervo.BuildPack(dir, w)
				return err
			}); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return a.print(m, func(w io.Writer) error { return printManifest(w, m) })
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the file to write")
	return cmd
}

func printManifest(w io.Writer, m *acervo.PackManifest) error {
	_, err := fmt.Fprintf(w, "%s %s\n  licence: %s\n  attribution: %s\n  source: %s\n  %d entities, %d relations, %d facts\n  sha256: %s\n",
		m.Name, printable(m.Version), printable(m.Licence), clean(m.Attribution), clean(m.Source), m.Counts.Entities, m.Counts.Relations, m.Counts.Facts, m.SHA256)
	return err
}

func (a *app) packShow(use, short string, read func(io.Reader) (*acervo.PackManifest, error)) *cobra.Command {
	return &cobra.Command{
		Use: use + " FILE", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return &usageError{err}
			}
			defer f.Close()
			m, err := read(f)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return a.print(m, func(w io.Writer) error { return printManifest(w, m) })
		},
	}
}

func (a *app) packPut(use, short string) *cobra.Command {
	var d destructive
	cmd := &cobra.Command{
		Use: use + " FILE", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return &usageError{err}
			}
			defer f.Close()
			if use == "install" {
				d.yes = true // nothing is taken away
			}
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				m, err := acervo.InspectPack(f)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return attempt(a, cmd, &d, func(dryRun bool) (*acervo.PackChanges, error) {
					step, end := a.progress("items", m.Counts.Entities+m.Counts.Relations+m.Counts.Facts)
					defer end()
					if _, err := f.Seek(0, io.SeekStart); err != nil {
						return nil, err
					}
					put := c.InstallPack
					if use == "upgrade" {
						put = c.UpgradePack
					}
					r, err := put(cmd.Context(), f, acervo.PackParams{DryRun: dryRun, Progress: step})
					end()
					if err != nil {
						return nil, fmt.Errorf("%s: %w", args[0], err)
					}
					return r, nil
				}, printChanges)
			})
		},
	}
	if use == "install" {
		cmd.Flags().BoolVar(&d.dryRun, "dry-run", false, "show what would be done and do nothing")
	} else {
		d.flags(cmd)
	}
	return cmd
}

func printChanges(w io.Writer, r *acervo.PackChanges) error {
	state := would(r.DryRun) + "installed"
	if r.From != "" && r.From != r.Pack.Version {
		state = would(r.DryRun) + "upgraded from " + printable(r.From)
	}
	fmt.Fprintf(w, "%s %s: %s\n", r.Pack.Name, printable(r.Pack.Version), state)
	var rows [][]string
	for _, c := range []struct {
		what string
		d    acervo.PackDifference
	}{{"entities", r.Entities}, {"relations", r.Relations}, {"facts", r.Facts}} {
		rows = append(rows, []string{c.what, count(c.d.Added), count(c.d.Changed), count(c.d.Same), count(c.d.Removed)})
	}
	if err := table(w, []string{"", "ADDED", "CHANGED", "SAME", "REMOVED"}, rows); err != nil {
		return err
	}
	for _, e := range r.Entities.Examples {
		fmt.Fprintf(w, "  %s\n", printable(e))
	}
	if r.Kept > 0 {
		fmt.Fprintf(w, "%d entities of the version before stay, as they are used\n", r.Kept)
	}
	return nil
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

func (a *app) packList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the installed packs", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				packs, err := c.Packs(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(packs, func(w io.Writer) error {
					rows := make([][]string, len(packs))
					for i, p := range packs {
						installed := "not complete"
						if p.InstalledAt != nil {
							installed = day(p.InstalledAt)
						}
						rows[i] = []string{p.Name, p.Version, count(p.Provides), installed, p.Licence, p.Attribution}
					}
					return table(w, []string{"PACK", "VERSION", "PROVIDES", "INSTALLED", "LICENCE", "ATTRIBUTION"}, rows)
				})
			})
		},
	}
}

func (a *app) packRemove() *cobra.Command {
	var d destructive
	cmd := &cobra.Command{
		Use: "remove NAME", Short: "Remove a pack: what no owner and no other pack uses", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				return attempt(a, cmd, &d, func(dryRun bool) (*acervo.PackRemoval, error) {
					step, end := a.progress("items", -1)
					r, err := c.RemovePack(cmd.Context(), args[0], acervo.PackParams{DryRun: dryRun, Progress: step})
					end()
					return r, err
				}, func(w io.Writer, r *acervo.PackRemoval) error {
					_, err := fmt.Fprintf(w, "%s: %d entities, %d relations and %d facts %sremoved; %d entities stay\n", r.Name, r.Entities, r.Relations, r.Facts, would(r.DryRun), r.Kept)
					return err
				})
			})
		},
	}
	d.flags(cmd)
	return cmd
}
