package cypher

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/acervo-graph/acervo/ontology"
)

// loaded finds the variables of statements.go.
var loaded = regexp.MustCompile(`= load(?:Template)?\("([^"]+)"\)`)

func TestEveryFileHasOneVariable(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("statements.go")
	if err != nil {
		t.Fatal(err)
	}
	var variables, names []string
	for _, m := range loaded.FindAllStringSubmatch(string(source), -1) {
		variables = append(variables, m[1])
	}
	for _, s := range All() {
		names = append(names, s.Name)
	}
	slices.Sort(variables)
	if diff := cmp.Diff(names, variables); diff != "" {
		t.Errorf("files and variables differ (-files +variables):\n%s", diff)
	}
	var included []string
	for _, m := range regexp.MustCompile(`(?m)^// include: (\S+)$`).FindAllStringSubmatch(everyText(t), -1) {
		included = append(included, "fragments/"+m[1]+".cypher")
	}
	fragments, err := fs.Glob(files, "fragments/*.cypher")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(included)
	if diff := cmp.Diff(fragments, slices.Compact(included)); diff != "" {
		t.Errorf("fragments and includes differ:\n%s", diff)
	}
}

func everyText(t *testing.T) string {
	t.Helper()
	names, err := fs.Glob(files, "*/*.cypher")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

func TestHeadersAreTrue(t *testing.T) {
	t.Parallel()
	used := regexp.MustCompile(`\$([a-z_]+)`)
	writing := regexp.MustCompile(`(?i)\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP|LOAD CSV|FOREACH)\b`)
	literal := regexp.MustCompile(`'[^']*'|//.*`)
	templates := map[string]bool{}
	source, err := os.ReadFile("statements.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`= loadTemplate\("([^"]+)"\)`).FindAllStringSubmatch(string(source), -1) {
		templates[m[1]] = true
	}
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			code := literal.ReplaceAllString(s.Text, "")
			params := map[string]bool{}
			for _, m := range used.FindAllStringSubmatch(code, -1) {
				params[m[1]] = true
			}
			for _, p := range s.Params {
				if !params[p.Name] {
					t.Errorf("the header's $%s isn't used", p.Name)
				}
				delete(params, p.Name)
			}
			for p := range params {
				t.Errorf("$%s isn't in the header", p)
			}
			if s.Access == Read && writing.MatchString(code) {
				t.Errorf("a statement that reads has %s", writing.FindString(code))
			}
			if strings.Contains(s.Text, placeholder) != templates[s.Name] {
				t.Error("a statement with a placeholder is no template, or the other way round")
			}
			if !strings.Contains(code, "Acervo") && !strings.HasPrefix(code, "CALL d") && !strings.HasPrefix(code, "SHOW INDEXES ") && !strings.HasPrefix(code, "SHOW FUNCTIONS ") {
				t.Error("the statement starts from none of the graph's labels")
			}
		})
	}
}

// TestReferencesAreHinted wants a hint where a reference is found by both its properties:
// two indexes are on them, in either order, and statistics would choose.
func TestReferencesAreHinted(t *testing.T) {
	t.Parallel()
	patterns := regexp.MustCompile(`MATCH \((\w+):AcervoReference \{owner: .*\bid: .*\n.*`).FindAllStringSubmatch(everyText(t), -1)
	for _, m := range patterns {
		if hint := "USING INDEX " + m[1] + ":AcervoReference(owner, id)"; !strings.HasSuffix(m[0], hint) {
			t.Errorf("no %s in\n%s", hint, m[0])
		}
	}
	if len(patterns) < 10 {
		t.Errorf("%d patterns", len(patterns))
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"TRABAJA_EN": true, "DUEÑO_DE": true, "由组成": true, "1st": true, "a": true, "_": true,
		"": false, "a b": false, "a`b": false, "``": false, "non-compliant": false, "a\\u0060": false, "\\u0060": false,
		"X) DETACH DELETE n //": false, "a\x00": false, "a\n": false, "\xff": false, "$(x)": false, "a\u0301": false, "a.b": false,
	} {
		if got := Plain(name); got != want {
			t.Errorf("Plain(%q) = %v", name, got)
		}
		s, ok := RelationUpsert.For(name)
		if ok != want {
			t.Errorf("For(%q) = %v", name, ok)
		}
		if ok && (strings.Count(s.Text, "`"+name+"`") != 1 || strings.Contains(s.Text, placeholder)) {
			t.Errorf("%q isn't spliced in once:\n%s", name, s.Text)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"TRABAJA_EN", "a`b", `x\u0060]->(q) DETACH DELETE n //`, "ñ", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if s, ok := RelationUpsert.For(name); ok && strings.ContainsAny(name, "`\\ '\"{}()[]$/\x00") {
			t.Errorf("%q became part of %s", name, s.Text)
		}
	})
}

func TestMigrations(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^\d{4}_[a-z_]+$`)
	all := Migrations()
	for i, m := range all {
		if !name.MatchString(m.Name) || i > 0 && m.Name <= all[i-1].Name {
			t.Errorf("migration %d is called %s", i, m.Name)
		}
		for _, s := range m.Statements {
			if !strings.Contains(s, " acervo_") || !strings.Contains(s, "IF NOT EXISTS") || !strings.Contains(s, "(n:Acervo") {
				t.Errorf("%s: %s", m.Name, s)
			}
		}
	}
	// What was released never changes: a changed text is another migration.
	want := map[string]string{
		"0001_schema":  "bc7beb86354d1b7178332ea78f1d88a68c0f23806638902482b1dec8297e1c30",
		"0002_history": "ceba5b52054280c80d5eae9f3d4fbd66e18fc594f8c7b23d9330ec8a5ecda90d",
		"0003_search":  "6db93a2ea0b8c639c642aafb290623a82b2b5f3b426f1b29c124a5a7f53241d5",
		"0004_vectors": "cb95b1788479652eb8fcd7e4513ddf3c1a98d9d27b2a26857546bc5fc4ec7dcb",
	}
	for _, m := range all {
		if want[m.Name] != m.Checksum {
			t.Errorf("%s has the checksum %s", m.Name, m.Checksum)
		}
	}
}

func TestParseFaults(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"RETURN 1", "// access: maybe\nRETURN 1", "// access: read\n// param: x\nRETURN $x",
		"// access: read\n// plan: Eager\nRETURN 1", "// access: read\n// include: nothing\n",
	} {
		if s, err := parse("x/y", file); err == nil {
			t.Errorf("%q was taken: %+v", file, s)
		}
	}
}

// TestQuote has no text end the string that it is quoted in, also after Cypher 5
// decoded \uXXXX.
func TestQuote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("a'\\u0027\"`\n$+ "))).Draw(t, "text")
		q := Quote(text)
		if strings.Contains(q, `\u`) {
			t.Fatalf("%q has an escape that is decoded first", q)
		}
		var got strings.Builder // what Cypher reads
		in := false
		for i := 0; i < len(q); i++ {
			switch {
			case in && q[i] == '\\':
				i++
				got.WriteByte(map[byte]byte{'\\': '\\', '\'': '\'', 'n': '\n', 'r': '\r', 't': '\t'}[q[i]])
			case q[i] == '\'':
				in = !in
			case in:
				got.WriteByte(q[i])
			case q[i] != ' ' && q[i] != '+':
				t.Fatalf("%q is outside of the strings of %s", q[i], q)
			}
		}
		if in || got.String() != text {
			t.Fatalf("%q is read as %q", text, got.String())
		}
	})
}

// TestBuiltinRelations checks that what is read of an entity of many facts finds the
// relations of every built-in type.
func TestBuiltinRelations(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(`\[r:([^\]]+\|[^\]]+)\]`).FindStringSubmatch(ContextTurn.Text)
	if pattern == nil {
		t.Fatal("no pattern of several types")
	}
	var want []string
	for _, r := range ontology.BuiltinRelations() {
		want = append(want, r.Name)
	}
	slices.Sort(want)
	got := strings.Split(strings.ReplaceAll(pattern[1], "`", ""), "|")
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-ontology +statement):\n%s", diff)
	}
}
