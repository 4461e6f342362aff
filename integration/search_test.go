package integration

import (
	"testing"

	"github.com/acervo-graph/acervo/acervo"
)

func TestSearch(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	if _, err := m.UpsertEntities(t.Context(), acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Zoë Muñoz", Type: "Persona"}, {Name: "tb-foo", Type: "Proyecto", Aliases: []string{"the ERP"}}, {Name: "C++", Type: "Tecnologia"}, {Name: "C", Type: "Tecnologia"}, {Name: "The Who", Type: "Organizacion"}},
		Facts:    []acervo.Fact{{Entity: "Zoë Muñoz", Text: "escribió una canción"}, {Entity: "tb-foo", Text: "two instruments"}},
	}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"zoe munoz", "canciones", "instrument", "tb-", "C++", "erp", "the who", "AND", "\"", "(x", "*", "who"} {
		r, err := m.Search(t.Context(), acervo.SearchParams{Text: text})
		if err != nil {
			t.Error(text, err)
			continue
		}
		for _, h := range r.Hits {
			t.Log(text, h.Node.ID, h.Score, h.Named, h.Highlights)
		}
	}
}
