package acervo

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFuse(t *testing.T) {
	t.Parallel()
	type ways = map[SearchWay]map[string]int
	for _, tt := range []struct {
		name  string
		found ways
		named []string
		want  []string
	}{
		{"nothing", ways{}, []string{"p:a"}, nil},
		{"one way", ways{ByText: placed([]string{"p:b", "p:a"})}, nil, []string{"p:b", "p:a"}},
		{"two ways before one", ways{ByText: placed([]string{"p:a", "p:b"}), ByVectors: placed([]string{"p:c", "p:b"})}, nil, []string{"p:b", "p:a", "p:c"}},
		{"one score: by key", ways{ByText: placed([]string{"p:b", "p:a"}), ByVectors: placed([]string{"p:a", "p:b"})}, nil, []string{"p:a", "p:b"}},
		{"the named first", ways{ByText: placed([]string{"p:a", "p:b"}), ByVectors: placed([]string{"p:a"})}, []string{"p:b"}, []string{"p:b", "p:a"}},
		{"the graph finds nothing", ways{ByText: placed([]string{"p:a"}), ByGraph: {"p:x": 0}}, nil, []string{"p:a"}},
		{"the graph ranks", ways{ByText: placed([]string{"p:a", "p:b"}), ByGraph: {"p:b": 1}}, nil, []string{"p:b", "p:a"}},
	} {
		for range 20 { // maps are walked in another order each time
			var got []string
			for _, h := range fuse(tt.found, tt.named) {
				got = append(got, h.key)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	}
}

func TestFuseScores(t *testing.T) {
	t.Parallel()
	hits := fuse(map[SearchWay]map[string]int{
		ByText: placed([]string{"p:a", "p:b", "p:c"}), ByVectors: placed([]string{"p:c"}), ByGraph: {"p:a": 0, "p:b": 2, "p:c": 2, "p:x": 1},
	}, []string{"p:b"})
	want := map[string]struct {
		score float64
		ranks map[SearchWay]int
	}{
		"p:a": {1./61 + 1./61, map[SearchWay]int{ByText: 1, ByGraph: 1}},
		"p:b": {1 + 1./62 + 1./62, map[SearchWay]int{ByText: 2, ByGraph: 2}},
		"p:c": {1./63 + 1./61 + 1./62, map[SearchWay]int{ByText: 3, ByVectors: 1, ByGraph: 2}},
	}
	if len(hits) != len(want) {
		t.Fatalf("%+v", hits)
	}
	for _, h := range hits {
		w := want[h.key]
		if math.Abs(h.score-w.score) > 1e-12 || !cmp.Equal(h.ranks, w.ranks) {
			t.Errorf("%+v, want %+v", h, w)
		}
	}
}
