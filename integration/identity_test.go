package integration

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

func TestVerify(t *testing.T) {
	client := testClient(t)
	world, m := client.World(), client.Memory(testOwner(t))
	tech, unknown := "Tech "+m.Owner(), "Thing "+m.Owner()
	t.Cleanup(func() { removeWorld(t, tech, unknown) })
	first := upsert(t, m, acervo.UpsertParams{
		Layer:    layers.Universal,
		Entities: []acervo.Entity{{Name: tech, Type: "Tecnologia", Attributes: map[string]any{"version": "1", "tipo": "db"}}, {Name: unknown}},
		Facts:    []acervo.Fact{{Entity: tech, Text: "stores graphs", Source: "world"}},
	})
	if s := first.Entities[0].Status; s != layers.PendingVerification {
		t.Errorf("a new UNIVERSAL entity is %s", s)
	}
	vouched := upsert(t, world, acervo.UpsertParams{Source: "world", Entities: []acervo.Entity{{Name: tech + " 2", Type: "Tecnologia"}}})
	t.Cleanup(func() { removeWorld(t, tech+" 2") })
	if s := vouched.Entities[0].Status; s != layers.Complete {
		t.Errorf("one whose source is named is %s", s)
	}
	if _, err := m.Verify(t.Context(), acervo.VerifyParams{Entities: []acervo.EntityRef{named(tech)}}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("an owner verifies: %v", err)
	}
	if _, err := world.Verify(t.Context(), acervo.VerifyParams{Entities: []acervo.EntityRef{named(unknown)}}); !errors.Is(err, acervo.ErrConflict) {
		t.Errorf("a thing of unknown type: %v", err)
	}
	if _, err := world.Verify(t.Context(), acervo.VerifyParams{Entities: []acervo.EntityRef{named("nowhere " + m.Owner())}}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("what isn't there: %v", err)
	}
	for i := range 2 {
		done, err := world.Verify(t.Context(), acervo.VerifyParams{Entities: []acervo.EntityRef{named(tech)}})
		if err != nil || len(done.Entities) != 1 || done.Entities[0].Changed != (i == 0) {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	before := one(t, world, tech)
	if before.VerifiedAt == nil || before.Status != layers.Complete {
		t.Fatalf("%+v", before)
	}

	// Whatever an owner says of it is the owner's own fact.
	r := upsert(t, m, acervo.UpsertParams{
		Layer: layers.Universal,
		Entities: []acervo.Entity{{Name: tech, Type: "Obra", ID: before.ID, Aliases: []string{"my db"},
			Attributes: map[string]any{"version": "2", "tipo": "db", "autor": nil}}},
		Facts: []acervo.Fact{{Entity: tech, Text: "is slow", Source: "world"}},
	})
	e := r.Entities[0]
	if !e.Reference || !e.Verified || e.Changed || e.Conflict == nil || !slices.Equal(e.AttributeFacts, []string{"version: 2"}) {
		t.Errorf("%+v", e)
	}
	if r.Facts[0].Layer != layers.Personal {
		t.Errorf("a fact about verified knowledge became %s", r.Facts[0].Layer)
	}
	if diff := cmp.Diff(before, one(t, world, tech)); diff != "" {
		t.Errorf("verified knowledge changed:\n%s", diff)
	}
	own := one(t, m, "my db")
	if got := texts(t, m, tech); !slices.Equal(got, []string{"stores graphs", "is slow", "version: 2"}) || !slices.Contains(own.Aliases, "my db") {
		t.Errorf("the owner sees %q, aliases %q", got, own.Aliases)
	}
	for name, err := range map[string]error{
		"rename":  errOf(m.Rename(t.Context(), acervo.RenameParams{Entity: named(tech), Name: "x"})),
		"remove":  errOf(m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named(tech)})),
		"correct": errOf(m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named(tech), Text: "stores graphs", Correction: "stores rows"})),
		"retract": errOf(m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(tech), Text: "stores graphs"})),
		"absorb":  errOf(m.Merge(t.Context(), acervo.MergeParams{Keep: named(unknown), Absorb: named(tech)})),
	} {
		if !errors.Is(err, acervo.ErrImmutable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, one(t, world, tech)); diff != "" {
		t.Errorf("verified knowledge changed:\n%s", diff)
	}
	removed, err := world.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named(tech)})
	if !errors.Is(err, acervo.ErrConflict) {
		t.Errorf("removing what an owner uses: %+v, %v", removed, err)
	}
	if _, err := m.Forget(t.Context(), acervo.ForgetParams{}); err != nil {
		t.Fatal(err)
	}
	if removed, err = world.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: named(tech)}); err != nil || removed.Facts != 1 {
		t.Errorf("removing what nobody uses: %+v, %v", removed, err)
	}
}

func errOf[R any](_ R, err error) error { return err }

// TestPromoteRenamed: what an owner called an entity before, and an id that they
// gave it, stay theirs.
func TestPromoteRenamed(t *testing.T) {
	client, owner, other := testClient(t), testOwner(t), testOwner(t)
	m, old := client.Memory(owner), "Paciente "+owner
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: old, Type: "Lugar"}}})
	now := "Clínica " + owner
	if _, err := m.Rename(t.Context(), acervo.RenameParams{Entity: named(old), Name: now}); err != nil {
		t.Fatal(err)
	}
	preview, err := m.Promote(t.Context(), acervo.PromoteParams{Entity: named(old), Preview: true})
	if err != nil {
		t.Fatal(err)
	}
	promoted, err := m.Promote(t.Context(), acervo.PromoteParams{Entity: named(old)})
	if err != nil || promoted.ID != preview.ID || strings.Contains(promoted.ID, "paciente") {
		t.Fatalf("%+v, %+v, %v", preview, promoted, err)
	}
	t.Cleanup(func() {
		query(t, "MATCH (e:AcervoEntity {owner: 'world', id: $id}) DETACH DELETE e", map[string]any{"id": promoted.ID})
	})
	if n := one(t, m, old); n.ID != promoted.ID || n.Layer != layers.Universal {
		t.Errorf("by the old name: %+v", n)
	}
	if n, err := client.Memory(other).Node(t.Context(), acervo.NodeParams{Name: old}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("another owner by the old name: %+v, %v", n, err)
	}
	if n := one(t, client.Memory(other), now); n.ID != promoted.ID {
		t.Errorf("another owner by the name: %+v", n)
	}
}

func TestPromote(t *testing.T) {
	client := testClient(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	cafe := "Café " + m.Owner()
	t.Cleanup(func() { removeWorld(t, cafe) })
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: cafe, Type: "Lugar", Aliases: []string{"mi guarida"},
			Attributes: map[string]any{"pais": "Argentina", "relacion_con_owner": "my hideout"}}},
		Relations: []acervo.Relation{{From: "Yo", Type: "GUSTA_DE", To: cafe}},
		Facts:     []acervo.Fact{{Entity: cafe, Text: "opens at eight"}, {Entity: cafe, Text: "I met Luis there", Detail: "session 7"}},
	})
	dump := worldDump(t)
	params := acervo.PromoteParams{Entity: named(cafe), Attributes: []string{"pais"}, Facts: []string{"Opens at eight"}, Preview: true}
	preview, err := m.Promote(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump, worldDump(t)); diff != "" {
		t.Fatalf("a preview wrote:\n%s", diff)
	}
	params.Preview = false
	done, err := m.Promote(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	preview.Preview = false
	if diff := cmp.Diff(preview, done); diff != "" {
		t.Errorf("the preview and what came of it differ:\n%s", diff)
	}
	if done.Status != layers.PendingVerification || !done.Created || done.KeptFacts != 1 || done.KeptRelations != 1 ||
		!slices.Equal(done.KeptAttributes, []string{"relacion_con_owner"}) {
		t.Errorf("%+v", done)
	}
	theirs := one(t, other, cafe)
	if theirs.Layer != layers.Universal || len(theirs.Facts) != 1 || theirs.Facts[0].Text != "opens at eight" || theirs.Facts[0].Source != "world" ||
		len(theirs.Facts[0].Details) != 0 || len(theirs.Relations) != 0 || len(theirs.Aliases) != 0 {
		t.Errorf("another owner sees %+v", theirs)
	}
	if diff := cmp.Diff(map[string]any{"pais": "Argentina"}, theirs.Attributes); diff != "" {
		t.Errorf("shared attributes:\n%s", diff)
	}
	mine := one(t, m, "mi guarida")
	if !slices.Equal(mine.Aliases, []string{"mi guarida"}) {
		t.Errorf("the owner's own names are %q", mine.Aliases)
	}
	if mine.Layer != layers.Universal || len(mine.Facts) != 3 || len(mine.Relations) != 1 || mine.Relations[0].Neighbor.ID != "yo" {
		t.Errorf("the owner sees %+v", mine)
	}
	if n := count(t, "MATCH (e:AcervoEntity {owner: $owner, label: $label}) RETURN count(e)", map[string]any{"owner": m.Owner(), "label": cafe}); n != 0 {
		t.Error("the owner's copy is still there")
	}
	if _, err := m.Promote(t.Context(), acervo.PromoteParams{Entity: named(cafe), Facts: []string{"I met Luis there"}}); err != nil {
		t.Errorf("a fact about a candidate: %v", err)
	}
	if _, err := client.World().Verify(t.Context(), acervo.VerifyParams{Entities: []acervo.EntityRef{named(cafe)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Promote(t.Context(), acervo.PromoteParams{Entity: named(cafe), Facts: []string{"relacion_con_owner: my hideout"}}); !errors.Is(err, acervo.ErrImmutable) {
		t.Errorf("a fact about what is verified: %v", err)
	}
}

// worldDump lists everything UNIVERSAL.
func worldDump(t testing.TB) []string {
	t.Helper()
	var lines []string
	for _, line := range dump(t) {
		if containsAny(line, `"owner":"world"`) {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestMerge(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{
			{Name: "New York City", Type: "Lugar", Attributes: map[string]any{"pais": "USA"}},
			{Name: "NYC", Type: "Lugar", Aliases: []string{"Big Apple"}, Attributes: map[string]any{"pais": "US", "region": "NY"}},
		},
		Relations: []acervo.Relation{
			{From: "Ana", Type: "VIVE_EN", To: "NYC"}, {From: "Beto", Type: "GUSTA_DE", To: "NYC"}, {From: "Caro", Type: "non-compliant", To: "NYC"},
			{From: "NYC", Type: "PART_OF", To: "USA"}, {From: "NYC", Type: "TIENE_MODULO", To: "Bronx"}, {From: "NYC", Type: "RELACIONADO_CON", To: "New York City"},
			{From: "Beto", Type: "GUSTA_DE", To: "New York City"},
		},
		Facts: []acervo.Fact{{Entity: "NYC", Text: "is big"}, {Entity: "NYC", Text: "never sleeps", Source: "song"}, {Entity: "New York City", Text: "Never sleeps!"}},
	})
	if _, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("NYC"), Text: "is big", Correction: "is huge"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.CycleStatus(t.Context(), acervo.CycleStatusParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Mention(t.Context(), acervo.MentionParams{Names: []string{"NYC"}}); err != nil {
		t.Fatal(err)
	}
	params := acervo.MergeParams{Keep: named("New York City"), Absorb: named("NYC"), DryRun: true}
	before := dump(t)
	dry, err := m.Merge(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Fatalf("the dry run wrote:\n%s", diff)
	}
	params.DryRun = false
	done, err := m.Merge(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	dry.DryRun = false
	if diff := cmp.Diff(dry, done); diff != "" {
		t.Errorf("the dry run and what came of it differ:\n%s", diff)
	}
	want := &acervo.MergeResult{
		Keep: "new_york_city", Absorb: "nyc", Facts: 2, DoubleFacts: 1, Relations: 4, DoubleRelations: 1, SelfRelations: 1, Sessions: 1,
		Aliases: []string{"Big Apple", "NYC"}, Attributes: []string{"region"}, StatedAttributes: []string{},
	}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"NYC", "big apple", "New York City"} {
		n := one(t, m, name)
		if n.ID != "new_york_city" || n.Activation != layers.Hot || !slices.Contains(n.Aliases, "NYC") || n.Attributes["pais"] != "USA" || n.Attributes["region"] != "NY" {
			t.Errorf("%q finds %+v", name, n)
		}
	}
	n := one(t, m, "NYC")
	var got []string
	for _, r := range n.Relations {
		got = append(got, fmt.Sprint(r.Outgoing, " ", r.Type, " ", r.Neighbor.ID))
	}
	if diff := cmp.Diff([]string{"false GUSTA_DE beto", "true PART_OF usa", "true TIENE_MODULO bronx", "false VIVE_EN ana", "false non-compliant caro"}, got); diff != "" {
		t.Errorf("relations:\n%s", diff)
	}
	if got := texts(t, m, "NYC"); !slices.Equal(got, []string{"Never sleeps!", "is huge"}) {
		t.Errorf("facts: %q", got)
	}
	history, err := m.Facts(t.Context(), acervo.FactsParams{Entity: named("NYC"), History: true})
	if err != nil || len(history.Facts) != 3 || !slices.Equal(history.Facts[0].SupersededBy, []string{"is huge"}) {
		t.Errorf("history: %+v, %v", history, err)
	}
	for _, f := range history.Facts {
		if f.Text == "Never sleeps!" && !slices.Equal(f.Sources, []string{"user", "song"}) {
			t.Errorf("sources of the same fact about both: %q", f.Sources)
		}
	}
	turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "¿cómo es NYC?"})
	if err != nil || !slices.Equal(turn.Mentioned, []string{"new_york_city"}) {
		t.Errorf("%+v, %v", turn, err)
	}
	if _, err := m.Merge(t.Context(), acervo.MergeParams{Keep: named("NYC"), Absorb: named("New York City")}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("an entity with itself: %v", err)
	}
	checkGraph(t, m.Owner())
}

// TestMergeUniversal merges two UNIVERSAL entities that two owners speak of.
func TestMergeUniversal(t *testing.T) {
	client := testClient(t)
	a, b := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	keep, absorb, third := "Keep "+a.Owner(), "Gone "+a.Owner(), "Third "+a.Owner()
	t.Cleanup(func() { removeWorld(t, keep, absorb, third) })
	upsert(t, client.World(), acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: keep, Type: "Tecnologia"}, {Name: absorb, Type: "Tecnologia"}, {Name: third, Type: "Tecnologia"}},
		Relations: []acervo.Relation{{From: absorb, Type: "PART_OF", To: third}},
		Facts:     []acervo.Fact{{Entity: absorb, Text: "is old"}},
	})
	for _, m := range []*acervo.Memory{a, b} {
		upsert(t, m, acervo.UpsertParams{
			Relations: []acervo.Relation{{From: "Yo", Type: "USA_TECNOLOGIA", To: absorb}, {From: third, Type: "RELACIONADO_CON", To: absorb}},
			Facts:     []acervo.Fact{{Entity: absorb, Text: "I like it"}},
		})
	}
	done, err := client.World().Merge(t.Context(), acervo.MergeParams{Keep: named(keep), Absorb: named(absorb)})
	if err != nil {
		t.Fatal(err)
	}
	if done.Relations != 5 || done.Facts != 3 || done.Sessions != 2 {
		t.Errorf("%+v", done)
	}
	for _, m := range []*acervo.Memory{a, b} {
		n := one(t, m, absorb)
		if n.Label != keep || len(n.Facts) != 2 || len(n.Relations) != 3 || n.Activation != layers.Hot {
			t.Errorf("%s sees %+v", m.Owner(), n)
		}
	}
	checkGraph(t, a.Owner(), b.Owner())
}

func TestMergeIntoUniversal(t *testing.T) {
	client := testClient(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	place := "Lugar " + m.Owner()
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar", Attributes: map[string]any{"pais": "AR"}}}})
	before := one(t, other, place)
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "el pueblo", Type: "Lugar", Attributes: map[string]any{"pais": "Argentina"}}},
		Relations: []acervo.Relation{{From: "Yo", Type: "VIVE_EN", To: "el pueblo"}}, Facts: []acervo.Fact{{Entity: "el pueblo", Text: "hace frío"}},
	})
	if _, err := m.Merge(t.Context(), acervo.MergeParams{Keep: named(place), Absorb: named("el pueblo")}); err != nil {
		t.Fatal(err)
	}
	n := one(t, m, "el pueblo")
	if n.Layer != layers.Universal || len(n.Relations) != 1 || !slices.Equal(texts(t, m, place), []string{"hace frío", "pais: Argentina"}) {
		t.Errorf("%+v", n)
	}
	if diff := cmp.Diff(before, one(t, other, place)); diff != "" {
		t.Errorf("another owner sees a change:\n%s", diff)
	}
	checkGraph(t, m.Owner(), other.Owner())
}

// TestMergeOwnIntoItsWorld merges an entity of an owner's own into the UNIVERSAL
// one of the same id, which came later.
func TestMergeOwnIntoItsWorld(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	place := "Pueblo " + m.Owner()
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: place, Type: "Lugar", Attributes: map[string]any{"pais": "Argentina"}}},
		Relations: []acervo.Relation{{From: "Yo", Type: "VIVE_EN", To: place}}, Facts: []acervo.Fact{{Entity: place, Text: "hace frío"}},
	})
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar", Attributes: map[string]any{"pais": "AR"}}}})
	likely, err := m.Duplicates(t.Context(), acervo.DuplicatesParams{})
	if err != nil || len(likely.Pairs) != 1 || likely.Pairs[0].A.Layer != layers.Personal || likely.Pairs[0].B.Layer != layers.Universal {
		t.Fatalf("%+v, %v", likely, err)
	}
	pair := likely.Pairs[0]
	params := acervo.MergeParams{Keep: acervo.EntityRef{ID: pair.B.ID, Layer: pair.B.Layer}, Absorb: acervo.EntityRef{Name: place, Layer: "personal"}}
	done, err := m.Merge(t.Context(), params)
	if err != nil || done.Facts != 1 || done.Relations != 1 || !slices.Equal(done.StatedAttributes, []string{"pais"}) {
		t.Fatalf("%+v, %v", done, err)
	}
	n := one(t, m, place)
	if n.Layer != layers.Universal || len(n.Relations) != 1 || n.Activation != layers.Hot || !slices.Equal(texts(t, m, place), []string{"hace frío", "pais: Argentina"}) {
		t.Errorf("%+v", n)
	}
	if _, err := m.Merge(t.Context(), params); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
	params.Absorb.Layer = "both"
	var faults *acervo.ValidationError
	if _, err := m.Merge(t.Context(), params); !errors.As(err, &faults) || len(faults.Faults) != 1 || faults.Faults[0].Field != "absorb_layer" {
		t.Errorf("a layer that is none: %v", err)
	}
	checkGraph(t, m.Owner())
}

// TestMergeInAliasChain leaves no name behind that came from the absorbed
// entity's ALIAS_OF.
func TestMergeInAliasChain(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: "A1", Type: "ALIAS_OF", To: "B1"}, {From: "B1", Type: "ALIAS_OF", To: "C1"}}})
	if _, err := m.Merge(t.Context(), acervo.MergeParams{Keep: named("A1"), Absorb: named("B1")}); err != nil {
		t.Fatal(err)
	}
	finds := func(name string, want ...string) {
		t.Helper()
		r, err := m.Node(t.Context(), acervo.NodeParams{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range r.Nodes {
			got = append(got, n.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", name, got, want)
		}
	}
	finds("A1", "a1", "c1")
	finds("B1", "a1")
	finds("C1", "a1", "c1")
	if _, err := m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: acervo.RelationRef{From: named("A1"), Type: "ALIAS_OF", To: acervo.EntityRef{ID: "c1"}}}); err != nil {
		t.Fatal(err)
	}
	finds("A1", "a1")
	finds("B1", "a1")
	finds("C1", "c1")
	if n := count(t, "MATCH (a:AcervoAlias {owner: $owner}) WHERE a.via IS NOT NULL RETURN count(a)", map[string]any{"owner": m.Owner()}); n != 0 {
		t.Errorf("%d names of the relation are left", n)
	}
	checkGraph(t, m.Owner())
}

func TestNames(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{{Name: "Butaco", Type: "Proyecto"}, {Name: "Otro", Type: "Proyecto"}},
		Facts:    []acervo.Fact{{Entity: "Butaco", Text: "es un ERP"}},
	})
	done, err := m.Rename(t.Context(), acervo.RenameParams{Entity: named("butaco"), Name: "Gestión Total"})
	if err != nil || !done.Changed || done.ID != "butaco" || done.Before != "Butaco" {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, name := range []string{"Butaco", "gestion total"} {
		n := one(t, m, name)
		if n.Label != "Gestión Total" || len(n.Facts) != 1 || !slices.Equal(n.Aliases, []string{"Butaco"}) {
			t.Errorf("%q finds %+v", name, n)
		}
	}
	if _, err := m.Rename(t.Context(), acervo.RenameParams{Entity: named("Butaco"), Name: "OTRO"}); !errors.Is(err, acervo.ErrConflict) {
		t.Errorf("a taken name: %v", err)
	}
	again, err := m.Rename(t.Context(), acervo.RenameParams{Entity: named("butaco"), Name: "Gestión Total"})
	if err != nil || again.Changed {
		t.Errorf("%+v, %v", again, err)
	}
	back, err := m.Rename(t.Context(), acervo.RenameParams{Entity: named("gestion total"), Name: "Butaco"})
	if err != nil || !slices.Equal(one(t, m, "Butaco").Aliases, []string{"Gestión Total"}) {
		t.Errorf("%+v, %v, aliases %q", back, err, one(t, m, "Butaco").Aliases)
	}

	params := acervo.AliasParams{Entity: named("Butaco"), Aliases: []string{"El ERP", "el erp", "C++"}}
	for i := range 2 {
		added, err := m.AddAlias(t.Context(), params)
		if err != nil || (len(added.Changed) > 0) != (i == 0) {
			t.Errorf("time %d: %+v, %v", i, added, err)
		}
	}
	if n := one(t, m, "EL ERP"); n.ID != "butaco" {
		t.Errorf("an alias finds %q", n.ID)
	}
	turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "¿Cómo va el ERP?"})
	if err != nil || !slices.Equal(turn.Mentioned, []string{"butaco"}) {
		t.Errorf("%+v, %v", turn, err)
	}
	removed, err := m.RemoveAlias(t.Context(), acervo.AliasParams{Entity: named("Butaco"), Aliases: []string{"EL ERP"}})
	if err != nil || len(removed.Changed) == 0 {
		t.Errorf("%+v, %v", removed, err)
	}
	if _, err := m.Node(t.Context(), acervo.NodeParams{Name: "el ERP"}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("a removed alias: %v", err)
	}
	if got := one(t, m, "Butaco").Aliases; !slices.Equal(got, []string{"Gestión Total", "C++"}) {
		t.Errorf("aliases: %q", got)
	}
	if _, err := m.RemoveAlias(t.Context(), acervo.AliasParams{Entity: named("Butaco"), Aliases: []string{"never"}}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("an alias that isn't there: %v", err)
	}
}

// TestAliasOf lets either name find both, until the relation is gone.
func TestAliasOf(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "Superman", Type: "Personaje"}, {Name: "Clark Kent", Type: "Personaje"}},
		Relations: []acervo.Relation{{From: "Superman", Type: "alias_of", To: "Clark Kent"}},
	})
	found := func(name string) []string {
		r, err := m.Node(t.Context(), acervo.NodeParams{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, n := range r.Nodes {
			ids = append(ids, n.ID)
			if len(n.Aliases) > 0 {
				t.Errorf("%s lists the aliases %q", n.ID, n.Aliases)
			}
		}
		return ids
	}
	both := []string{"clark_kent", "superman"}
	for _, name := range []string{"superman", "Clark Kent"} {
		if got := found(name); !slices.Equal(got, both) {
			t.Errorf("%q finds %q", name, got)
		}
		turn, err := m.Turn(t.Context(), acervo.TurnParams{Message: "hoy vi a " + name})
		slices.Sort(turn.Mentioned)
		if err != nil || !slices.Equal(turn.Mentioned, both) {
			t.Errorf("%q mentions %q, %v", name, turn.Mentioned, err)
		}
		// One name means its own entity where one is wanted.
		if n, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: name}); err != nil || n.Node.Label == "" || !containsAny(name, n.Node.Label, n.Node.ID) {
			t.Errorf("neighbors of %q: %+v, %v", name, n, err)
		}
	}
	if _, err := m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: acervo.RelationRef{From: named("Superman"), Type: "ALIAS_OF", To: named("Clark Kent")}}); err != nil {
		t.Fatal(err)
	}
	if got := found("Superman"); !slices.Equal(got, []string{"superman"}) {
		t.Errorf("after the relation ended, Superman finds %q", got)
	}
}

func TestDuplicates(t *testing.T) {
	client := testClient(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	shared := "Shared " + m.Owner()
	t.Cleanup(func() { removeWorld(t, shared) })
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{
		{Name: "Apple", Type: "Organizacion"}, {Name: "Apple", Type: "Obra"},
		{Name: "Peña", Type: "Persona"}, {Name: "Pena", Type: "Persona"},
		{Name: "Martina", Type: "Persona"}, {Name: "Marina", Type: "Persona"}, {Name: "Marino", Type: "Lugar"},
		{Name: "Altovallestudio", Type: "Organizacion"}, {Name: "Alto Valle Studio", Type: "Organizacion"},
		{Name: "Notice NB-2031-007 Rev A", Type: "Documento"}, {Name: "Notice NB-2031-007 Rev B", Type: "Documento"},
		{Name: "QX-2031-052", Type: "Documento"}, {Name: "QX-2031-053", Type: "Documento"},
		{Name: "Jefatura", Type: "Organizacion", Aliases: []string{"La Base"}}, {Name: "La base", Type: "Lugar", ID: "base_1"},
		{Name: shared, Type: "Persona"},
	}})
	upsert(t, other, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Martín", Type: "Persona"}, {Name: "Apple", Type: "Lugar"}}})
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: shared, Type: "Lugar"}}})
	before := dump(t)
	var got []string
	params := acervo.DuplicatesParams{Limit: 2}
	for {
		r, err := m.Duplicates(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Pairs {
			id := p.A.ID + " " + p.B.ID
			if p.A.Label == shared {
				id = "shared shared"
			}
			got = append(got, fmt.Sprint(id, " ", p.Reason, " ", p.Distance))
		}
		if params.After = r.Next; params.After == "" {
			break
		}
	}
	want := []string{
		"altovallestudio alto_valle_studio edit_distance 2", "apple apple__obra same_name 0", "base_1 jefatura alias 0",
		"marina martina edit_distance 1", "pena peña accent 0", "shared shared same_name 0",
	}
	slices.Sort(got)
	want[0] = "alto_valle_studio altovallestudio edit_distance 2"
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("looking for duplicates wrote:\n%s", diff)
	}
}

// TestWritesInTransactions joins every new write to a caller's transaction and
// rolls it back.
func TestWritesInTransactions(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: "A", Type: "Persona", Aliases: []string{"Aa"}}, {Name: "B", Type: "Persona"}},
		Relations: []acervo.Relation{{From: "A", Type: "CONOCE_A", To: "C"}}, Facts: []acervo.Fact{{Entity: "A", Text: "x"}},
	})
	place := "P " + m.Owner()
	t.Cleanup(func() { removeWorld(t, place) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}})
	before := dump(t)
	ref := acervo.RelationRef{From: named("A"), Type: "CONOCE_A", To: named("C")}
	for name, write := range map[string]func(tx acervo.Tx) error{
		"correct": func(tx acervo.Tx) error {
			return errOf(m.CorrectFactTx(t.Context(), tx, acervo.CorrectFactParams{Entity: named("A"), Text: "x", Correction: "y"}))
		},
		"retract": func(tx acervo.Tx) error {
			return errOf(m.RetractFactTx(t.Context(), tx, acervo.RetractFactParams{Entity: named("A"), Text: "x"}))
		},
		"end relation": func(tx acervo.Tx) error {
			return errOf(m.EndRelationTx(t.Context(), tx, acervo.EndRelationParams{RelationRef: ref}))
		},
		"remove relation": func(tx acervo.Tx) error {
			return errOf(m.RemoveRelationTx(t.Context(), tx, acervo.RemoveRelationParams{RelationRef: ref}))
		},
		"rename": func(tx acervo.Tx) error {
			return errOf(m.RenameTx(t.Context(), tx, acervo.RenameParams{Entity: named("A"), Name: "Z"}))
		},
		"add alias": func(tx acervo.Tx) error {
			return errOf(m.AddAliasTx(t.Context(), tx, acervo.AliasParams{Entity: named("A"), Aliases: []string{"Z"}}))
		},
		"remove alias": func(tx acervo.Tx) error {
			return errOf(m.RemoveAliasTx(t.Context(), tx, acervo.AliasParams{Entity: named("A"), Aliases: []string{"Aa"}}))
		},
		"merge": func(tx acervo.Tx) error {
			return errOf(m.MergeTx(t.Context(), tx, acervo.MergeParams{Keep: named("A"), Absorb: named("B")}))
		},
		"promote": func(tx acervo.Tx) error {
			return errOf(m.PromoteTx(t.Context(), tx, acervo.PromoteParams{Entity: named("B")}))
		},
		"remove entity": func(tx acervo.Tx) error {
			return errOf(m.RemoveEntityTx(t.Context(), tx, acervo.RemoveEntityParams{Entity: named("A")}))
		},
		"verify": func(tx acervo.Tx) error {
			return errOf(client.World().VerifyTx(t.Context(), tx, acervo.VerifyParams{Entities: []acervo.EntityRef{named(place)}}))
		},
	} {
		session := testDriver(t).NewSession(t.Context(), sessionConfig)
		tx, err := session.BeginTransaction(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := write(tx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := errors.Join(tx.Rollback(t.Context()), session.Close(t.Context())); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, dump(t)); diff != "" {
			t.Errorf("%s was done outside of the transaction:\n%s", name, diff)
		}
	}
	tx := begin(t)
	defer tx.Close(t.Context())
	if _, err := m.MergeTx(t.Context(), tx, acervo.MergeParams{Keep: named("A"), Absorb: named("B"), DryRun: true}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a dry run in a caller's transaction: %v", err)
	}
}

// TestMergeRing merges three entities into each other at once: one is left, with
// everything that was known of the three.
func TestMergeRing(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	for round := range 5 {
		names := []string{fmt.Sprint("uno ", round), fmt.Sprint("dos ", round), fmt.Sprint("tres ", round)}
		for _, name := range names {
			upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: name, Text: "known of " + name}}})
		}
		var wg sync.WaitGroup
		for i, name := range names {
			wg.Go(func() {
				_, err := m.Merge(t.Context(), acervo.MergeParams{Keep: named(name), Absorb: named(names[(i+1)%3])})
				if err != nil && !errors.Is(err, acervo.ErrInvalid) { // they may be one by then
					t.Error(err)
				}
			})
			wg.Go(func() { // and it is spoken of meanwhile
				if _, err := m.UpsertEntities(t.Context(), acervo.UpsertParams{
					Relations: []acervo.Relation{{From: "Yo", Type: "CONOCE_A", To: name}}, Facts: []acervo.Fact{{Entity: name, Text: "also of " + name}},
				}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		checkGraph(t, m.Owner())
		facts := 0
		seen := map[string]bool{}
		for _, name := range names {
			n := one(t, m, name)
			if !seen[n.ID] {
				facts += len(n.Facts)
			}
			seen[n.ID] = true
		}
		if len(seen) != 1 || facts != 6 {
			t.Errorf("round %d: %d entities are left, with %d facts", round, len(seen), facts)
		}
	}
}
