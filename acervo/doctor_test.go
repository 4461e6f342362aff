package acervo

import (
	"fmt"
	"testing"
)

// TestNearLimits warns from nine tenths of a limit on; TestDoctor asks a server.
func TestNearLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n, limit int64
		want     bool
	}{
		{0, maxRelationTypes, false}, {58_982, maxRelationTypes, false}, {58_983, maxRelationTypes, true}, {maxRelationTypes, maxRelationTypes, true}, {maxRelationTypes + 1, maxRelationTypes, true},
		{15_099_494, maxPropertyKeys, false}, {15_099_495, maxPropertyKeys, true},
		{0, 1, false}, {1, 1, true}, {899, 1000, false}, {900, 1000, true}, {1000, 1000, true},
	} {
		var d diagnosis
		d.near("names", test.n, test.limit, "use fewer")
		if got := len(d.result.Findings) == 1; got != test.want {
			t.Errorf("%d of %d: %+v", test.n, test.limit, d.result.Findings)
		}
		if want := (Finding{Check: "names", Severity: Warning, Count: 1, Message: fmt.Sprintf("%d names, of %d", test.n, test.limit), Mend: "use fewer"}); test.want && d.result.Findings[0] != want {
			t.Errorf("%+v, not %+v", d.result.Findings[0], want)
		}
	}
}

func TestShownIndex(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]Finding{
		"ONLINE":     {},
		"POPULATING": {Check: "indexes", Severity: Warning, Count: 1, Message: "i is being filled", Mend: "wait, then acervo doctor"},
		"FAILED":     {Check: "indexes", Severity: Fault, Count: 1, Message: "i is FAILED: too large", Mend: "DROP INDEX i, then acervo doctor --fix"},
	} {
		f, wrong := shownIndex{state: state, message: "too large"}.finding("i")
		if wrong != (state != "ONLINE") || wrong && f != want {
			t.Errorf("%s: %+v", state, f)
		}
	}
}
