package ontology_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/acervo-graph/acervo/ontology"
)

func TestGrams(t *testing.T) {
	t.Parallel()
	got := ontology.Grams("A b. A", 2)
	want := []ontology.Gram{
		{ID: "a_b", Start: 0, End: 2}, {ID: "a", Start: 0, End: 1},
		{ID: "b_a", Start: 1, End: 3}, {ID: "b", Start: 1, End: 2},
		{ID: "a", Start: 2, End: 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, none := range []string{"", " ", "?!", "\xff"} {
		if got := ontology.Grams(none, 3); got != nil {
			t.Errorf("%q gives %v", none, got)
		}
	}
	if got := ontology.Grams("a", 0); got != nil {
		t.Errorf("no words give %v", got)
	}
}

// TestLongest finds names in messages, as a turn does.
func TestLongest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		message string
		names   []string
		want    []string
	}{
		{"I use C++ and .NET.", []string{"C", "C++", ".NET", "NET"}, []string{"c_plus_plus", "dot_net"}},
		{"C, not C#", []string{"C", "C#"}, []string{"c", "c_sharp"}},
		{"york, New York, york", []string{"York", "New York"}, []string{"york", "new_york"}},
		{"New York", []string{"York", "New York"}, []string{"new_york"}},
		{"a b c", []string{"a b", "b c"}, []string{"a_b", "b_c"}},
		{"Butaco y butaco", []string{"Butaco"}, []string{"butaco"}},
		{"vivo en río negro", []string{"Río Negro", "negro"}, []string{"rio_negro"}},
		{"我在北京大学读书", []string{"北京", "北京大学"}, []string{"北京大学"}},
		{"我爱乔治·华盛顿的书", []string{"乔治·华盛顿"}, []string{"乔治_华盛顿"}},
		{"我用iPhone手机和.NET", []string{"iPhone", ".NET"}, []string{"iphone", "dot_net"}},
		{"学习C++的书", []string{"C++"}, []string{"c_plus_plus"}},
		{"東京タワーが好き", []string{"東京タワー", "東京"}, []string{"東京タワー"}},
		{"ฉันอยู่กรุงเทพมหานครมานาน", []string{"กรุงเทพมหานคร"}, []string{"กรุงเทพมหานคร"}},
		{"서울에서 만나요", []string{"서울"}, []string{"서울"}},
		{"서울에서", []string{"서울", "서울에서"}, []string{"서울에서"}},
		{"뉴욕 타임스는", []string{"뉴욕 타임스"}, []string{"뉴욕_타임스"}},
		{"Angular를 쓴다", []string{"Angular"}, []string{"angular"}},
		{"서울에서", []string{"에서"}, nil},
		{"Catalan", []string{"Cat"}, nil},
		{"nothing", nil, nil},
	} {
		t.Run(c.message, func(t *testing.T) {
			t.Parallel()
			known := make(map[string]bool)
			for _, n := range c.names {
				id, err := ontology.ID(n)
				if err != nil {
					t.Fatal(err)
				}
				known[id] = true
			}
			got := ontology.Longest(ontology.Grams(c.message, 4), func(id string) bool { return known[id] })
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestGramsLimits takes messages that would give far more grams than are looked up.
func TestGramsLimits(t *testing.T) {
	t.Parallel()
	for name, message := range map[string]string{
		"words":   strings.Repeat("word ", 1e6),
		"letters": strings.Repeat("字", 1e6),
		"Hangul":  strings.Repeat("서울", 1e5) + " " + strings.Repeat("서울에서는 ", 1e4),
		"plus":    strings.Repeat("+", 1e6),
		"word":    strings.Repeat("x", 1e7),
		"broken":  strings.Repeat("\xe5\xad", 1e6),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			grams := ontology.Grams(message, 10)
			if len(grams) > ontology.MaxGrams {
				t.Errorf("%d grams", len(grams))
			}
			for _, g := range grams {
				if len(g.ID) > ontology.MaxID {
					t.Fatalf("an id of %d bytes", len(g.ID))
				}
			}
		})
	}
}

// TestGramsHoldNames draws a name of any letters and puts words around it.
func TestGramsHoldNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringN(1, 12, -1), rapid.SampledFrom(hostile())).Draw(t, "name")
		before := rapid.StringMatching(`([a-zñ字서]{1,6}[ ,.]? ){0,4}`).Draw(t, "before")
		after := rapid.StringMatching(`( [a-zñ字서]{1,6}[ ,.]?){0,4}`).Draw(t, "after")
		id, err := ontology.ID(name)
		const maxWords = 6
		if err != nil || strings.Count(id, "_") >= maxWords {
			return
		}
		grams := ontology.Grams(before+name+after, maxWords)
		if !slices.ContainsFunc(grams, func(g ontology.Gram) bool { return g.ID == id }) {
			t.Fatalf("%q isn't among the grams of %q", id, before+name+after)
		}
	})
}

func BenchmarkGrams(b *testing.B) {
	message := strings.Repeat("Sandy trabaja en Butaco con C++ y .NET, 我在北京大学读书. ", 5)
	b.ReportAllocs()
	for b.Loop() {
		ontology.Grams(message, ontology.MaxWords)
	}
}
