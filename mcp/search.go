package mcp

import (
	"context"

	"github.com/acervo-graph/acervo/acervo"
)

type searchInput struct {
	Text   string `json:"text" jsonschema:"what to look for, in a few words of any language; it is no query language"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many entities; 10 if left out"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many entities to pass over, for the next page"`
}

func (s *service) addSearch() {
	add(s, tool[searchInput, acervo.SearchResult]{
		name: "search", title: "Search",
		description: "Finds entities by the words of their names and of the facts about them, best first; case, accents and forms of words don't matter. " +
			"Call it where the exact name isn't known, then node with the id of what it found.",
		example: searchInput{Text: "ERP that goes live in May"},
		schema: func(f fields) {
			f.between("limit", 1, 50)
			f.between("offset", 0, 450)
		},
		run: func(ctx context.Context, _ call, in searchInput) (*acervo.SearchResult, string, error) {
			r, err := s.memory.Search(ctx, acervo.SearchParams{Text: in.Text, Limit: in.Limit, Offset: in.Offset})
			if err != nil {
				return nil, "", err
			}
			return r, hitsText(r, in.Offset), nil
		},
	})
}

func hitsText(r *acervo.SearchResult, offset int) string {
	if len(r.Hits) == 0 {
		return "Nothing is found. Try other words, or one of them."
	}
	var l lines
	for _, h := range r.Hits {
		l.heading(h.Node)
		l.aliases(h.Node)
		for _, f := range h.Facts {
			l.fact(f)
		}
	}
	if r.More {
		l.add("There are more: call search again with offset %d.", offset+len(r.Hits))
	}
	return l.text()
}
