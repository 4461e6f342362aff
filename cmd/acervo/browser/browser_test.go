package browser_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/cmd/acervo/browser"
	"github.com/acervo-graph/acervo/ontology"
)

var update = flag.Bool("update", false, "write docs/cookbook.md")

func TestCookbook(t *testing.T) {
	const file = "../../../docs/cookbook.md"
	if *update {
		if err := os.WriteFile(file, []byte(browser.Cookbook()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(browser.Cookbook(), string(text)); diff != "" {
		t.Errorf("docs/cookbook.md isn't made of the queries:\n%s", diff)
	}
}

func TestStyle(t *testing.T) {
	grass, line := browser.GraSS("foo.bar", "Café"), browser.JSON("foo.bar", "Café")
	var rules map[string]map[string]string
	if err := json.Unmarshal([]byte(line), &rules); err != nil {
		t.Fatal(err)
	}
	labels := []string{`foo\.bar`, "Café", ontology.Unknown}
	for _, t := range ontology.BuiltinTypes() {
		labels = append(labels, t.Name)
	}
	for _, label := range append(labels, ontology.ReservedLabels()...) {
		r := rules["node."+label]
		if r["color"] == "" || r["caption"] == "" {
			t.Errorf("the label %s has no colour or no caption: %v", label, r)
		}
		if !strings.Contains(grass, "node."+label+" {") {
			t.Errorf("the file lacks %s", label)
		}
	}
	if rules["node.Personal"]["color"] != "#3a1f5c" || rules["node.Universal"]["border-color"] != "#3a7abd" || rules["relationship"]["caption"] != "<type>" {
		t.Errorf("%v", rules)
	}
	// The last rule counts: those of the layers come after those of the types.
	for _, text := range []string{grass, line} {
		if strings.LastIndex(text, "node.Persona") > strings.LastIndex(text, "node.Personal") && strings.LastIndex(text, "node.Tecnologia") > strings.LastIndex(text, "node.Universal") {
			t.Error("a type's rule beats its layer's")
		}
	}
	if strings.ContainsAny(grass, "/*#!") && strings.Contains(grass, "/*") {
		t.Error("a comment would lose rules")
	}
	for _, r := range line {
		if r > 0x7e || r == '\n' {
			t.Fatalf("%q is no ASCII of one line", r)
		}
	}
}

func TestGuide(t *testing.T) {
	guide := browser.Guide("te'am <b>\\", "s1", "http://localhost:1/style.grass")
	if n := strings.Count(guide, "runnable"); n != len(browser.Queries())+1 || n < 10 {
		t.Errorf("%d queries can be clicked", n)
	}
	if strings.Contains(guide, "<b>\\") || strings.Contains(guide, "owner: &#39;sandy") || strings.Contains(guide, "[&#39;sandy") || !strings.Contains(guide, `te\&#39;am &lt;b&gt;&#39; + &#39;\\`) {
		t.Errorf("the owner isn't quoted:\n%s", guide)
	}
}
