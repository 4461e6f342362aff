package acervo

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"
	"pgregory.net/rapid"
)

// TestHeld writes properties of every kind as JSON and reads them again.
func TestHeld(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	at := time.Date(2026, 3, 1, 12, 30, 15, 123456789, time.FixedZone("Offset", 0))
	wall := time.Date(2026, 3, 1, 12, 30, 15, 5, time.UTC)
	want := held{
		"string": "a\u2028\"\\\x01<b>", "yes": true, "int": int64(math.MinInt64), "float": 3.0, "tiny": 5e-324, "huge": 1e300, "inf": math.Inf(-1), "nan": math.NaN(),
		"list": []any{int64(1), int64(2)}, "floats": []any{1.0, 2.5}, "none": []any{}, "time": at, "zoned": at.In(berlin), "offset": at.In(time.FixedZone("Offset", 5*3600+1800)),
		"date": dbtype.Date(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)), "wall": dbtype.LocalDateTime(wall),
		"duration": dbtype.Duration{Months: 1, Days: -2, Seconds: 3, Nanos: 4}, "point": dbtype.Point2D{SpatialRefId: 7203, X: 1.5, Y: -2},
		"point3": dbtype.Point3D{SpatialRefId: 9157, X: 1, Y: 2, Z: 3}, "bytes": []byte{0, 255}, "tagged": "{\"time\":1}",
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got held
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(map[string]any(want), map[string]any(got), cmpopts.EquateNaNs(), cmp.Comparer(func(a, b time.Time) bool {
		return a.Equal(b) && a.Format(time.RFC3339Nano) == b.Format(time.RFC3339Nano)
	}),
		cmp.Comparer(func(a, b dbtype.Date) bool { return a.Time().Equal(b.Time()) }), cmp.Comparer(func(a, b dbtype.LocalDateTime) bool { return a.Time().Equal(b.Time()) })); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, text)
	}
	for _, wrong := range []string{`{"a":{"b":1}}`, `{"a":null}`, `{"a":{"time":"soon"}}`, `{"a":{"point":[1]}}`, `{"a":{"duration":[1,2,3,4.5]}}`, `{"a":{}}`, `{"a":{"zone":"Europe/Berlin"}}`, `{"a":1e999}`} {
		if err := json.Unmarshal([]byte(wrong), &got); err == nil {
			t.Errorf("%s was read as %v", wrong, got)
		}
	}
}

// TestNear finds the pairs that comparing all with all finds.
func TestNear(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringOfN(rapid.SampledFrom([]rune("abñ_1")), 1, 14, -1), 0, 30, rapid.ID[string]).Draw(t, "names")
		names := make([]namedEntity, len(words))
		for i, w := range words {
			names[i] = namedEntity{Neighbor: Neighbor{ID: w, Label: w}, name: w}
		}
		got := pairing{names: names, pairs: map[[2]int]DuplicatePair{}}
		got.near()
		want := pairing{names: names, pairs: map[[2]int]DuplicatePair{}}
		for i := range names {
			for j := range i {
				a, b := names[i].name, names[j].name
				if fixed(a) == fixed(b) && min(len([]rune(a)), len([]rune(b))) >= 4 {
					want.compare(i, j, min(allowed(len([]rune(a))), allowed(len([]rune(b)))))
				}
			}
		}
		if diff := cmp.Diff(want.pairs, got.pairs); diff != "" {
			t.Fatalf("(-all with all +got):\n%s", diff)
		}
	})
}
