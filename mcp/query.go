package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/acervo-graph/acervo/acervo"
)

type queryInput struct {
	Cypher  string         `json:"cypher" jsonschema:"one Cypher statement that only reads; values belong into params, as $name"`
	Params  map[string]any `json:"params,omitempty" jsonschema:"the values of its parameters, by their names without the dollar sign"`
	MaxRows int            `json:"max_rows,omitempty" jsonschema:"how many rows; 100 if left out"`
}

// maxQueryBytes bounds the rows that a model is given.
const maxQueryBytes = 128 << 10

func (s *service) addQuery() {
	add(s, tool[queryInput, acervo.QueryResult]{
		name: "query", title: "Ask in Cypher",
		description: "Runs one Cypher statement that only reads, on the whole database: it sees every user's memory. " +
			"Call query_schema first, which says how the graph is stored. Use it for counts and patterns that no other tool gives.",
		example: queryInput{Cypher: "MATCH (e:AcervoEntity {owner: $owner}) RETURN e.type AS type, count(*) AS n ORDER BY n DESC", Params: map[string]any{"owner": "ada"}},
		schema:  func(f fields) { f.between("max_rows", 1, 1000) },
		run: func(ctx context.Context, c call, in queryInput) (*acervo.QueryResult, string, error) {
			params, err := c.params()
			if err != nil {
				return nil, "", err
			}
			if in.MaxRows == 0 {
				in.MaxRows = 100
			}
			r, err := s.client.Query(ctx, acervo.QueryParams{Cypher: in.Cypher, Params: params, MaxRows: in.MaxRows, MaxBytes: maxQueryBytes})
			if err != nil {
				return nil, "", err
			}
			text, err := rowsText(r)
			return r, text, err
		},
	})
}

// params are the parameters of a statement, with numbers as they were written.
func (c call) params() (map[string]any, error) {
	var in struct{ Params map[string]any }
	d := json.NewDecoder(bytes.NewReader(c.arguments))
	d.UseNumber()
	err := d.Decode(&in)
	return in.Params, err
}

// rowsText gives each row as JSON has it, in a line.
func rowsText(r *acervo.QueryResult) (string, error) {
	var l lines
	l.add("%s", names(r.Columns, oneLine))
	for _, row := range r.Rows {
		text, err := row.MarshalJSON()
		if err != nil {
			return "", err
		}
		l.add("%s", text)
	}
	switch {
	case r.Truncated == "rows":
		l.add("There are more rows: ask for less, or raise max_rows.")
	case r.Truncated != "":
		l.add("There are more rows than fit: ask for less of each.")
	case len(r.Rows) == 0:
		l.add("No rows.")
	}
	return l.text(), nil
}

func (s *service) addQuerySchema() {
	add(s, tool[struct{}, acervo.QuerySchemaResult]{
		name: "query_schema", title: "How the graph is stored",
		description: "Says what labels, properties and relationships the graph has, and how to ask for what is current. Call it once before the first query.",
		run: func(ctx context.Context, _ call, _ struct{}) (*acervo.QuerySchemaResult, string, error) {
			r, err := s.client.QuerySchema(ctx, acervo.QuerySchemaParams{})
			if err != nil {
				return nil, "", err
			}
			text := r.Text
			if r.Omitted > 0 {
				text += fmt.Sprintf("\n(%d types and relations are left out)", r.Omitted)
			}
			return r, text, nil
		},
	})
}
