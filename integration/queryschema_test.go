package integration

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/acervo-graph/acervo/acervo"
)

// TestQuerySchema has the text be true: its examples run and find something, and
// the properties that it names are those that are stored.
func TestQuerySchema(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	place := "Place " + owner[5:13]
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}, Facts: []acervo.Fact{{Entity: place, Text: "is big"}}})
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Ana", Type: "Persona", Aliases: []string{"Anita"}}},
		Relations: []acervo.Relation{{From: "Ana", To: "Roca", Type: "VIVE_EN"}},
		Facts:     []acervo.Fact{{Entity: "Ana", Text: "sings"}},
	})
	upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: "Ana", To: place, Type: "VIVE_EN"}}}) // ends that to Roca
	if _, err := m.Mention(t.Context(), acervo.MentionParams{Names: []string{"Ana"}}); err != nil {
		t.Fatal(err)
	}
	r, err := client.QuerySchema(t.Context(), acervo.QuerySchemaParams{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Text) > 16<<10 || strings.Contains(r.Text, owner) || strings.Contains(r.Text, "sings") {
		t.Errorf("%d bytes:\n%s", len(r.Text), r.Text)
	}
	for _, want := range []string{"\nPersona: ", "\nVIVE_EN (one at a time)\n", "\nTRABAJA_EN\n"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	examples := regexp.MustCompile(`(?m)^-- (.*)\n(.*)$`).FindAllStringSubmatch(r.Text, -1)
	if len(examples) < 5 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, e := range examples {
		id := "ana"
		if strings.Contains(e[1], "UNIVERSAL") {
			id = one(t, m, place).ID
		}
		found, err := client.Query(t.Context(), acervo.QueryParams{Cypher: e[2], Params: map[string]any{"owner": owner, "id": id, "name": "Anita"}})
		if err != nil || len(found.Rows) == 0 {
			t.Errorf("%s: %+v, %v", e[1], found, err)
		}
	}
	// Every property of ours that it says a label has is there, of the type that it says.
	for label, owned := range map[string]string{"AcervoEntity": owner, "AcervoFact": owner, "AcervoAlias": owner, "AcervoEnded": owner, "AcervoSession": owner} {
		line := regexp.MustCompile(`(?m)^\(:` + label + `\)(?:.*\n)(?:  .*\n)*`).FindString(r.Text)
		if line == "" {
			t.Errorf("it lacks %s", label)
			continue
		}
		for _, record := range query(t, fmt.Sprintf("MATCH (n:%s) WHERE n.owner = $owner UNWIND keys(n) AS key RETURN DISTINCT key, valueType(n[key]) AS type", label), map[string]any{"owner": owned}) {
			key, typ := record.Values[0].(string), strings.Split(strings.TrimSuffix(record.Values[1].(string), " NOT NULL"), "<")[0]
			if !regexp.MustCompile(`\b`+key+`\b`).MatchString(line) && !strings.Contains("turn_ids last_turn_id key source_details source confidence layer created_at last_seen_at via", key) {
				t.Errorf("it says nothing of %s.%s, a %s", label, key, typ)
			}
			if regexp.MustCompile(`\b`+key+`\b`).MatchString(line) && !regexp.MustCompile(`\b`+key+`\b[^A-Z]*`+typ).MatchString(line) {
				t.Errorf("%s.%s is a %s:\n%s", label, key, typ, line)
			}
		}
	}
	// Names of whatever kind stay names, and the text stays as short as is asked.
	hostile := owner[5:11] + "`) DETACH DELETE n // \\u0060'"
	upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: "Ana", To: "Bea", Type: hostile}}})
	t.Cleanup(func() {
		query(t, "MATCH (r:AcervoRelation) WHERE r.name = $name DELETE r", map[string]any{"name": hostile})
	})
	if r, err = client.QuerySchema(t.Context(), acervo.QuerySchemaParams{MaxBytes: 1 << 20}); err != nil || !strings.Contains(r.Text, "\n'"+owner[5:11]+"`) DETACH") || r.Omitted != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = client.QuerySchema(t.Context(), acervo.QuerySchemaParams{MaxBytes: 8 << 10}); err != nil || len(r.Text) > 8<<10 {
		t.Errorf("%d bytes, %v", len(r.Text), err)
	}
	if _, err := client.QuerySchema(t.Context(), acervo.QuerySchemaParams{MaxBytes: 100}); err == nil {
		t.Error("100 bytes are taken")
	}
}

// TestQueryPage runs the statements of docs/query.md.
func TestQueryPage(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	upsert(t, client.Memory(owner), acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}}, Relations: []acervo.Relation{{From: "Ana", To: "Roca", Type: "VIVE_EN"}}, Facts: []acervo.Fact{{Entity: "Ana", Text: "sings"}},
	})
	page, err := os.ReadFile("../docs/query.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```cypher\n(.*?)\n```").FindAllStringSubmatch(string(page), -1)
	if len(found) < 4 {
		t.Fatalf("%d statements", len(found))
	}
	for _, f := range found {
		r, err := client.Query(t.Context(), acervo.QueryParams{Cypher: f[1], Params: map[string]any{"owner": owner, "id": "ana"}})
		if err != nil || len(r.Rows) == 0 {
			t.Errorf("%s\n%+v, %v", f[1], r, err)
		}
	}
	for _, procedure := range acervo.QueryProcedures() {
		if family := procedure[:strings.LastIndex(procedure, ".")]; !strings.Contains(string(page), procedure) && family != "db.schema" && !strings.HasPrefix(family, "db.index") {
			t.Errorf("the page says nothing of %s", procedure)
		}
	}
}
