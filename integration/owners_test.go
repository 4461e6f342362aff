package integration

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
)

// call is one call of a memory with names that other owners use too.
type call struct {
	// reads: the answer holds something of the owner, if they said it.
	reads bool
	run   func(t *testing.T, m *acervo.Memory) (any, error)
}

// kim and angular are what two owners speak of: an entity of each one's own, and
// a UNIVERSAL one.
func memoryCalls(angular string) map[string]call {
	kim := named("Kim")
	relation := acervo.RelationRef{From: kim, Type: "TRABAJA_EN", To: named("Acme")}
	text := func(format acervo.ExportFormat) func(t *testing.T, m *acervo.Memory) (any, error) {
		return func(t *testing.T, m *acervo.Memory) (any, error) {
			var b bytes.Buffer
			_, err := m.Export(t.Context(), &b, acervo.ExportParams{Format: format})
			return b.String(), err
		}
	}
	reads := func(run func(t *testing.T, m *acervo.Memory) (any, error)) call { return call{true, run} }
	writes := func(run func(t *testing.T, m *acervo.Memory) (any, error)) call { return call{false, run} }
	return map[string]call{
		"Node": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Node(t.Context(), acervo.NodeParams{Name: "Kim"})
		}),
		"Node of the world": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Node(t.Context(), acervo.NodeParams{Name: angular})
		}),
		"Node as of": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.AsOf(time.Now()).Node(t.Context(), acervo.NodeParams{Name: angular})
		}),
		"Nodes": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Nodes(t.Context(), acervo.NodesParams{Limit: 1000})
		}),
		"Nodes of a type": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Nodes(t.Context(), acervo.NodesParams{Type: "Persona", Limit: 1000})
		}),
		"Nodes that are hot": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Nodes(t.Context(), acervo.NodesParams{Activation: layers.Hot})
		}),
		"Pending": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Pending(t.Context(), acervo.PendingParams{Limit: 1000})
		}),
		"Neighbors": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Neighbors(t.Context(), acervo.NeighborsParams{Name: angular, History: true})
		}),
		"Relations": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Relations(t.Context(), acervo.RelationsParams{History: true, Limit: 1000})
		}),
		"Facts": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Facts(t.Context(), acervo.FactsParams{Entity: named(angular), History: true})
		}),
		"Materialize": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Materialize(t.Context(), acervo.MaterializeParams{Message: "Kim y " + angular, Budget: 10000})
		}),
		"Turn": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Turn(t.Context(), acervo.TurnParams{Message: "Kim y " + angular, Budget: 10000})
		}),
		"Search": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Search(t.Context(), acervo.SearchParams{Text: "Kim Acme is mine fast tall " + angular, Limit: 100})
		}),
		"Search by all ways": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Search(t.Context(), acervo.SearchParams{Text: "Kim Acme is mine fast tall " + angular, Limit: 100, Ways: []acervo.SearchWay{acervo.ByText, acervo.ByVectors, acervo.ByGraph}})
		}),
		"Search by vectors": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Search(t.Context(), acervo.SearchParams{Text: "Kim Acme is mine fast tall " + angular, Limit: 100, Ways: []acervo.SearchWay{acervo.ByVectors}})
		}),
		"Duplicates": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Duplicates(t.Context(), acervo.DuplicatesParams{})
		}),
		"Status":            reads(func(t *testing.T, m *acervo.Memory) (any, error) { return m.Status(t.Context()) }),
		"Export":            reads(text(acervo.FormatJSONLines)),
		"Export as Mermaid": reads(text(acervo.FormatMermaid)),
		"Export as GraphML": reads(text(acervo.FormatGraphML)),
		"Export as Cypher":  reads(text(acervo.FormatCypher)),
		"ExportAcervoJSON": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			var nodes, edges bytes.Buffer
			_, err := m.ExportAcervoJSON(t.Context(), &nodes, &edges)
			return nodes.String() + edges.String(), err
		}),
		"Forget, counted": reads(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Forget(t.Context(), acervo.ForgetParams{DryRun: true})
		}),
		"RemoveEntity": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.RemoveEntity(t.Context(), acervo.RemoveEntityParams{Entity: kim, DryRun: true})
		}),
		"RemoveRelation": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.RemoveRelation(t.Context(), acervo.RemoveRelationParams{RelationRef: relation, DryRun: true})
		}),
		"EndRelation": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: relation})
		}),
		"CorrectFact": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named(angular), Text: "is mine", Correction: "is theirs"})
		}),
		"RetractFact": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(angular), Text: "is slow", DryRun: true})
		}),
		"Verify": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Verify(t.Context(), acervo.VerifyParams{Entities: []acervo.EntityRef{kim}})
		}),
		"Promote": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Promote(t.Context(), acervo.PromoteParams{Entity: kim, Preview: true})
		}),
		"Merge": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Merge(t.Context(), acervo.MergeParams{Keep: kim, Absorb: named("Acme"), DryRun: true})
		}),
		"Rename": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Rename(t.Context(), acervo.RenameParams{Entity: kim, Name: "Kim Two"})
		}),
		"AddAlias": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.AddAlias(t.Context(), acervo.AliasParams{Entity: named(angular), Aliases: []string{"NG"}})
		}),
		"RemoveAlias": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.RemoveAlias(t.Context(), acervo.AliasParams{Entity: named(angular), Aliases: []string{"NG"}})
		}),
		"Mention": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Mention(t.Context(), acervo.MentionParams{Names: []string{"Kim", angular}})
		}),
		"CycleStatus": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.CycleStatus(t.Context(), acervo.CycleStatusParams{})
		}),
		"UpsertEntities": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.UpsertEntities(t.Context(), acervo.UpsertParams{Facts: []acervo.Fact{{Entity: angular, Text: "is tall"}}})
		}),
		"Check": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return nil, m.Check(acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Kim"}}})
		}),
		"Import": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Import(t.Context(), strings.NewReader(fmt.Sprintf(`{"header":{"format":1,"owner":%q}}`, m.Owner())), acervo.ImportParams{})
		}),
		"ImportAcervoJSON": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.ImportAcervoJSON(t.Context(), fstest.MapFS{"nodes.json": {Data: []byte("[]")}, "edges.json": {Data: []byte("[]")}})
		}),
		"Reembed": writes(func(t *testing.T, m *acervo.Memory) (any, error) {
			return m.Reembed(t.Context(), acervo.ReembedParams{})
		}),
		"Forget": writes(func(t *testing.T, m *acervo.Memory) (any, error) { return m.Forget(t.Context(), acervo.ForgetParams{}) }),
	}
}

// speak lets an owner speak of Kim and Angular, with a word of their own in
// everything.
func speak(t testing.TB, m *acervo.Memory, word, angular string) {
	t.Helper()
	upsert(t, m, acervo.UpsertParams{
		Entities: []acervo.Entity{
			{Name: "Kim", Type: "Persona", Aliases: []string{word + " Kimmy"}, Attributes: map[string]any{"rol": word + " boss"}}, {Name: word + " thing"},
			{Name: angular, Type: "Tecnologia", Aliases: []string{word + " ng"}, Attributes: map[string]any{"version": word}}, {Name: word + "son", Type: "Persona"}, {Name: word + "sen", Type: "Persona"},
		},
		Relations: []acervo.Relation{{From: "Kim", Type: "TRABAJA_EN", To: "Acme"}, {From: "Kim", Type: "USA_TECNOLOGIA", To: angular}, {From: word + " friend", Type: "GUSTA_DE", To: angular}, {From: "Kim", Type: "VIVE_EN", To: word + " town"}},
		Facts:     []acervo.Fact{{Entity: "Kim", Text: "Kim says " + word}, {Entity: angular, Text: "is " + word}, {Entity: angular, Text: "was " + word, Source: word}},
	})
	if _, err := m.RetractFact(t.Context(), acervo.RetractFactParams{Entity: named(angular), Text: "was " + word}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.EndRelation(t.Context(), acervo.EndRelationParams{RelationRef: acervo.RelationRef{From: named(word + " friend"), Type: "GUSTA_DE", To: named(angular)}}); err != nil {
		t.Fatal(err)
	}
}

// TestEveryReadApart enumerates everything that a memory can be asked, so that a
// call that is added without being here fails.
func TestEveryReadApart(t *testing.T) {
	client, _ := embedding(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	angular := "Angular " + m.Owner()[5:13]
	t.Cleanup(func() { removeWorld(t, angular) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: angular, Type: "Tecnologia"}}, Facts: []acervo.Fact{{Entity: angular, Text: "is a framework"}}})
	const mine, theirs = "Zqmine", "Zqtheirs"
	speak(t, m, mine, angular)
	speak(t, other, theirs, angular)
	for _, m := range []*acervo.Memory{m, other, client.World()} {
		reembed(t, m)
	}
	calls := memoryCalls(angular)

	// Methods that give a memory or say whose it is, and take no question.
	known := []string{"AsOf", "Owner", "Session", "WithSession"}
	methods := reflect.TypeFor[*acervo.Memory]()
	for i := range methods.NumMethod() {
		name := strings.TrimSuffix(methods.Method(i).Name, "Tx")
		if _, ok := calls[name]; !ok && !slices.Contains(known, name) {
			t.Errorf("Memory.%s is a new way to ask: add it to memoryCalls", name)
		}
	}
	for name := range calls {
		method, _, _ := strings.Cut(strings.ReplaceAll(name, ",", " "), " ")
		if _, ok := methods.MethodByName(method); !ok {
			t.Errorf("Memory.%s isn't there any more", method)
		}
	}
	clientMethods := reflect.TypeFor[*acervo.Client]()
	var of []string
	for i := range clientMethods.NumMethod() {
		of = append(of, clientMethods.Method(i).Name)
	}
	if diff := cmp.Diff([]string{
		"CheckSchema", "Close", "Diagnose", "ForOwner", "InstallPack", "Load", "Memory", "Migrate", "Packs", "Query", "QuerySchema", "Reembed", "RegisterRelation", "RegisterRelationTx", "RegisterType", "RegisterTypeTx",
		"RelationNames", "RemovePack", "Types", "UpgradePack", "World",
	}, of); diff != "" {
		t.Errorf("calls of the client have no owner: does the new one show what one said?\n%s", diff)
	}

	shows := func(t *testing.T, name string, answer any, err error, words ...string) string {
		t.Helper()
		text, jsonErr := json.Marshal(answer)
		if jsonErr != nil {
			t.Fatal(jsonErr)
		}
		all := string(text) + fmt.Sprint(err)
		for _, word := range words {
			if strings.Contains(all, word) {
				t.Errorf("%s shows %q: %s", name, word, all)
			}
		}
		return all
	}
	counts := []string{"Status", "Forget, counted"} // they tell no names
	for _, name := range slices.Sorted(mapKeys(calls)) {
		if name == "Forget" {
			continue // TestForget
		}
		t.Run(name, func(t *testing.T) {
			answer, err := calls[name].run(t, m)
			all := shows(t, name, answer, err, theirs, other.Owner())
			if calls[name].reads && (err != nil || !slices.Contains(counts, name) && !strings.Contains(all, mine)) {
				t.Errorf("%s shows nothing of the owner's own: %s", name, all)
			}
			answer, err = calls[name].run(t, client.World())
			shows(t, name+" for the world", answer, err, theirs, mine, other.Owner(), m.Owner())
		})
	}
	// Counts: one owner's don't depend on another's.
	before, err := m.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	speak(t, other, theirs+"2", angular)
	after, err := m.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("what another owner said changes one's status:\n%s", diff)
	}
	// What one doesn't have isn't found by another's name.
	for _, name := range []string{theirs + " thing", theirs + " Kimmy", theirs + " ng"} {
		if _, err := m.Node(t.Context(), acervo.NodeParams{Name: name}); !errors.Is(err, acervo.ErrNotFound) {
			t.Errorf("%q finds something: %v", name, err)
		}
	}
	for _, c := range []func() (any, error){
		func() (any, error) { return client.Packs(t.Context()) },
		func() (any, error) { return client.CheckSchema(t.Context()) },
		func() (any, error) { return client.RelationNames(t.Context()) },
		func() (any, error) { return client.Diagnose(t.Context(), acervo.DiagnoseParams{}) },
	} {
		answer, err := c()
		shows(t, "the client", answer, err, theirs, mine, other.Owner(), m.Owner())
	}
}

func mapKeys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestNoOwner asks everything for owners that nobody can be.
func TestNoOwner(t *testing.T) {
	client := testClient(t)
	before := dump(t)
	for _, owner := range []string{"", " ", "\t\n", "\u200b", "world", " world", "a\x00", "\xff", strings.Repeat("o", 2049)} {
		for name, c := range memoryCalls("Angular") {
			answer, err := c.run(t, client.Memory(owner))
			if !errors.Is(err, acervo.ErrInvalid) || !strings.Contains(err.Error(), "owner") {
				t.Errorf("%s for the owner %.20q: %v, %v", name, owner, answer, err)
			}
		}
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("nobody wrote something:\n%s", diff)
	}
}

// TestHostileOwners keeps owners apart whose ids look like syntax.
func TestHostileOwners(t *testing.T) {
	client := testClient(t)
	end := testOwner(t)
	owners := []string{
		"team'a", `a"b`, `a\b`, `a\u0060b`, "a:b", "p:kim", "0b6cf6b4-5f5e-4f9a-9a55-1d9fbbc7b7c1", "x` DETACH DELETE (n) //", "x`] DETACH DELETE n //",
		"$owner", "東京", "Øyvind", "الف", "*", "a@0", " spaced ", "World", strings.Repeat("o", 2048-len(end)),
	}
	before := dump(t)
	for i := range owners {
		owners[i] += end
		if len(owners[i]) > 2048 {
			t.Fatal(len(owners[i]))
		}
		m := client.Memory(owners[i])
		upsert(t, m, acervo.UpsertParams{
			Entities:  []acervo.Entity{{Name: "Kim", Type: "Persona", Aliases: []string{"Kimmy"}}},
			Relations: []acervo.Relation{{From: "Kim", Type: "VIVE_EN", To: "A"}, {From: "Kim", Type: "VIVE_EN", To: "B"}}, Facts: []acervo.Fact{{Entity: "Kim", Text: fmt.Sprint("fact of ", i)}},
		})
		if _, err := m.CorrectFact(t.Context(), acervo.CorrectFactParams{Entity: named("Kimmy"), Text: fmt.Sprint("fact of ", i), Correction: fmt.Sprint("truth of ", i)}); err != nil {
			t.Errorf("owner %.30q: %v", owners[i], err)
		}
	}
	for i, owner := range owners {
		m := client.Memory(owner)
		if got := texts(t, m, "kimmy"); !slices.Equal(got, []string{fmt.Sprint("truth of ", i)}) {
			t.Errorf("owner %.30q has the facts %q", owner, got)
		}
		first := export(t, m, acervo.FormatJSONLines)
		forget(t, m)
		if _, err := m.Import(t.Context(), bytes.NewReader(first), acervo.ImportParams{}); err != nil {
			t.Errorf("owner %.30q: %v", owner, err)
		}
		if diff := cmp.Diff(string(first), string(export(t, m, acervo.FormatJSONLines))); diff != "" {
			t.Errorf("owner %.30q:\n%s", owner, diff)
		}
		forget(t, m)
		if _, err := m.Node(t.Context(), acervo.NodeParams{Name: "Kim"}); !errors.Is(err, acervo.ErrNotFound) {
			t.Errorf("owner %.30q isn't forgotten: %v", owner, err)
		}
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("something is left:\n%s", diff)
	}
}

// TestOwnersApartOnTheCommandLine runs every command of the help for one owner.
func TestOwnersApartOnTheCommandLine(t *testing.T) {
	s := testServer(t)
	client := testClient(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	angular := "Angular " + m.Owner()[5:13]
	t.Cleanup(func() { removeWorld(t, angular) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: angular, Type: "Tecnologia"}}})
	const mine, theirs = "Zrmine", "Zrtheirs"
	speak(t, m, mine, angular)
	speak(t, other, theirs, angular)
	run := func(args ...string) string {
		cmd := processOn(t, s, args...)
		cmd.Env = append(cmd.Env, "ACERVO_OWNER="+m.Owner())
		out, _ := cmd.CombinedOutput() // an exit code is an answer
		return string(out)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	// The commands that read, each with arguments; true: it shows something of the owner's own.
	reads := map[string]struct {
		args []string
		own  bool
	}{
		"context": {[]string{"Kim y " + angular}, true}, "search": {[]string{"Kim", "Acme", "fast", angular}, true}, "node": {[]string{angular}, true}, "nodes": {nil, true}, "pending": {nil, true}, "relations": {[]string{"--history"}, true},
		"facts": {[]string{angular, "--history"}, true}, "turn": {[]string{"Kim y " + angular}, true}, "duplicates": {nil, true}, "export": {[]string{"-"}, true}, "graph": {[]string{"--out", page}, true},
		"status": {nil, false}, "doctor": {nil, false}, "relation-names": {nil, false}, "types": {nil, false}, "forget": {[]string{"--dry-run"}, false}, "mention": {[]string{"Kim"}, false}, "cycle": {nil, false},
		"remove-entity": {[]string{"Kim", "--dry-run"}, false}, "merge": {[]string{"Kim", "Acme", "--dry-run"}, false}, "promote": {[]string{"Kim", "--dry-run"}, false},
		"rename": {[]string{"Kim", "Acme"}, false}, "remove-relation": {[]string{"Kim", "TRABAJA_EN", "Acme", "--dry-run"}, false}, "end-relation": {[]string{"Kim", "NADA", "Acme"}, false},
		"retract-fact": {[]string{"Kim", "nothing"}, false}, "correct-fact": {[]string{"Kim", "nothing", "x"}, false},
	}
	// They show nothing that is stored; query, which is for administrators, everything; and mcp has tests of its own.
	without := []string{"alias", "browser", "completion", "help", "import", "load", "mcp", "migrate", "pack", "query", "reembed", "register", "upsert", "verify", "version"}
	for _, found := range regexp.MustCompile(`(?m)^  ([a-z-]+) {2,}`).FindAllStringSubmatch(strings.Split(run("--help"), "Available Commands:")[1], -1) {
		name := found[1]
		c, ok := reads[name]
		if !ok && !slices.Contains(without, name) {
			t.Errorf("acervo %s is a new way to ask: add it here", name)
		}
		if !ok {
			continue
		}
		out := run(append([]string{name}, c.args...)...)
		if drawn, err := os.ReadFile(page); err == nil && name == "graph" {
			out += string(drawn)
		}
		if strings.Contains(out, theirs) || strings.Contains(out, other.Owner()) {
			t.Errorf("acervo %s shows what another owner said:\n%s", name, out)
		}
		if c.own && !strings.Contains(out, mine) {
			t.Errorf("acervo %s shows nothing of the owner's own:\n%s", name, out)
		}
	}
}
