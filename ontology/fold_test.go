package ontology_test

import (
	"testing"

	"github.com/acervo-graph/acervo/ontology"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" Organización ": "organizacion", "ORGANIZACIO\u0301N": "organizacion", "DUEÑO_DE": "dueño_de",
		"is a": "is a", "IS_A": "is_a", "由…组成": "由…组成", "für": "fur", "uses (v2)": "uses (v2)",
		"が": "が", "か\u3099": "が", "a`b": "a`b", "²": "²", "ꭰ": "Ꭰ", "Ꭰ": "Ꭰ", "": "", "x  y": "x  y",
	} {
		if got := ontology.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestFactKey holds pairs of statements that are the same.
func TestFactKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{
		{"Is vegetarian", "  is   VEGETARIAN. "},
		{"Es dueño de Río Negro", "es DUEÑO de rio negro!"},
		{"Живёт в Москве", "живёт в москве."},
		{"他是老师。", "他是老师"},
		{"has “3” servers", `has "3" servers`},
		{"−5 degrees", "-5 degrees"},
		{"–5 degrees", "-5 degrees"},
		{"１２ servers", "12 servers"},
		{"soft\u00adware", "software"},
	} {
		if a, b := ontology.FactKey(same[0]), ontology.FactKey(same[1]); a != b {
			t.Errorf("%q gives %q, %q gives %q", same[0], a, same[1], b)
		}
	}
}

// TestFactKeyApart holds pairs of statements that aren't the same.
func TestFactKeyApart(t *testing.T) {
	t.Parallel()
	for _, apart := range [][2]string{
		{"has 3 servers", "has 5 servers"}, {"is vegetarian", "is not vegetarian"},
		{"3.5 GB", "35 GB"}, {"3.5 GB", "3 5 GB"}, {"-5 °C", "5 °C"}, {"owes -$5", "owes $5"}, {".5 kg", "5 kg"},
		{"a > b", "a < b"}, {"a = b", "a != b"}, {"a = b", "a ≠ b"}, {"x² = 4", "x2 = 4"}, {"10⁵ users", "105 users"},
		{"5 $", "5 €"}, {"5 %", "5"}, {"5 ‰", "5"}, {"likes C", "likes C#"}, {"likes C", "likes C++"},
		{"loves 🍕", "loves 🍔"}, {"3-5 wins", "35 wins"}, {"10:30", "10 30"}, {"año", "ano"}, {"が", "か"}, {"!", "?"},
		{"it is 1/2", "it is 12"},
	} {
		if a, b := ontology.FactKey(apart[0]), ontology.FactKey(apart[1]); a == b || a == "" || b == "" {
			t.Errorf("%q and %q both give %q", apart[0], apart[1], a)
		}
	}
	if got := ontology.FactKey(" ?! "); got != "?!" {
		t.Errorf("nothing left gives %q", got)
	}
}

// TestASCII has texts of ASCII alone, which take a shorter way, come to the same
// form as those with another letter.
func TestASCII(t *testing.T) {
	t.Parallel()
	for r := rune(1); r < 128; r++ {
		s := "a" + string(r) + "Z"
		if got, want := ontology.Fold(s+"é"), ontology.Fold(s)+"e"; got != want {
			t.Errorf("Fold(%q): %q, want %q", s, got, want)
		}
		if got, want := ontology.FactKey("é "+s), "e "+ontology.FactKey(s); got != want {
			t.Errorf("FactKey(%q): %q, want %q", s, got, want)
		}
		id, err := ontology.ID(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ontology.ID("é " + s); err != nil || got != "e_"+id {
			t.Errorf("ID(%q): %q, want %q, %v", s, got, id, err)
		}
	}
}
