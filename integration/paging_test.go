package integration

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// TestPages reads lists in pages of every size and compares them with one page.
func TestPages(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	place := owner + " place"
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}})
	t.Cleanup(func() {
		query(t, "MATCH (n:AcervoEntity {owner: 'world', label: $l}) DETACH DELETE n", map[string]any{"l": place})
	})
	var batch acervo.UpsertParams
	for i := range 9 {
		name := fmt.Sprint("P", i)
		batch.Relations = append(batch.Relations,
			acervo.Relation{From: "Centro", To: name, Type: "CONOCE_A"}, acervo.Relation{From: name, To: "Centro", Type: "CONOCE_A"},
			acervo.Relation{From: "Centro", To: name, Type: "uses (v2)"}, acervo.Relation{From: name, To: place, Type: "VIVE_EN"})
	}
	upsert(t, m, batch)

	lists := map[string]struct {
		total int
		page  func(limit int, after string) (items []string, next string, err error)
	}{
		"relations": {36, func(limit int, after string) (items []string, next string, err error) {
			r, err := m.Relations(t.Context(), acervo.RelationsParams{Layer: layers.Personal, Limit: limit, After: after})
			if err != nil {
				return nil, "", err
			}
			for _, x := range r.Relations {
				items = append(items, x.From.ID+" "+x.Type+" "+x.To.ID)
			}
			return items, r.Next, nil
		}},
		"neighbors": {27, func(limit int, after string) (items []string, next string, err error) {
			r, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: "Centro", Limit: limit, After: after})
			if err != nil {
				return nil, "", err
			}
			for _, x := range r.Relations {
				items = append(items, fmt.Sprint(x.Type, " ", x.Outgoing, " ", x.Neighbor.ID))
			}
			return items, r.Next, nil
		}},
		"neighbors of a UNIVERSAL entity": {9, func(limit int, after string) (items []string, next string, err error) {
			r, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: place, Limit: limit, After: after})
			if err != nil {
				return nil, "", err
			}
			for _, x := range r.Relations {
				items = append(items, x.Neighbor.ID)
			}
			return items, r.Next, nil
		}},
		"hot nodes": {11, func(limit int, after string) (items []string, next string, err error) {
			r, err := m.Nodes(t.Context(), acervo.NodesParams{Activation: layers.Hot, Limit: limit, After: after})
			if err != nil {
				return nil, "", err
			}
			for _, x := range r.Nodes {
				items = append(items, x.ID)
			}
			return items, r.Next, nil
		}},
		"incomplete nodes": {10, func(limit int, after string) (items []string, next string, err error) {
			r, err := m.Nodes(t.Context(), acervo.NodesParams{Layer: layers.Personal, Status: layers.Incomplete, Limit: limit, After: after})
			if err != nil {
				return nil, "", err
			}
			for _, x := range r.Nodes {
				items = append(items, x.ID)
			}
			return items, r.Next, nil
		}},
	}
	for name, list := range lists {
		t.Run(name, func(t *testing.T) {
			whole, next, err := list.page(1000, "")
			if err != nil || next != "" || len(whole) != list.total {
				t.Fatalf("one page holds %d items, then %q, %v", len(whole), next, err)
			}
			for _, limit := range []int{1, 4, 7, list.total - 1, list.total} {
				var all []string
				for after, pages := "", 0; ; pages++ {
					items, next, err := list.page(limit, after)
					if err != nil || len(items) > limit || pages > list.total {
						t.Fatalf("pages of %d: %d items on page %d, %v", limit, len(items), pages, err)
					}
					all = append(all, items...)
					if after = next; after == "" {
						break
					}
				}
				if strings.Join(all, "\n") != strings.Join(whole, "\n") {
					t.Errorf("pages of %d:\n%v\nwant\n%v", limit, all, whole)
				}
			}
			if _, _, err := list.page(1001, ""); !errors.Is(err, acervo.ErrInvalid) {
				t.Errorf("a page of 1,001: %v", err)
			}
			if _, _, err := list.page(1, "nonsense"); !errors.Is(err, acervo.ErrInvalid) {
				t.Errorf("a page after nonsense: %v", err)
			}
		})
	}
}
