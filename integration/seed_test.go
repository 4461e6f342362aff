package integration

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// seedNode is a node as expected.json has it.
type seedNode struct {
	ID         string     `json:"id"`
	Label      string     `json:"label"`
	Type       string     `json:"type"`
	Layer      string     `json:"layer"`
	Owner      *string    `json:"owner"`
	Source     string     `json:"source"`
	Confidence float64    `json:"confidence_for_owner"`
	Status     string     `json:"status"`
	Pending    []string   `json:"pending_fields"`
	Facts      []seedFact `json:"facts"`
}

type seedFact struct {
	Fact   string `json:"fact"`
	Source string `json:"source"`
}

// TestSeed plays the reference behaviour, node for node. The owner of the files
// is replaced by one of the test's own.
func TestSeed(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	text, err := os.ReadFile("testdata/seed/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string]json.RawMessage // a key holds a comma, which no tag can
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	var expected struct {
		All struct {
			Nodes     []seedNode  `json:"nodes"`
			Relations [][4]string `json:"relations"`
		}
		After05, After06, After07 seedNode
	}
	for key, v := range map[string]any{
		"after 01..04, every node hot for sandy": &expected.All,
		"after 05":                               &expected.After05, "after 06": &expected.After06, "after 07": &expected.After07,
	} {
		if err := json.Unmarshal(parts[key], v); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	if len(expected.All.Nodes) != 6 || len(expected.All.Relations) != 5 {
		t.Fatalf("expected.json was read as %+v", expected)
	}
	for i := 1; i <= 4; i++ {
		playSeed(t, m, i)
	}
	hot, err := m.Nodes(t.Context(), acervo.NodesParams{Activation: layers.Hot})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]seedNode{}
	for _, n := range hot.Nodes {
		got[n.ID] = asSeed(n)
	}
	want := map[string]seedNode{}
	for _, n := range expected.All.Nodes {
		if n.Owner != nil {
			n.Owner = &owner
		}
		want[n.ID] = n
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hot nodes after 04 (-want +got):\n%s", diff)
	}
	relations, err := m.Relations(t.Context(), acervo.RelationsParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range expected.All.Relations {
		found := 0
		for _, r := range relations.Relations {
			if [4]string{r.From.ID, r.Type, r.To.ID, string(r.Layer)} == w {
				found++
			}
		}
		if found != 1 {
			t.Errorf("relation %v is there %d times", w, found)
		}
	}
	own, err := m.Relations(t.Context(), acervo.RelationsParams{Layer: layers.Personal})
	if err != nil {
		t.Fatal(err)
	}
	if len(own.Relations) != 4 {
		t.Errorf("%d PERSONAL relations, want 4", len(own.Relations))
	}

	playSeed(t, m, 5)
	w := expected.After05
	w.Owner = &owner
	if diff := cmp.Diff(w, asSeed(one(t, m, "ProjectX"))); diff != "" {
		t.Errorf("after 05 (-want +got):\n%s", diff)
	}
	for i, w := range map[int]seedNode{6: expected.After06, 7: expected.After07} {
		playSeed(t, m, i)
		n := one(t, m, w.ID)
		if n.Type != w.Type || string(n.Status) != w.Status || len(n.PendingFields) != 0 {
			t.Errorf("after %02d: %s is %s, %s, pending %v", i, n.ID, n.Type, n.Status, n.PendingFields)
		}
	}
	if n := count(t, "MATCH (n:AcervoEntity:Personal:Proyecto {owner: $owner, id: 'projectx'}) WHERE NOT n:Desconocido RETURN count(n)", map[string]any{"owner": owner}); n != 1 {
		t.Error("the label of a completed node doesn't follow its type")
	}
}

// playSeed stores the batch of one file of the reference.
func playSeed(t *testing.T, m *acervo.Memory, number int) {
	t.Helper()
	names, err := filepath.Glob(fmt.Sprintf("testdata/seed/%02d-*.json", number))
	if err != nil || len(names) != 1 {
		t.Fatalf("file %d of the reference: %v, %v", number, names, err)
	}
	f, err := os.Open(names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d, err := range acervo.DecodeDocuments(f) {
		if err != nil {
			t.Fatal(err)
		}
		upsert(t, m, d.Params)
	}
}

func asSeed(n acervo.Node) seedNode {
	s := seedNode{
		ID: n.ID, Label: n.Label, Type: n.Type, Layer: string(n.Layer), Owner: n.Owner, Source: n.Source,
		Confidence: n.Confidence, Status: string(n.Status), Pending: n.PendingFields, Facts: []seedFact{},
	}
	for _, f := range n.Facts {
		s.Facts = append(s.Facts, seedFact{f.Text, f.Source})
	}
	return s
}
