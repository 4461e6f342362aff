package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
)

func (a *app) query() *cobra.Command {
	var p acervo.QueryParams
	var params []string
	var document string
	var schema bool
	cmd := &cobra.Command{
		Use: "query CYPHER|-", Short: "Run one Cypher statement that only reads, of every owner's memory", Args: cobra.MaximumNArgs(1),
		Long: `Runs one Cypher statement, or the one on standard input, if the server plans it as
one that only reads. It sees every owner's memory and whatever else the user of
the database may read, so it is for administrators: --owner and --session do
nothing here. The other commands are for what one owner sees.

Refused (exit code 5) are writing, LOAD CSV, SHOW and administration, USE, EXPLAIN,
PROFILE, CALL … IN TRANSACTIONS, functions that don't come with Neo4j, and all
procedures but
  ` + strings.Join(acervo.QueryProcedures(), "\n  ") + `

With --json, values that JSON doesn't have are objects with one key: node,
relationship, path, time, date, duration, point, bytes, float, …; see docs/query.md.
--schema prints what a model needs to write such statements.`,
		Example: `  acervo query 'MATCH (e:AcervoEntity) RETURN e.type, count(*) ORDER BY e.type'
  acervo query --param owner=sandy 'MATCH (e:AcervoEntity {owner: $owner}) RETURN e.label'
  acervo query --param-json '{"ids": ["ana", "roca"]}' --json - < statement.cypher
  acervo query --schema`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case schema && len(args) > 0:
				return &usageError{errors.New("--schema takes no statement")}
			case schema:
				return a.querySchema(cmd)
			case len(args) == 0:
				return &usageError{errors.New("which statement? Give it, or - for standard input")}
			}
			var err error
			if p.Cypher, err = statement(args[0], cmd.InOrStdin()); err != nil {
				return err
			}
			if p.Params, err = queryParams(params, document); err != nil {
				return &usageError{err}
			}
			return a.client(cmd.Context(), func(c *acervo.Client) error {
				r, err := c.Query(cmd.Context(), p)
				if err != nil {
					return err
				}
				if r.Truncated != "" {
					fmt.Fprintf(a.stderr, "truncated: there are more than these %d rows (--max-%s)\n", len(r.Rows), r.Truncated)
				}
				return a.print(r, func(w io.Writer) error { return printRows(w, r) })
			})
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&params, "param", nil, "parameter NAME=TEXT, a string; may be given again")
	f.StringVar(&document, "param-json", "", "parameters of any kind, as a JSON object")
	f.IntVar(&p.MaxRows, "max-rows", 1000, "how many rows are shown, at most 100000")
	f.IntVar(&p.MaxBytes, "max-bytes", 1<<20, "how many bytes the rows may have as JSON, at most 67108864")
	f.DurationVar(&p.Timeout, "timeout", 0, "how long it may take, at most 10m (default 10s)")
	f.BoolVar(&schema, "schema", false, "print what a model needs to write statements, instead of running one")
	return cmd
}

func (a *app) querySchema(cmd *cobra.Command) error {
	return a.client(cmd.Context(), func(c *acervo.Client) error {
		r, err := c.QuerySchema(cmd.Context(), acervo.QuerySchemaParams{})
		if err != nil {
			return err
		}
		return a.print(r, func(w io.Writer) error {
			_, err := io.WriteString(w, r.Text)
			return err
		})
	})
}

// statement gives the text of an argument, or that on standard input for "-".
func statement(arg string, stdin io.Reader) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	const most = 64 << 10 // and one more, so that a longer text is told as that
	text, err := io.ReadAll(io.LimitReader(stdin, most+1))
	return string(text), err
}

// queryParams gives the parameters of the command line, which may name each once.
func queryParams(params []string, document string) (map[string]any, error) {
	values := map[string]any{}
	if document != "" {
		d := json.NewDecoder(strings.NewReader(document))
		d.UseNumber()
		if err := d.Decode(&values); err != nil || values == nil {
			return nil, errors.New("--param-json isn't a JSON object")
		}
		if d.More() {
			return nil, errors.New("--param-json is more than one JSON object")
		}
	}
	for _, p := range params {
		name, text, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--param %q isn't NAME=TEXT", p)
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("the parameter %q is given twice", name)
		}
		values[name] = text
	}
	return values, nil
}

// printRows prints a table. A string is itself, everything else is as JSON has it.
func printRows(w io.Writer, r *acervo.QueryResult) error {
	headings := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		headings[i] = printable(c)
	}
	rows := make([][]string, len(r.Rows))
	for i, row := range r.Rows {
		text, err := row.MarshalJSON()
		if err != nil {
			return err
		}
		var values []json.RawMessage
		if err := json.Unmarshal(text, &values); err != nil {
			return err
		}
		rows[i] = make([]string, len(values))
		for j, v := range values {
			rows[i][j] = string(v)
			if s, ok := row[j].(string); ok {
				rows[i][j] = s
			}
		}
	}
	return table(w, headings, rows)
}
