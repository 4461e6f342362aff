package integration

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// These are faults that users of similar systems reported, each with the right
// behaviour.

func TestSameBatchTwice(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	batch := acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Ana", Type: "Persona", Attributes: map[string]any{"edad": 30, "tags": []string{"a", "b"}}, Aliases: []string{"Anita"}}, {Name: "Acme", Type: "Organizacion"}},
		Relations: []acervo.Relation{{From: "Ana", To: "Acme", Type: "TRABAJA_EN"}, {From: "Ana", To: "Acme", Type: "fundó (2)"}},
		Facts:     []acervo.Fact{{Entity: "Ana", Text: "Le gusta el mate"}, {Entity: "Acme", Text: "Vende tornillos", Source: "web"}},
	}
	dump := `MATCH (n) WHERE n.owner = $owner
		OPTIONAL MATCH (n)-[r]->(o) WHERE o.owner = $owner
		RETURN labels(n) AS labels, properties(n) AS node, type(r) AS type, r {.*, last_seen_at: null} AS held, coalesce(o.id, o.key) AS other
		ORDER BY labels[0], coalesce(node.id, node.key), type, other`
	read := func() []map[string]any {
		var rows []map[string]any
		for _, record := range query(t, dump, map[string]any{"owner": owner}) {
			row := record.AsMap()
			if slices.Contains(row["labels"].([]any), any("AcervoSession")) {
				continue // its time is that of the last call
			}
			rows = append(rows, row)
		}
		return rows
	}
	upsert(t, m, batch)
	before := read()
	result := upsert(t, m, batch)
	if diff := cmp.Diff(before, read()); diff != "" {
		t.Errorf("the second time changed (-before +after):\n%s", diff)
	}
	for _, e := range result.Entities {
		if e.Created || !e.Matched || e.Changed {
			t.Errorf("second time: %+v", e)
		}
	}
	for _, r := range result.Relations {
		if r.Created {
			t.Errorf("second time: %+v", r)
		}
	}
	for _, f := range result.Facts {
		if f.Created || f.GainedSource {
			t.Errorf("second time: %+v", f)
		}
	}
	seen := query(t, "MATCH (:AcervoEntity {owner: $owner})-[r:TRABAJA_EN]->() RETURN r.created_at < r.last_seen_at AS moved", map[string]any{"owner": owner})
	if seen[0].Values[0] != true {
		t.Error("the time of the last sight didn't move")
	}
}

func TestOneNameFromFourSessions(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	for i := range 4 {
		m := client.Memory(owner).WithSession(fmt.Sprint("s", i))
		upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "KVTR", Type: "Organizacion"}}})
	}
	if n := count(t, "MATCH (n:AcervoEntity {owner: $owner}) RETURN count(n)", map[string]any{"owner": owner}); n != 1 {
		t.Errorf("%d nodes, want 1", n)
	}
}

func TestNamesStayApart(t *testing.T) {
	client := testClient(t)
	for name, names := range map[string][]string{
		"revisions": {"Notice NB-2031-007 Rev A", "Notice NB-2031-007 Rev B", "QX-2031-052", "QX-2031-053"},
		"scripts":   {"서울", "東京", "Москва", "Київ", "القاهرة", "C", "C++", "C#", "Øyvind", "Yvind"},
		"letters":   {"が", "か", "año", "ano", "Peña", "Pena"},
	} {
		t.Run(name, func(t *testing.T) {
			owner := testOwner(t)
			m := client.Memory(owner)
			var batch acervo.UpsertParams
			for _, n := range names {
				batch.Entities = append(batch.Entities, acervo.Entity{Name: n, Type: "Documento"})
			}
			ids := map[string]bool{}
			for _, e := range upsert(t, m, batch).Entities {
				ids[e.ID] = e.ID != ""
			}
			if len(ids) != len(names) || ids[""] {
				t.Errorf("ids %v of %d names", slices.Sorted(maps.Keys(ids)), len(names))
			}
			for _, n := range names {
				if got := one(t, m, n); got.Label != n {
					t.Errorf("%q finds %q", n, got.Label)
				}
			}
		})
	}
}

func TestSpellingsAreOne(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	for _, name := range []string{"José", "Jose\u0301", "JOSÉ", "Jose"} {
		upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: name, Type: "Persona"}}})
	}
	if n := count(t, "MATCH (n:AcervoEntity {owner: $owner}) RETURN count(n)", map[string]any{"owner": owner}); n != 1 {
		t.Errorf("%d nodes, want 1", n)
	}
}

func TestHomonyms(t *testing.T) {
	client := testClient(t)
	for name, batches := range map[string][][]acervo.Entity{
		"one batch":   {{{Name: "Apple", Type: "Organizacion"}, {Name: "Apple", Type: "Obra"}}},
		"two batches": {{{Name: "Apple", Type: "Organizacion"}}, {{Name: "Apple", Type: "Obra"}}},
		"again":       {{{Name: "Apple", Type: "Organizacion"}, {Name: "Apple", Type: "Obra"}}, {{Name: "Apple", Type: "Obra"}, {Name: "apple", Type: "organization"}, {Name: "Apple"}}},
	} {
		t.Run(name, func(t *testing.T) {
			owner := testOwner(t)
			m := client.Memory(owner)
			for _, entities := range batches {
				upsert(t, m, acervo.UpsertParams{Entities: entities})
			}
			result, err := m.Node(t.Context(), acervo.NodeParams{Name: "Apple"})
			if err != nil {
				t.Fatal(err)
			}
			var got [][2]string
			for _, n := range result.Nodes {
				got = append(got, [2]string{n.ID, n.Type})
			}
			if diff := cmp.Diff([][2]string{{"apple", "Organizacion"}, {"apple__obra", "Obra"}}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "What about Apple?"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"apple", "apple__obra"}, turn.Mentioned); diff != "" {
				t.Errorf("mentioned (-want +got):\n%s", diff)
			}
			if _, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: "Apple"}); !errors.Is(err, acervo.ErrConflict) {
				t.Errorf("neighbors of an ambiguous name: %v", err)
			}
			if _, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: "Apple", Type: "Obra"}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAutoRegisteredTypesAreNoHomonyms(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	suffix := strings.ReplaceAll(owner, "-", "")
	first := upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Zorzal", Type: "Bird" + suffix}}})
	if diff := cmp.Diff([]string{"Bird" + suffix}, first.RegisteredTypes); diff != "" {
		t.Error(diff)
	}
	second := upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Zorzal", Type: "Proyecto"}}})
	want := &acervo.TypeConflict{Stored: "Bird" + suffix, Given: "Proyecto"}
	if diff := cmp.Diff(want, second.Entities[0].Conflict); diff != "" {
		t.Errorf("conflict (-want +got):\n%s", diff)
	}
	if n := one(t, m, "Zorzal"); n.Type != "Bird"+suffix {
		t.Errorf("the type became %s", n.Type)
	}
	// Declared by hand, by another client, the same type tells homonyms apart.
	other := testClient(t)
	if _, err := other.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: "BIRD" + suffix}); err != nil {
		t.Fatal(err)
	}
	third := upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Zorzal", Type: "Proyecto"}}})
	if e := third.Entities[0]; e.ID != "zorzal__proyecto" || !e.Created || e.Conflict != nil {
		t.Errorf("after the type was declared: %+v", e)
	}
}

func TestStoredIDComesBack(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana María", Type: "Persona", ID: "u-17", Aliases: []string{"Anita"}}}})
	for _, name := range []string{"Ana María", "ana maria", "ANITA"} {
		r := upsert(t, m, acervo.UpsertParams{
			Entities:  []acervo.Entity{{Name: name, Type: "Persona"}},
			Relations: []acervo.Relation{{From: name, To: "Club " + name, Type: "MIEMBRO_DE"}},
		})
		isNew := name != "ana maria" // whose club is that of "Ana María"
		if r.Entities[0].ID != "u-17" || r.Entities[0].Created || r.Relations[0].Created != isNew {
			t.Errorf("%q: %+v, %+v", name, r.Entities[0], r.Relations[0])
		}
		upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: name, To: "Club " + name, Type: "MIEMBRO_DE"}}})
	}
	n := one(t, m, "Anita")
	if len(n.Relations) != 2 {
		t.Errorf("%d relations, want 2", len(n.Relations))
	}
	if count(t, "MATCH (n:AcervoEntity:Persona {owner: $owner}) RETURN count(n)", map[string]any{"owner": owner}) != 1 {
		t.Error("an alias made another node")
	}
}

func TestExplicitIDs(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana", ID: "u-1", Type: "Persona"}, {Name: "Ana", ID: "u-2", Type: "Persona"}, {ID: "u-3"}}})
	r := upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{ID: "u-1", Type: "Obra"}, {ID: "u-3", Type: "Obra"}},
		Relations: []acervo.Relation{{FromID: "u-1", ToID: "u-2", Type: "CONOCE_A"}, {FromID: "u-1", To: "u 9", Type: "CONOCE_A"}},
		Facts:     []acervo.Fact{{EntityID: "u-2", Text: "la otra"}},
	})
	if diff := cmp.Diff(&acervo.TypeConflict{Stored: "Persona", Given: "Obra"}, r.Entities[0].Conflict); diff != "" {
		t.Errorf("conflict (-want +got):\n%s", diff)
	}
	if !r.Entities[1].Completed || r.Entities[1].ID != "u-3" {
		t.Errorf("%+v", r.Entities[1])
	}
	both, err := m.Node(t.Context(), acervo.NodeParams{Name: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range both.Nodes {
		got = append(got, fmt.Sprint(n.ID, " ", n.Label, " ", len(n.Relations), " ", len(n.Facts)))
	}
	if diff := cmp.Diff([]string{"u-1 Ana 2 0", "u-2 Ana 1 1"}, got); diff != "" {
		t.Errorf("nodes of one name (-want +got):\n%s", diff)
	}
	if n, err := m.Node(t.Context(), acervo.NodeParams{ID: "u-2"}); err != nil || len(n.Nodes) != 1 || n.Nodes[0].Facts[0].Text != "la otra" {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestNothingIsDropped(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	r := upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Nueva", Type: "Persona"}},
		Relations: []acervo.Relation{{From: "Nueva", To: "Quién Sabe", Type: "CONOCE_A"}},
		Facts:     []acervo.Fact{{Entity: "Otra Cosa", Text: "existe"}},
	})
	var implied []string
	for _, e := range r.Implied {
		if !e.Created || e.Status != layers.Incomplete {
			t.Errorf("%+v", e)
		}
		implied = append(implied, e.Label)
	}
	if diff := cmp.Diff([]string{"Quién Sabe", "Otra Cosa"}, implied); diff != "" {
		t.Error(diff)
	}
	pending, err := m.Pending(t.Context(), acervo.PendingParams{})
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string][]string{}
	for _, n := range pending.Nodes {
		if n.Layer == layers.Personal {
			missing[n.ID] = n.PendingFields
		}
	}
	if diff := cmp.Diff(map[string][]string{"quien_sabe": {"tipo"}, "otra_cosa": {"tipo"}}, missing); diff != "" {
		t.Error(diff)
	}
	if f := one(t, m, "otra cosa").Facts; len(f) != 1 || f[0].Text != "existe" {
		t.Errorf("facts %+v", f)
	}
	r = upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Otra cosa", Type: "Documento"}}})
	if e := r.Entities[0]; !e.Completed || e.Type != "Documento" || e.Status != layers.Complete {
		t.Errorf("%+v", e)
	}
	// An entity upserted again without facts keeps those it has.
	if f := one(t, m, "otra cosa").Facts; len(f) != 1 {
		t.Errorf("facts %+v", f)
	}
}

func TestFactsAndTheirSources(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	texts := []string{"is vegetarian", "is not vegetarian", "3 servers", "5 servers", "живёт в Москве", "住在北京"}
	var facts []acervo.Fact
	for _, text := range texts {
		facts = append(facts, acervo.Fact{Entity: "X1", Text: text, Source: "user"}, acervo.Fact{Entity: "X1", Text: strings.ToUpper(text) + ".", Source: "crm"})
	}
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "X1", Type: "Documento"}}, Facts: facts})
	again := upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "X1", Text: "3 servers", Source: "log"}}})
	if f := again.Facts[0]; f.Created || !f.GainedSource {
		t.Errorf("%+v", f)
	}
	n := one(t, m, "X1")
	var got []string
	for _, f := range n.Facts {
		got = append(got, f.Text)
		want := []string{"user", "crm"}
		if f.Text == "3 servers" {
			want = append(want, "log")
		}
		if diff := cmp.Diff(want, f.Sources); diff != "" || f.Source != "user" {
			t.Errorf("%q: source %s\n%s", f.Text, f.Source, diff)
		}
	}
	if diff := cmp.Diff(texts, got); diff != "" {
		t.Errorf("facts, in the order in which they were said (-want +got):\n%s", diff)
	}
}

func TestRelationsKeepTheirDirectionAndName(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	names := []string{"managed_by", "mentors", "likes_a_lot", "non-compliant", "由…组成", "uses (v2)", "für", "is a", "1st", "a`b", "``",
		"x\\u0060]->(q) WITH 1 AS z MATCH (n) DETACH DELETE n //", "X) DETACH DELETE n //", "a\\`b", "r {x: 1}", "TYPE", "$(row.type)"}
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "A", Type: "Persona"}, {Name: "B", Type: "Persona"}}})
	everything := func() int64 {
		return count(t, "MATCH (n:AcervoEntity {owner: $owner}) RETURN count(n)", map[string]any{"owner": owner})
	}
	for i, name := range names {
		for range 3 { // fifty times would be the same
			r := acervo.Relation{From: "A", To: "B", Type: name}
			if i%2 == 1 {
				r.From, r.To = r.To, r.From
			}
			upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{r, r}})
		}
		if n := everything(); n != 2 {
			t.Fatalf("after %q there are %d nodes", name, n)
		}
		rows := query(t, "MATCH (a:AcervoEntity {owner: $owner})-[r]->(b:AcervoEntity) WHERE type(r) = $type RETURN a.id, b.id", map[string]any{"owner": owner, "type": name})
		if len(rows) != 1 {
			t.Fatalf("%q: %d relationships", name, len(rows))
		}
		if want := []any{"a", "b"}[i%2]; rows[0].Values[0] != want {
			t.Errorf("%q goes from %v, want %v", name, rows[0].Values[0], want)
		}
		found, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: "A", Relation: strings.ToUpper(name)})
		if err != nil || len(found.Relations) != 1 || found.Relations[0].Type != name {
			t.Errorf("%q isn't found by its name: %+v, %v", name, found, err)
		}
	}
}

func TestHostileTypesAndAttributes(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	hostile := []string{"Persona`) DETACH DELETE n //", "City/State", "Café", "foo.bar", "x\\u0060]->(q) WITH 1 AS z MATCH (n) DETACH DELETE n //", "a:b", "``"}
	for i, name := range hostile {
		label := fmt.Sprintf("T%d", i)
		upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: label, Type: name, Attributes: map[string]any{name: "v"}}}})
		n := one(t, m, label)
		if n.Type != name || n.Attributes[name] != "v" {
			t.Errorf("%q: type %q, attributes %v", name, n.Type, n.Attributes)
		}
		if c := count(t, "MATCH (n:AcervoEntity {owner: $owner}) WHERE $label IN labels(n) AND n[$label] = 'v' RETURN count(n)", map[string]any{"owner": owner, "label": name}); c != 1 {
			t.Errorf("%q is the label of %d nodes", name, c)
		}
	}
	if c := count(t, "MATCH (n:AcervoEntity {owner: $owner}) RETURN count(n)", map[string]any{"owner": owner}); c != int64(len(hostile)) {
		t.Errorf("%d nodes, want %d", c, len(hostile))
	}
}

func TestNamesThatAreRefused(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	if _, err := m.Node(t.Context(), acervo.NodeParams{Name: "nobody"}); !errors.Is(err, acervo.ErrNotFound) {
		t.Fatal(err)
	}
	entity := func(e acervo.Entity) acervo.UpsertParams {
		return acervo.UpsertParams{Entities: []acervo.Entity{{Name: "fine"}, e}}
	}
	relation := func(r acervo.Relation) acervo.UpsertParams {
		return acervo.UpsertParams{Entities: []acervo.Entity{{Name: "fine"}}, Relations: []acervo.Relation{r}}
	}
	confidence := func(c float64) *float64 { return &c }
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		params acervo.UpsertParams
		item   string
		index  int
		field  string
	}{
		"empty":                {entity(acervo.Entity{Name: ""}), "entity", 1, "name"},
		"blank":                {entity(acervo.Entity{Name: " \t"}), "entity", 1, "name"},
		"NUL":                  {entity(acervo.Entity{Name: "a\x00b"}), "entity", 1, "name"},
		"no letter":            {entity(acervo.Entity{Name: "-!-"}), "entity", 1, "name"},
		"invalid UTF-8":        {entity(acervo.Entity{Name: "a\xff"}), "entity", 1, "name"},
		"2,049 bytes":          {entity(acervo.Entity{Name: long(2049)}), "entity", 1, "name"},
		"10 MB":                {entity(acervo.Entity{Name: long(10 << 20)}), "entity", 1, "name"},
		"reserved type":        {entity(acervo.Entity{Name: "a", Type: "acervoENTITY"}), "entity", 1, "type"},
		"layer as a type":      {entity(acervo.Entity{Name: "a", Type: "Personal"}), "entity", 1, "type"},
		"control in a type":    {entity(acervo.Entity{Name: "a", Type: "a\nb"}), "entity", 1, "type"},
		"reserved attribute":   {entity(acervo.Entity{Name: "a", Attributes: map[string]any{"owner": "x"}}), "entity", 1, "attributes.owner"},
		"map":                  {entity(acervo.Entity{Name: "a", Attributes: map[string]any{"addr": map[string]any{"city": "Roma"}}}), "entity", 1, "attributes.addr"},
		"list of maps":         {entity(acervo.Entity{Name: "a", Attributes: map[string]any{"l": []any{map[string]any{"y": 2020}}}}), "entity", 1, "attributes.l"},
		"mixed list":           {entity(acervo.Entity{Name: "a", Attributes: map[string]any{"l": []any{1, "a"}}}), "entity", 1, "attributes.l"},
		"nested list":          {entity(acervo.Entity{Name: "a", Attributes: map[string]any{"l": [][]int{{1}, {2}}}}), "entity", 1, "attributes.l"},
		"null in a list":       {entity(acervo.Entity{Name: "a", Attributes: map[string]any{"l": []any{nil}}}), "entity", 1, "attributes.l"},
		"uint64":               {entity(acervo.Entity{Name: "a", Attributes: map[string]any{"n": uint64(math.MaxUint64)}}), "entity", 1, "attributes.n"},
		"confidence 1.5":       {entity(acervo.Entity{Name: "a", Confidence: confidence(1.5)}), "entity", 1, "confidence"},
		"confidence NaN":       {entity(acervo.Entity{Name: "a", Confidence: confidence(math.NaN())}), "entity", 1, "confidence"},
		"bad alias":            {entity(acervo.Entity{Name: "a", Aliases: []string{""}}), "entity", 1, "aliases"},
		"relation to itself":   {relation(acervo.Relation{From: "José", To: "JOSE", Type: "CONOCE_A"}), "relation", 0, "to"},
		"reserved relation":    {relation(acervo.Relation{From: "a", To: "b", Type: "has_fact"}), "relation", 0, "type"},
		"relation, no type":    {relation(acervo.Relation{From: "a", To: "b"}), "relation", 0, "type"},
		"relation, no end":     {relation(acervo.Relation{From: "a", Type: "x"}), "relation", 0, "to"},
		"empty fact":           {acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "a", Text: " "}}}, "fact", 0, "text"},
		"unknown layer":        {acervo.UpsertParams{Layer: "GALACTIC"}, "", -1, "layer"},
		"source of UNIVERSAL":  {acervo.UpsertParams{Layer: layers.Universal, Source: "user"}, "", -1, "source"},
		"50,000 entities":      {acervo.UpsertParams{Entities: make([]acervo.Entity, 50_000)}, "", -1, "entities"},
		"confidence of a call": {acervo.UpsertParams{Confidence: confidence(-0.1)}, "", -1, "confidence"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := m.UpsertEntities(t.Context(), c.params)
			var fields *acervo.FieldError
			if !errors.Is(err, acervo.ErrInvalid) || !errors.As(err, &fields) {
				t.Fatalf("error %v", err)
			}
			if fields.Item != c.item || fields.Index != c.index || fields.Field != c.field {
				t.Errorf("the fault is in %s %d %s: %v", fields.Item, fields.Index, fields.Field, err)
			}
			if len(err.Error()) > 5000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
	for _, bad := range []string{"", "  ", "world", "a\x00b", "a\xff", long(2049)} {
		_, err := client.Memory(bad).UpsertEntities(t.Context(), entity(acervo.Entity{Name: "a"}))
		var field *acervo.FieldError
		if !errors.As(err, &field) || field.Field != "owner" {
			t.Errorf("owner %.20q: %v", bad, err)
		}
	}
	if n := count(t, "MATCH (n {owner: $owner}) RETURN count(n)", map[string]any{"owner": owner}); n != 0 {
		t.Errorf("%d nodes were written", n)
	}
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: long(2048), Type: "Documento", Aliases: []string{"y" + long(2047)}}}})
	if n := one(t, m, "y"+long(2047)); n.ID != long(2048) {
		t.Errorf("an alias of 2,048 bytes finds %.20q", n.ID)
	}
}

func TestSelfRelationByAlias(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "New York City", Type: "Lugar", Aliases: []string{"NYC"}}}})
	_, err := m.UpsertEntities(t.Context(), acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Extra", Type: "Documento"}},
		Relations: []acervo.Relation{{From: "NYC", To: "New York City", Type: "PART_OF"}},
	})
	var field *acervo.FieldError
	if !errors.As(err, &field) || field.Item != "relation" || field.Field != "to" {
		t.Fatalf("error %v", err)
	}
	if _, err := m.Node(t.Context(), acervo.NodeParams{Name: "Extra"}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("part of the batch was written: %v", err)
	}
}

func TestRegisteredType(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	if _, err := client.RegisterType(t.Context(), acervo.RegisterTypeParams{Name: "Vehicle", Attributes: []string{"plate"}, LayerDefault: layers.Personal}); err != nil {
		t.Fatal(err)
	}
	upsert(t, client.Memory(owner), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Mi auto", Type: "vehicle", Attributes: map[string]any{"plate": "AB 123 CD"}}}})
	rows := query(t, "MATCH (v:Vehicle {owner: $owner}) RETURN v.plate", map[string]any{"owner": owner})
	if len(rows) != 1 || rows[0].Values[0] != "AB 123 CD" {
		t.Errorf("%v", rows)
	}
	types, err := testClient(t).Types(t.Context()) // another process
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(types, func(ty ontology.Type) bool { return ty.Name == "Vehicle" })
	want := ontology.Type{Name: "Vehicle", Attributes: []string{"plate"}, LayerDefault: "PERSONAL", Origin: ontology.OriginRegistered}
	if i < 0 || !cmp.Equal(types[i], want) {
		t.Errorf("types %v", types)
	}
}

func TestTenThousandEntities(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	m := client.Memory(owner)
	var batch acervo.UpsertParams
	for i := range 10_000 {
		batch.Entities = append(batch.Entities, acervo.Entity{Name: fmt.Sprintf("%s thing %d", owner, i), Type: "Documento"})
	}
	result := upsert(t, m, batch)
	for i, e := range result.Entities {
		if !e.Created || e.Label != batch.Entities[i].Name {
			t.Fatalf("entity %d: %+v", i, e)
		}
	}
	rows := query(t, "MATCH (n:AcervoEntity {owner: $owner}) UNWIND labels(n) AS label RETURN DISTINCT label ORDER BY label", map[string]any{"owner": owner})
	var labels []string
	for _, r := range rows {
		labels = append(labels, r.Values[0].(string))
	}
	if diff := cmp.Diff([]string{"AcervoEntity", "Documento", "Personal"}, labels); diff != "" {
		t.Error(diff)
	}
	// Pages follow each other without a gap or an overlap.
	seen := map[string]bool{}
	after := ""
	for pages := 0; ; pages++ {
		page, err := m.Nodes(t.Context(), acervo.NodesParams{Layer: layers.Personal, Type: "documento", Limit: 999, After: after})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range page.Nodes {
			if seen[n.ID] {
				t.Fatalf("%s is on two pages", n.ID)
			}
			seen[n.ID] = true
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if len(seen) != 10_000 {
		t.Errorf("the pages hold %d entities", len(seen))
	}
}

func TestFieldsReadBackThroughCypher(t *testing.T) {
	client, owner := testClient(t), testOwner(t)
	zone := time.FixedZone("IST", 5*3600+1800)
	at := time.Date(2024, 2, 29, 23, 59, 59, 123456789, zone)
	attributes := map[string]any{
		"texto": "línea 1\nlínea 2 ☕", "entero": int64(3), "grande": int64(math.MaxInt64), "real": 2.5, "si": true, "cuando": at,
		"lista": []string{"a", ""}, "numeros": []int{1, 2}, "vacia": []string{}, "borrado": nil,
	}
	c := 0.25
	upsert(t, client.Memory(owner), acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Arroyo Ñandú", Type: "lugar", Attributes: attributes, Confidence: &c, Aliases: []string{"AÑ"}}, {Name: "B", Type: "Persona"}},
		Relations: []acervo.Relation{{From: "B", To: "Arroyo Ñandú", Type: "lives_in", Confidence: &c}},
		Facts:     []acervo.Fact{{Entity: "B", Text: "Vive ahí", Source: "crm", Detail: "ticket 7", Confidence: &c}},
	})
	p := query(t, "MATCH (n:AcervoEntity:Personal:Lugar {owner: $owner, id: 'arroyo_ñandu'}) RETURN properties(n)", map[string]any{"owner": owner})[0].Values[0].(map[string]any)
	for _, key := range []string{"created_at", "updated_at"} {
		if when, ok := p[key].(time.Time); !ok || time.Since(when) > time.Hour {
			t.Errorf("%s is %v", key, p[key])
		}
		delete(p, key)
	}
	if got := p["cuando"].(time.Time); !got.Equal(at) {
		t.Errorf("a time came back as %v", got)
	}
	delete(p, "cuando")
	want := map[string]any{
		"owner": owner, "owner_digest": ownerDigest(owner), "id": "arroyo_ñandu", "label": "Arroyo Ñandú", "type": "Lugar", "layer": "PERSONAL", "source": "user_assertion",
		"confidence_for_owner": 0.25, "status": "complete", "pending_fields": []any{}, "aliases": []any{"AÑ"},
		"texto": "línea 1\nlínea 2 ☕", "entero": int64(3), "grande": int64(math.MaxInt64), "real": 2.5, "si": true,
		"lista": []any{"a", ""}, "numeros": []any{int64(1), int64(2)}, "vacia": []any{},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("entity (-want +got):\n%s", diff)
	}
	r := query(t, "MATCH (:AcervoEntity {owner: $owner, id: 'b'})-[r:VIVE_EN]->() RETURN r {.*, created_at: null, last_seen_at: null, valid_from: null}", map[string]any{"owner": owner})[0].Values[0]
	wantRelation := map[string]any{"owner": owner, "layer": "PERSONAL", "source": "user_assertion", "confidence": 0.25, "created_at": nil, "last_seen_at": nil, "valid_from": nil}
	if diff := cmp.Diff(wantRelation, r); diff != "" {
		t.Errorf("relation (-want +got):\n%s", diff)
	}
	f := query(t, "MATCH (:AcervoEntity {owner: $owner, id: 'b'})-[:HAS_FACT]->(f:AcervoFact:Personal) RETURN f {.owner, .about, .text, .source, .sources, .source_details, .confidence, .valid_to}", map[string]any{"owner": owner})[0].Values[0]
	wantFact := map[string]any{"owner": owner, "about": "p:b", "text": "Vive ahí", "source": "crm", "sources": []any{"crm"}, "source_details": []any{"ticket 7"}, "confidence": 0.25, "valid_to": nil}
	if diff := cmp.Diff(wantFact, f); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	// nil removes, absent stays.
	upsert(t, client.Memory(owner), acervo.UpsertParams{Entities: []acervo.Entity{{Name: "arroyo ñandu", Attributes: map[string]any{"texto": nil}}}})
	n := one(t, client.Memory(owner), "Arroyo Ñandú")
	if _, there := n.Attributes["texto"]; there || n.Attributes["real"] != 2.5 {
		t.Errorf("attributes %v", n.Attributes)
	}
}
