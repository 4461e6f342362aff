package layers_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

func ExampleOfRelation() {
	fmt.Println(layers.OfRelation(layers.Universal, layers.Universal))
	fmt.Println(layers.OfRelation(layers.Personal, layers.Universal))
	// Output:
	// UNIVERSAL
	// PERSONAL
}

func TestLayerOfRelation(t *testing.T) {
	t.Parallel()
	u, p := layers.Universal, layers.Personal
	for _, c := range []struct{ call, from, to, want layers.Layer }{
		{u, u, u, u}, {p, u, u, p}, {u, p, u, p}, {u, u, p, p}, {p, p, p, p}, {"", u, u, p}, {u, u, "", p},
	} {
		if got := layers.Combine(c.call, c.from, c.to); got != c.want {
			t.Errorf("Combine(%q, %q, %q) = %q", c.call, c.from, c.to, got)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	parsers := map[string]func(string) (string, error){
		"layer":      func(s string) (string, error) { v, err := layers.ParseLayer(s); return string(v), err },
		"status":     func(s string) (string, error) { v, err := layers.ParseStatus(s); return string(v), err },
		"activation": func(s string) (string, error) { v, err := layers.ParseActivation(s); return string(v), err },
	}
	values := map[string][]string{
		"layer": {"UNIVERSAL", "PERSONAL"}, "status": {"complete", "incomplete", "pending_verification"},
		"activation": {"hot", "warm", "cold"},
	}
	for field, parse := range parsers {
		for _, v := range values[field] {
			for _, s := range []string{v, strings.ToUpper(v), strings.ToLower(v)} {
				if got, err := parse(s); got != v || err != nil {
					t.Errorf("%s %q: %q, %v", field, s, got, err)
				}
			}
		}
		for _, s := range []string{"", " ", "SECRET", "\xff", strings.Repeat("x", 1e6)} {
			var e *layers.Error
			got, err := parse(s)
			if !errors.As(err, &e) || !errors.Is(err, layers.ErrLayer) || e.Field != field || got != "" || len(err.Error()) > 500 {
				t.Errorf("%s %.10q: %q, %.99v", field, s, got, err)
			}
		}
	}
}

func TestCheckOwner(t *testing.T) {
	t.Parallel()
	for _, owner := range []string{
		"sandy", "team'a", `a"b`, `a\b`, "a:b", "0b6cf6b4-5f5e-4f9a-9a55-1d9fbbc7b7c1", "x` DETACH DELETE (n) //",
		strings.Repeat("o", 2048), " sandy ", "World", "worlds",
	} {
		if err := layers.CheckOwner(owner); err != nil {
			t.Errorf("%.20q: %v", owner, err)
		}
	}
	for owner, rule := range map[string]string{
		"": "is empty", " \t": "is empty", "\u200b": "is empty", "world": "is reserved", " world\n": "is reserved",
		"a\x00": "holds a NUL", "\xff": "is not valid UTF-8", strings.Repeat("o", 2049): "is longer than 2048 bytes",
	} {
		var e *layers.Error
		if err := layers.CheckOwner(owner); !errors.As(err, &e) || e.Rule != rule || e.Field != "owner" {
			t.Errorf("%.20q: %v, want %q", owner, err, rule)
		}
	}
	if err := layers.CheckSession("world"); err != nil {
		t.Error(err)
	}
	if err := layers.CheckSession(" "); !errors.Is(err, layers.ErrLayer) {
		t.Error(err)
	}
}

func TestCheckConfidence(t *testing.T) {
	t.Parallel()
	for c, ok := range map[float64]bool{0: true, 0.5: true, 1: true, 1.5: false, -0.1: false, math.Inf(1): false} {
		if err := layers.CheckConfidence(c); (err == nil) != ok {
			t.Errorf("%v: %v", c, err)
		}
	}
	if err := layers.CheckConfidence(math.NaN()); !errors.Is(err, layers.ErrLayer) {
		t.Errorf("NaN: %v", err)
	}
}

func TestCheckSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layer  layers.Layer
		source string
		ok     bool
	}{
		{layers.Universal, "world", true}, {layers.Universal, "user", false}, {layers.Universal, "", false},
		{layers.Personal, "user_assertion", true}, {layers.Personal, "mail of 3 May", true}, {layers.Personal, " ", false},
		{layers.Personal, "a\x00", false}, {layers.Personal, strings.Repeat("s", 513), false},
	} {
		if err := c.layer.CheckSource(c.source); (err == nil) != c.ok {
			t.Errorf("%s %.20q: %v", c.layer, c.source, err)
		}
	}
	if u, p := layers.Universal, layers.Personal; u.Source() != "world" || u.FactSource() != "world" || p.Source() != "user_assertion" || p.FactSource() != "user" {
		t.Error("wrong default source")
	}
}

func TestDefault(t *testing.T) {
	t.Parallel()
	for advice, want := range map[string]layers.Layer{"": layers.Personal, "UNIVERSAL": layers.Universal, "PERSONAL": layers.Personal, "x": layers.Personal} {
		if got := layers.Default(ontology.Type{LayerDefault: advice}); got != want {
			t.Errorf("%q gives %s", advice, got)
		}
	}
	if layers.Universal.Label() != "Universal" || layers.Personal.Label() != "Personal" {
		t.Error("wrong label")
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	for _, l := range []layers.Layer{layers.Universal, layers.Personal} {
		for _, id := range []string{"angular", "p:x", "w:", "東京"} {
			if gotLayer, gotID, ok := layers.KeyOf(l, id).Split(); gotLayer != l || gotID != id || !ok {
				t.Errorf("%s %q came back as %s %q %v", l, id, gotLayer, gotID, ok)
			}
		}
	}
	if k := layers.KeyOf(layers.Personal, "butaco"); k != "p:butaco" || k != layers.PersonalKey("butaco") {
		t.Error(k)
	}
	if k := layers.KeyOf(layers.Universal, "angular"); k != "w:angular" || k != layers.UniversalKey("angular") {
		t.Error(k)
	}
	for _, k := range []layers.Key{"", "p", "p:", "w:", "x:y", "butaco"} {
		if _, _, ok := k.Split(); ok {
			t.Errorf("%q is a key", k)
		}
	}
}
