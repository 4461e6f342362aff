package acervo

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestTextOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		node  Node
		facts []string
		want  string
	}{
		{Node{Label: "Ana", Type: "Desconocido"}, nil, "Ana"},
		{Node{Label: "Ana\nMaría", Type: "Persona", Aliases: []string{"Anita", "la jefa"}, Attributes: map[string]any{
			"rol": "boss", "edad": int64(30), "desde": time.Date(2020, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)), "ratio": 0.5, "tags": []any{"a", true},
		}}, []string{"new", "older"}, "Ana María (Persona)\nAnita, la jefa\ndesde: 2020-01-02T02:04:05Z\nedad: 30\nratio: 0.5\nrol: boss\ntags: a, true\nnew\nolder"},
		{Node{Label: "Ana", Type: "Persona"}, []string{strings.Repeat("x", embedText), "short"}, "Ana (Persona)\nshort"},
	} {
		if got := textOf(tt.node, tt.facts); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	huge := Node{Label: strings.Repeat("日", 2000), Type: strings.Repeat("t", 255), Aliases: []string{strings.Repeat("a", 2000)}, Attributes: map[string]any{"x": strings.Repeat("é", 5000)}}
	got := textOf(huge, []string{"a fact"})
	if len(got) > embedText || !utf8.ValidString(got) || !strings.Contains(got, "日") || !strings.Contains(got, "x: é") || !strings.HasSuffix(got, "a fact") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
