package acervo

import "testing"

// TestTournament lets each part meet each other one and itself once, and no part
// two at a time.
func TestTournament(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 128; n += 2 {
		met := map[[2]int]int{}
		for _, round := range tournament(n) {
			busy := map[int]bool{}
			for _, pair := range round {
				if pair[0] > pair[1] || busy[pair[0]] || busy[pair[1]] {
					t.Fatalf("%d parts: %v in %v", n, pair, round)
				}
				busy[pair[0]], busy[pair[1]] = true, true
				met[pair]++
			}
			if len(round) > n/2 {
				t.Errorf("%d parts: %d at once", n, len(round))
			}
		}
		for x := range n {
			for y := x; y < n; y++ {
				if met[[2]int{x, y}] != 1 {
					t.Errorf("%d parts: %d and %d met %d times", n, x, y, met[[2]int{x, y}])
				}
			}
		}
	}
}
