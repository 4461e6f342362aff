package integration

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// ticking is a client whose clock the test sets.
func ticking(t testing.TB, now *time.Time) *acervo.Client {
	t.Helper()
	return migrated(t, acervo.New(testDriver(t), &acervo.Options{Clock: func() time.Time { return *now }}))
}

func named(name string) acervo.EntityRef { return acervo.EntityRef{Name: name} }

func texts(t testing.TB, m *acervo.Memory, name string) []string {
	t.Helper()
	var list []string
	for _, f := range one(t, m, name).Facts {
		list = append(list, f.Text)
	}
	return list
}

// targets lists where the relations of one type lead from an entity.
func targets(t testing.TB, m *acervo.Memory, name, typ string) []string {
	t.Helper()
	var list []string
	for _, r := range one(t, m, name).Relations {
		if r.Type == typ && r.Outgoing {
			list = append(list, r.Neighbor.ID)
		}
	}
	slices.Sort(list)
	return list
}

func TestCorrectFact(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	start := now
	m := ticking(t, &now).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Ana", Text: "Ana trabaja en Acme"}, {Entity: "Ana", Text: "Ana toca el bajo"}}})
	now = now.Add(24 * time.Hour)
	params := acervo.CorrectFactParams{Entity: named("ana"), Text: "ana TRABAJA en acme.", Correction: "Ana trabaja en Globex", Source: "mail"}
	done, err := m.CorrectFact(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	want := acervo.CorrectFactResult{
		Entity: "ana", Layer: layers.Personal, Text: "Ana trabaja en Acme", Correction: "Ana trabaja en Globex", Corrected: true, Created: true, ValidTo: now,
	}
	if diff := cmp.Diff(&want, done); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := texts(t, m, "Ana"); !slices.Equal(got, []string{"Ana toca el bajo", "Ana trabaja en Globex"}) {
		t.Errorf("current facts: %q", got)
	}
	if got := texts(t, m.AsOf(start.Add(time.Hour)), "Ana"); !slices.Equal(got, []string{"Ana trabaja en Acme", "Ana toca el bajo"}) {
		t.Errorf("facts as of the first day: %q", got)
	}
	if got := texts(t, m.AsOf(now), "Ana"); !slices.Equal(got, []string{"Ana toca el bajo", "Ana trabaja en Globex"}) {
		t.Errorf("valid_to is exclusive; facts as of then: %q", got)
	}
	if got := texts(t, m.AsOf(start.Add(-time.Second)), "Ana"); got != nil {
		t.Errorf("facts before the first was said: %q", got)
	}
	history, err := m.Facts(t.Context(), acervo.FactsParams{Entity: named("Ana"), History: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(history.Facts) != 3 {
		t.Fatalf("the history has %d facts: %+v", len(history.Facts), history.Facts)
	}
	old, correction := history.Facts[0], history.Facts[2]
	if old.Text != "Ana trabaja en Acme" || old.ValidTo == nil || !old.ValidTo.Equal(now) || !slices.Equal(old.SupersededBy, []string{correction.Text}) {
		t.Errorf("the old fact is %+v", old)
	}
	if correction.ValidTo != nil || !slices.Equal(correction.Supersedes, []string{old.Text}) || !slices.Equal(correction.Sources, []string{"mail"}) {
		t.Errorf("the correction is %+v", correction)
	}

	again, err := m.CorrectFact(t.Context(), params)
	if err != nil || again.Corrected || !again.ValidTo.Equal(now) {
		t.Errorf("the same correction again: %+v, %v", again, err)
	}
	if _, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Ana"), Text: "Ana toca el bajo", Correction: " Ana toca el bajo"}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a correction that says the same: %v", err)
	}
	if n := count(t, "MATCH (:AcervoEntity {owner: $owner})-[:HAD_FACT]->(f) RETURN count(f)", map[string]any{"owner": m.Owner()}); n != 1 {
		t.Errorf("%d old facts after the same correction again", n)
	}

	// Stated once more, it is current again, and its first life stays in the history.
	now = now.Add(24 * time.Hour)
	upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Ana", Text: "Ana trabaja en Acme"}}})
	if got := texts(t, m, "Ana"); !slices.Contains(got, "Ana trabaja en Acme") {
		t.Errorf("a fact stated again isn't current: %q", got)
	}
	if history, err = m.Facts(t.Context(), acervo.FactsParams{Entity: named("Ana"), History: true}); err != nil || len(history.Facts) != 4 {
		t.Errorf("%+v, %v", history, err)
	}
}

func TestRetractFact(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	start := now
	client := ticking(t, &now)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	place := "Plaza " + m.Owner()
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}}, Facts: []acervo.Fact{{Entity: place, Text: "es una plaza"}}})
	t.Cleanup(func() { removeWorld(t, place) })
	for _, o := range []*acervo.Memory{m, other} {
		upsert(t, o, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: place, Text: "me gusta"}}})
	}
	now = now.Add(time.Hour)
	done, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(place), Text: "Me gusta", DryRun: true})
	if err != nil || !done.Retracted || !done.DryRun {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := texts(t, m, place); len(got) != 2 {
		t.Fatalf("a dry run changed the facts: %q", got)
	}
	for i := range 2 {
		done, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(place), Text: "Me gusta"})
		if err != nil || done.Retracted != (i == 0) || !done.ValidTo.Equal(now) {
			t.Errorf("time %d: %+v, %v", i, done, err)
		}
	}
	if got := texts(t, m, place); !slices.Equal(got, []string{"es una plaza"}) {
		t.Errorf("facts: %q", got)
	}
	if got := texts(t, other, place); !slices.Contains(got, "me gusta") {
		t.Errorf("another owner's fact went too: %q", got)
	}
	if got := texts(t, m.AsOf(start), place); !slices.Contains(got, "me gusta") {
		t.Errorf("facts as of the start: %q", got)
	}
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(place), Text: "es una plaza"}); !errors.Is(err, acervo.ErrImmutable) {
		t.Errorf("a UNIVERSAL fact: %v", err)
	}
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(place), Text: "es un río"}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("a fact that nobody said: %v", err)
	}
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named("nobody at all"), Text: "x"}); !errors.Is(err, acervo.ErrNotFound) {
		t.Errorf("an entity that isn't there: %v", err)
	}
	if _, err := other.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(place), Text: "me gusta", At: start.Add(-time.Hour)}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("an end before the beginning: %v", err)
	}
	removed, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(place), Text: "me gusta", Remove: true})
	if err != nil || removed.Removed != 1 {
		t.Errorf("%+v, %v", removed, err)
	}
	if n := count(t, "MATCH (f:AcervoFact {owner: $owner}) RETURN count(f)", map[string]any{"owner": m.Owner()}); n != 0 {
		t.Errorf("%d facts are left", n)
	}
}

// removeWorld removes what a test put into the UNIVERSAL layer.
func removeWorld(t testing.TB, names ...string) {
	query(t, `MATCH (e:AcervoEntity {owner: 'world'}) WHERE e.label IN $names
		OPTIONAL MATCH (e)-[:HAS_FACT|HAD_FACT]->(f)
		OPTIONAL MATCH (a:AcervoAlias) WHERE a.entity = 'w:' + e.id
		OPTIONAL MATCH (r:AcervoReference) WHERE r.id = e.id
		DETACH DELETE e, f, a, r`, map[string]any{"names": names})
}

func TestSingleValuedRelations(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	client := ticking(t, &now)
	m := client.Memory(testOwner(t))
	related := func(from, typ, to string, since time.Time) acervo.RelationResult {
		t.Helper()
		return upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: from, Type: typ, To: to, ValidFrom: since}}}).Relations[0]
	}
	last := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	related("Ana", "lives_in", "Roca", last.AddDate(0, -1, 0))
	related("Ana", "works_at", "Acme", time.Time{})
	if r := related("Ana", "VIVE_EN", "Cipo", time.Time{}); !slices.Equal(r.Ended, []string{"roca"}) {
		t.Errorf("moving ended %q", r.Ended)
	}
	related("Ana", "admin_of", "AcmeGit", time.Time{})
	if got := targets(t, m, "Ana", "VIVE_EN"); !slices.Equal(got, []string{"cipo"}) {
		t.Errorf("lives in %q", got)
	}
	if got := targets(t, m.AsOf(last), "Ana", "VIVE_EN"); !slices.Equal(got, []string{"roca"}) {
		t.Errorf("lived a year ago in %q", got)
	}
	if got := targets(t, m, "Ana", "TRABAJA_EN"); !slices.Equal(got, []string{"acme"}) {
		t.Errorf("works at %q", got)
	}
	related("Ana", "works_at", "Globex", time.Time{})
	if got := targets(t, m, "Ana", "TRABAJA_EN"); !slices.Equal(got, []string{"acme", "globex"}) {
		t.Errorf("a relation with many values lost one: %q", got)
	}
	if n := count(t, "MATCH (n:AcervoEnded {owner: $owner}) WHERE n.from = 'p:ana' AND n.to = 'p:roca' AND n.type = 'VIVE_EN' AND n.source = 'user_assertion' RETURN count(n)", map[string]any{"owner": m.Owner()}); n != 1 {
		t.Errorf("%d nodes hold the relation that ended", n)
	}

	// What is said late about an earlier time doesn't change what is current.
	if r := related("Ana", "VIVE_EN", "Neuquén", last.AddDate(-5, 0, 0)); !slices.Equal(r.Ended, []string{"neuquen"}) {
		t.Errorf("an earlier home ended %q", r.Ended)
	}
	if got := targets(t, m, "Ana", "VIVE_EN"); !slices.Equal(got, []string{"cipo"}) {
		t.Errorf("after an earlier home was stated, lives in %q", got)
	}
	if got := targets(t, m.AsOf(last.AddDate(-2, 0, 0)), "Ana", "VIVE_EN"); !slices.Equal(got, []string{"neuquen"}) {
		t.Errorf("three years ago, lived in %q", got)
	}

	// Two in one batch: the last one counts. The same again: nothing ends.
	both := acervo.UpsertParams{Relations: []acervo.Relation{{From: "Beto", Type: "VIVE_EN", To: "Roca"}, {From: "Beto", Type: "VIVE_EN", To: "Allen"}}}
	upsert(t, m, both)
	if got := targets(t, m, "Beto", "VIVE_EN"); !slices.Equal(got, []string{"allen"}) {
		t.Errorf("two homes in one batch: %q", got)
	}
	if r := related("Beto", "VIVE_EN", "Allen", time.Time{}); r.Created || r.Ended != nil {
		t.Errorf("the same home again: %+v", r)
	}

	// Any relation can be declared so, and the declaration taken back.
	name, yes, no := "es jefe-de "+m.Owner()[:12], true, false
	if _, err := client.RegisterRelation(t.Context(), acervo.RegisterRelationParams{Name: name, SingleValued: &yes}); err != nil {
		t.Fatal(err)
	}
	related("Ana", name, "Beto", time.Time{})
	now = now.Add(time.Hour)
	related("Ana", name, "Caro", time.Time{})
	if got := targets(t, m, "Ana", name); !slices.Equal(got, []string{"caro"}) {
		t.Errorf("a relation declared single-valued leads to %q", got)
	}
	if _, err := client.RegisterRelation(t.Context(), acervo.RegisterRelationParams{Name: name, SingleValued: &no}); err != nil {
		t.Fatal(err)
	}
	related("Ana", name, "Dani", time.Time{})
	if got := targets(t, m, "Ana", name); !slices.Equal(got, []string{"caro", "dani"}) {
		t.Errorf("a relation no longer single-valued leads to %q", got)
	}
}

// TestSingleValuedAgain states again what was stated: nothing changes, neither what
// is current nor what was.
func TestSingleValuedAgain(t *testing.T) {
	client := testClient(t)
	day := func(year int) time.Time { return time.Date(year, 5, 1, 0, 0, 0, 0, time.UTC) }
	lives := func(who, where string, since time.Time) acervo.Relation {
		return acervo.Relation{From: who, Type: "VIVE_EN", To: where, ValidFrom: since}
	}
	now := time.Time{}
	for name, c := range map[string]struct {
		batches [][]acervo.Relation
		current []string
		at      map[int][]string // on the first of May
		ended   int64
	}{
		"taken back in one batch": {batches: [][]acervo.Relation{{lives("Ana", "Roca", now), lives("Ana", "Cipo", now)}}, current: []string{"cipo"}},
		"with times": {batches: [][]acervo.Relation{{lives("Ana", "Roca", day(2020)), lives("Ana", "Cipo", day(2022))}}, current: []string{"cipo"}, ended: 1,
			at: map[int][]string{2021: {"roca"}, 2023: {"cipo"}}},
		"one with a time": {batches: [][]acervo.Relation{{lives("Ana", "Roca", day(2020)), lives("Ana", "Cipo", now)}}, current: []string{"cipo"}, ended: 1, at: map[int][]string{2021: {"roca"}}},
		"stated late, between two": {batches: [][]acervo.Relation{{lives("Ana", "Roca", day(2020))}, {lives("Ana", "Cipo", day(2024))}, {lives("Ana", "Allen", day(2022))}},
			current: []string{"cipo"}, ended: 2, at: map[int][]string{2021: {"roca"}, 2023: {"allen"}, 2025: {"cipo"}}},
		"stated late, before one that is over": {batches: [][]acervo.Relation{{lives("Ana", "Roca", day(2022))}, {lives("Ana", "Cipo", day(2024))}, {lives("Ana", "Allen", day(2020))}},
			current: []string{"cipo"}, ended: 2, at: map[int][]string{2021: {"allen"}, 2023: {"roca"}, 2025: {"cipo"}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := client.Memory(testOwner(t))
			for round := range 3 {
				for _, b := range c.batches {
					upsert(t, m, acervo.UpsertParams{Relations: b})
				}
				if got := targets(t, m, "Ana", "VIVE_EN"); !slices.Equal(got, c.current) {
					t.Errorf("round %d: now %q", round, got)
				}
				for year, want := range c.at {
					if got := targets(t, m.AsOf(day(year).Add(5*time.Hour)), "Ana", "VIVE_EN"); !slices.Equal(got, want) {
						t.Errorf("round %d: in %d %q, want %q", round, year, got, want)
					}
				}
				if n := count(t, "MATCH (n:AcervoEnded {owner: $owner}) RETURN count(n)", map[string]any{"owner": m.Owner()}); n != c.ended {
					t.Errorf("round %d: %d have ended, want %d", round, n, c.ended)
				}
			}
		})
	}

	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{lives("Bob", "Roca", day(2020)), lives("Bobby", "Cipo", day(2022))}})
	merged, err := m.Merge(t.Context(), acervo.MergeParams{Keep: acervo.EntityRef{Name: "Bob"}, Absorb: acervo.EntityRef{Name: "Bobby"}})
	if err != nil || merged.EndedRelations != 1 {
		t.Fatalf("%+v, %v", merged, err)
	}
	if got := targets(t, m, "Bob", "VIVE_EN"); !slices.Equal(got, []string{"cipo"}) {
		t.Errorf("merged: now %q", got)
	}
	if got := targets(t, m.AsOf(day(2021)), "Bob", "VIVE_EN"); !slices.Equal(got, []string{"roca"}) {
		t.Errorf("merged: in 2021 %q", got)
	}
}

// TestSingleValuedOfUniversal ends relations of one owner at entities of the
// UNIVERSAL layer, and of no other.
func TestSingleValuedOfUniversal(t *testing.T) {
	client := testClient(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	hero, a, b := "Hero "+m.Owner(), "A "+m.Owner(), "B "+m.Owner()
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: hero, Type: "Personaje"}, {Name: a, Type: "Lugar"}, {Name: b, Type: "Lugar"}}})
	t.Cleanup(func() { removeWorld(t, hero, a, b) })
	lives := func(m *acervo.Memory, from, to string) {
		upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: from, Type: "VIVE_EN", To: to}}})
	}
	for _, o := range []*acervo.Memory{m, other} {
		lives(o, hero, a)
		lives(o, "Yo", a)
	}
	lives(m, hero, b)
	lives(m, "Yo", b)
	for name, want := range map[string]int{hero: 1, "Yo": 1} {
		mine, theirs := targets(t, m, name, "VIVE_EN"), targets(t, other, name, "VIVE_EN")
		if len(mine) != want || len(theirs) != want || mine[0][0] != 'b' || theirs[0][0] != 'a' {
			t.Errorf("%s: mine %q, theirs %q", name, mine, theirs)
		}
	}
	if n := count(t, "MATCH (r:AcervoReference {owner: $owner})-[f:REFERS]->() RETURN count(f)", map[string]any{"owner": m.Owner()}); n != 2 {
		t.Errorf("%d references are left, want one for each current relation", n)
	}
}

// TestSingleValuedRace states two homes at once, again and again: one is current.
func TestSingleValuedRace(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}, {Name: "A", Type: "Lugar"}, {Name: "B", Type: "Lugar"}}})
	for range 5 {
		var wg sync.WaitGroup
		for _, to := range []string{"A", "B"} {
			wg.Go(func() {
				if _, err := m.UpsertEntities(t.Context(), acervo.UpsertParams{Relations: []acervo.Relation{{From: "Ana", Type: "VIVE_EN", To: to}}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := targets(t, m, "Ana", "VIVE_EN"); len(got) != 1 {
			t.Fatalf("lives in %q", got)
		}
	}
}

func TestEndRelation(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	start := now
	client := ticking(t, &now)
	m := client.Memory(testOwner(t))
	for _, typ := range []string{"TRABAJA_EN", "由…组成"} {
		upsert(t, m, acervo.UpsertParams{Relations: []acervo.Relation{{From: "Ana", Type: typ, To: "Acme"}}})
		now = now.Add(time.Hour)
		ref := acervo.RelationRef{From: named("ana"), Type: typ, To: named("ACME")}
		if _, err := m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: ref, At: start.Add(-time.Hour)}); !errors.Is(err, acervo.ErrInvalid) {
			t.Errorf("an end before the beginning: %v", err)
		}
		for i := range 2 {
			done, err := m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: ref})
			if err != nil || done.Ended != (i == 0) || !done.ValidTo.Equal(now) || done.Type != typ {
				t.Errorf("time %d: %+v, %v", i, done, err)
			}
		}
		if got := targets(t, m, "Ana", typ); got != nil {
			t.Errorf("still leads to %q", got)
		}
		if got := targets(t, m.AsOf(now.Add(-time.Minute)), "Ana", typ); !slices.Equal(got, []string{"acme"}) {
			t.Errorf("led before to %q", got)
		}
		history, err := m.Neighbors(t.Context(), acervo.NeighborsParams{Name: "Acme", Relation: typ, History: true})
		if err != nil || len(history.Relations) != 1 || history.Relations[0].Outgoing || history.Relations[0].ValidTo == nil {
			t.Errorf("the history from the other end: %+v, %v", history, err)
		}
		removed, err := m.RemoveRelation(t.Context(), acervo.RemoveRelationParams{RelationRef: ref, DryRun: true})
		if err != nil || removed.Removed || removed.Ended != 1 {
			t.Errorf("dry run: %+v, %v", removed, err)
		}
		removed, err = m.RemoveRelation(t.Context(), acervo.RemoveRelationParams{RelationRef: ref})
		if err != nil || removed.Removed || removed.Ended != 1 {
			t.Errorf("%+v, %v", removed, err)
		}
		if _, err = m.RemoveRelation(t.Context(), acervo.RemoveRelationParams{RelationRef: ref}); !errors.Is(err, acervo.ErrNotFound) {
			t.Errorf("once more: %v", err)
		}
		if _, err = m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: ref}); !errors.Is(err, acervo.ErrNotFound) {
			t.Errorf("an end of what isn't there: %v", err)
		}
	}
	all, err := m.Relations(t.Context(), acervo.RelationsParams{History: true, Layer: layers.Personal})
	if err != nil || len(all.Relations) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := m.AsOf(now).EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: acervo.RelationRef{From: named("Ana"), Type: "X", To: named("Acme")}}); !errors.Is(err, acervo.ErrInvalid) {
		t.Errorf("a write to the past: %v", err)
	}
}

// TestTimesAreUTC states and ends across a daylight-saving gap with a clock that
// is far from UTC.
func TestTimesAreUTC(t *testing.T) {
	kolkata := time.FixedZone("IST", 5*3600+1800)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	before := time.Date(2026, 3, 29, 1, 59, 59, 0, berlin) // an hour is left out a second later
	now := before.In(kolkata)
	m := ticking(t, &now).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{
		Relations: []acervo.Relation{{From: "Ana", Type: "TRABAJA_EN", To: "Acme", ValidFrom: before}},
		Facts:     []acervo.Fact{{Entity: "Ana", Text: "x", ValidFrom: before}},
	})
	after := time.Date(2026, 3, 29, 3, 0, 0, 0, berlin)
	now = after.In(kolkata)
	if after.Sub(before) != time.Second {
		t.Fatal("no gap")
	}
	if _, err := m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: acervo.RelationRef{From: named("Ana"), Type: "TRABAJA_EN", To: named("Acme")}, At: after}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named("Ana"), Text: "x"}); err != nil {
		t.Fatal(err)
	}
	records := query(t, `MATCH (f:AcervoFact {owner: $owner}) MATCH (n:AcervoEnded {owner: $owner})
		RETURN [toString(f.valid_from), toString(f.valid_to), toString(n.valid_from), toString(n.valid_to)] AS times`, map[string]any{"owner": m.Owner()})
	want := []any{"2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"}
	if diff := cmp.Diff(want, records[0].Values[0]); diff != "" {
		t.Errorf("stored times (-want +got):\n%s", diff)
	}
	for at, there := range map[time.Time]bool{before.Add(-time.Second): false, before: true, after.Add(-time.Nanosecond): true, after: false} {
		n := one(t, m.AsOf(at), "Ana")
		if (len(n.Facts) == 1) != there || (len(n.Relations) == 1) != there {
			t.Errorf("as of %s: %d facts, %d relations", at.UTC(), len(n.Facts), len(n.Relations))
		}
	}
}

// TestAsOfIsForReading calls everything of a view of the past: what it can't
// answer for that time, it refuses.
func TestAsOfIsForReading(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	upsert(t, m, acervo.UpsertParams{Facts: []acervo.Fact{{Entity: "Kim", Text: "x"}, {Entity: "Angular", Text: "y"}}})
	before := dump(t)
	past := []string{"Node", "Node as of", "Node of the world", "Nodes", "Nodes of a type", "Nodes that are hot", "Pending", "Neighbors", "Relations", "Facts", "Materialize"}
	for name, c := range memoryCalls("Angular") {
		_, err := c.run(t, m.AsOf(time.Now().Add(-time.Hour)))
		if slices.Contains(past, name) && err != nil || !slices.Contains(past, name) && !errors.Is(err, acervo.ErrInvalid) {
			t.Errorf("%s of the past: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("a view of the past wrote:\n%s", diff)
	}
}
