package ontology_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acervo-graph/acervo/ontology"
)

// hostile returns names and messages that users reported.
func hostile() []string {
	return []string{
		"KVTR", "Notice NB-2031-007 Rev A", "서울", "東京", "Москва", "Київ", "القاهرة", "C++", "C#", ".NET", "Øyvind",
		"José", "Jose\u0301", "AÑO", "Peña", "non-compliant", "由…组成", "uses (v2)", "für", "is a", "1st", "a`b",
		"Persona`) DETACH DELETE n //", `x\u0060]->(q) WITH 1 AS z MATCH (n) DETACH DELETE n //`, "a\x00", "\xff", "",
		"I use C++ and .NET.", "我在北京大学读书", "서울에서 만나요", "\u1112\u1161\u11ab\u11ab", "\u3164", "n\u0323\u0303",
		"\u0391\u0345\u0301", strings.Repeat("и\u0306", 40), "и" + strings.Repeat("\u0306", 40), "ﷺ", "ŉ", "ẛ̣", "ÅK",
	}
}

func FuzzID(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		id, err := ontology.ID(name)
		if err != nil {
			if !errors.Is(err, ontology.ErrName) || id != "" {
				t.Fatalf("%q, %v", id, err)
			}
			return
		}
		if id == "" || len(id) > ontology.MaxID || !utf8.ValidString(id) || strings.Contains(id, "__") || strings.Trim(id, "_") != id {
			t.Fatalf("%q gives %q", name, id)
		}
		if len(id) > ontology.MaxName {
			return
		}
		if again, err := ontology.ID(id); err != nil || again != id {
			t.Fatalf("%q gives %q, which gives %q, %v", name, id, again, err)
		}
	})
}

func FuzzGrams(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, message string, maxWords int) {
		grams := ontology.Grams(message, maxWords)
		if len(grams) > ontology.MaxGrams {
			t.Fatalf("%d grams", len(grams))
		}
		for i, g := range grams {
			if i > 0 && (g.Start < grams[i-1].Start || g.Start == grams[i-1].Start && g.End >= grams[i-1].End) {
				t.Fatalf("%v behind %v", g, grams[i-1])
			}
			if g.Start < 0 || g.Start >= g.End || len(g.ID) > ontology.MaxID {
				t.Fatalf("%v", g)
			}
			if len(g.ID) > ontology.MaxName || i > 500 {
				continue
			}
			if id, err := ontology.ID(g.ID); err != nil || id != g.ID {
				t.Fatalf("gram %q of %q has the id %q, %v", g.ID, message, id, err)
			}
		}
	})
}

func FuzzCheckRelation(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s)
	}
	for _, s := range ontology.ReservedRelations() {
		f.Add(strings.ToLower(s))
	}
	f.Fuzz(func(t *testing.T, name string) {
		err := ontology.CheckRelation(name)
		reserved := false
		for _, r := range ontology.ReservedRelations() {
			reserved = reserved || ontology.Fold(r) == ontology.Fold(name)
		}
		switch {
		case err == nil && (reserved || name == "" || len(name) > ontology.MaxTerm || !utf8.ValidString(name) || strings.ContainsAny(name, "\x00\n\r\t")):
			t.Fatalf("%q is taken", name)
		case err != nil && !errors.Is(err, ontology.ErrTerm):
			t.Fatal(err)
		case errors.Is(err, ontology.ErrReserved) && !reserved:
			t.Fatal(err)
		}
		if folded := ontology.Fold(name); utf8.ValidString(name) && len(name) <= ontology.MaxTerm && ontology.Fold(folded) != folded {
			t.Fatalf("%q folds to %q, which folds to %q", name, folded, ontology.Fold(folded))
		}
	})
}
