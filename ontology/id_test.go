package ontology_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/acervo-graph/acervo/ontology"
)

// TestID holds names of every kind that reports.md and the design speak of.
func TestID(t *testing.T) {
	t.Parallel()
	ids := map[string]string{
		"Río Negro": "rio_negro", "Rio Negro": "rio_negro", "  Rio\tNegro  ": "rio_negro",
		"KVTR":                     "kvtr",
		"Notice NB-2031-007 Rev A": "notice_nb_2031_007_rev_a",
		"Notice NB-2031-007 Rev B": "notice_nb_2031_007_rev_b",
		"QX-2031-052":              "qx_2031_052",
		"QX-2031-053":              "qx_2031_053",
		"서울":                       "서울",
		"東京":                       "東京",
		"北京":                       "北京",
		"上海":                       "上海",
		"Москва":                   "москва",
		"Київ":                     "київ",
		"القاهرة":                  "القاهرة",
		"C":                        "c",
		"C++":                      "c_plus_plus",
		"C＋＋":                      "c_plus_plus",
		"C#":                       "c_sharp",
		"C♯":                       "c_sharp",
		".NET":                     "dot_net",
		"ASP.NET":                  "asp_net",
		"C#/.NET":                  "c_sharp_dot_net",
		"(.NET)":                   "dot_net",
		"用.NET":                    "用_dot_net",
		"Node.js":                  "node_js",
		"U.S.A.":                   "u_s_a",
		"...and more":              "and_more",
		"Øyvind":                   "øyvind",
		"Yvind":                    "yvind",
		"が":                        "が",
		"か\u3099":                  "が",
		"か":                        "か",
		"й":                        "й",
		"и":                        "и",
		"हिन्दी":                   "हिन्दी",
		"año":                      "año",
		"AN\u0303O":                "año",
		"ano":                      "ano",
		"Peña":                     "peña",
		"Pena":                     "pena",
		"n\u0323\u0303":            "ñ",
		"José":                     "jose",
		"Jose\u0301":               "jose",
		"JOSÉ":                     "jose",
		"Jose":                     "jose",
		"Zoë Muñoz":                "zoe_muñoz",
		"Straße":                   "strasse",
		"İstanbul":                 "istanbul",
		"ＡＢＣ１":                     "abc1",
		"soft\u00adhyphen":         "softhyphen",
		"a\u200db\ufeffc\u202ed":   "abcd",
		"葛\U000e0100城":             "葛城",
		"a´b":                      "a_b",
		"\u0301x":                  "x",
		"1\u0301":                  "1",
		"1\ufe0f\u20e3":            "1",
		"x_y__z":                   "x_y_z",
		"Ꭰ":                        "Ꭰ", "ꭰ": "Ꭰ", // Cherokee folds to capitals
		"+":                           "plus",
		"#":                           "sharp",
		"½":                           "1_2",
		"x`] DETACH DELETE n //":      "x_detach_delete_n",
		`x\u0060`:                     "x_u0060",
		"El Principito":               "el_principito",
		"Q\uFFFDR":                    "q_r",
		strings.Repeat("a", 2048):     strings.Repeat("a", 2048),
		strings.Repeat("é", 1024):     strings.Repeat("e", 1024),
		strings.Repeat("ص", 1024):     strings.Repeat("ص", 1024),
		"п" + strings.Repeat("̈", 40): "п" + strings.Repeat("̈", 16),
	}
	for name, want := range ids {
		t.Run(fmt.Sprintf("%.20q", name), func(t *testing.T) {
			t.Parallel()
			got, err := ontology.ID(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(norm.NFC.String(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIDRefuses(t *testing.T) {
	t.Parallel()
	rules := map[string]string{
		"":                        "is empty",
		" \t\u3000":               "is empty",
		"a\x00b":                  "holds a NUL",
		"a\xffb":                  "is not valid UTF-8",
		"\xed\xa0\xbd":            "is not valid UTF-8", // a lone surrogate
		strings.Repeat("a", 2049): "is longer than 2048 bytes",
		strings.Repeat("a", 10e6): "is longer than 2048 bytes",
		"!?":                      "has no letter or digit",
		"...":                     "has no letter or digit",
		"🍕":                       "has no letter or digit",
		"\u200b":                  "has no letter or digit",
		"\u3164":                  "has no letter or digit", // a blank that is a letter
		"\u0301":                  "has no letter or digit",
		strings.Repeat("+", 600):  "makes an id longer than 2560 bytes",
	}
	for name, rule := range rules {
		t.Run(fmt.Sprintf("%.20q", name), func(t *testing.T) {
			t.Parallel()
			id, err := ontology.ID(name)
			var e *ontology.NameError
			if !errors.As(err, &e) || !errors.Is(err, ontology.ErrName) || id != "" {
				t.Fatalf("got %q, %v", id, err)
			}
			if e.Rule != rule {
				t.Errorf("rule %q, want %q", e.Rule, rule)
			}
			if n := utf8.RuneCountInString(e.Name); n > 81 || !utf8.ValidString(e.Error()) {
				t.Errorf("name of %d runes in the error", n)
			}
		})
	}
}

func TestSuffix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, typ, want string }{
		{"apple", "Lugar", "apple__lugar"},
		{"apple", "Organización", "apple__organizacion"},
		{"apple", "⚙", "apple__e29a99"},
	} {
		got, err := ontology.Suffix(c.id, c.typ)
		if err != nil || got != c.want {
			t.Errorf("Suffix(%q, %q) = %q, %v, want %q", c.id, c.typ, got, err, c.want)
		}
	}
	for _, c := range [][2]string{{"apple", ""}, {"apple", "a\x00"}, {strings.Repeat("a", 2557), "ab"}} {
		if _, err := ontology.Suffix(c[0], c[1]); !errors.Is(err, ontology.ErrName) {
			t.Errorf("Suffix(%.10q, %q): %v", c[0], c[1], err)
		}
	}
}

// TestIDProperties draws names of many scripts and compares spellings of them.
func TestIDProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("aZñÑéßİσς.+#-_ \u00ad\u0301\u0303が\u3099カйथ्ि서울北กำ१٣")))).Draw(t, "name")
		id, err := ontology.ID(name)
		if err != nil {
			if id != "" {
				t.Fatalf("id %q with an error", id)
			}
			return
		}
		for what, same := range map[string]string{
			"the id": id, "NFC": norm.NFC.String(name), "NFD": norm.NFD.String(name), "spaces": "  " + name + "\n",
		} {
			if len(same) > ontology.MaxName {
				continue
			}
			if got, err := ontology.ID(same); err != nil || got != id {
				t.Fatalf("%s of %q: %q, %v, want %q", what, name, got, err, id)
			}
		}
	})
}

// TestIDCase compares a name with its upper case, in scripts where upper case
// keeps every letter apart.
func TestIDCase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.RuneFrom([]rune("abcñéüçßøæœþабвгїєёαβγσωάήꭰꭱ1 ")), 1, 30, -1).Draw(t, "name")
		lower, lowerErr := ontology.ID(name)
		upper, upperErr := ontology.ID(strings.ToUpper(name))
		if lower != upper || (lowerErr == nil) != (upperErr == nil) {
			t.Fatalf("%q, %v and %q, %v", lower, lowerErr, upper, upperErr)
		}
	})
}
