package fault

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// child is a client that its parent kills. It makes the calls of a seed, and writes
// a line after each that was acknowledged; or it loads a file.
func child(owner string) int {
	ctx := context.Background()
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	c, err := acervo.Open(ctx, acervo.Config{URI: os.Getenv("NEO4J_URI"), Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD")})
	if err != nil {
		return fail(err)
	}
	defer c.Close(ctx)
	fmt.Println("open")
	if path := os.Getenv("ACERVO_FAULT_LOAD"); path != "" {
		f, err := os.Open(path)
		if err != nil {
			return fail(err)
		}
		defer f.Close()
		if _, err := c.Load(ctx, f, acervo.LoadParams{Owner: owner, Strict: true, BatchSize: 50}); err != nil {
			return fail(err)
		}
		return 0
	}
	seed, err := strconv.Atoi(os.Getenv("ACERVO_FAULT_SEED"))
	if err != nil {
		return fail(err)
	}
	held := newState()
	for one := range calls(seed) {
		one = one.possible(held)
		if err := one.run(ctx, c.Memory(owner), held); err != nil {
			return fail(err)
		}
		held = one.apply(held)
		fmt.Println(one)
	}
	return 0
}

// calls are those of a seed, without end.
func calls(seed int) func(yield func(call) bool) {
	return func(yield func(call) bool) {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		for i := 0; yield(draw(random, i)); i++ {
		}
	}
}

// startChild starts this test's program as a client and waits until it is connected.
func (k *kills) startChild(t *testing.T, owner string, env ...string) (*exec.Cmd, *bufio.Scanner, *strings.Builder) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), append(env, "ACERVO_FAULT_CHILD="+owner, "NEO4J_URI=bolt://"+hostOf(t, k.s.URI), "NEO4J_USERNAME="+k.s.Username, "NEO4J_PASSWORD="+k.s.Password)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("the client ended: %v, %s", cmd.Wait(), stderr.String())
	}
	return cmd, lines, &stderr
}

// kills is what the tests that kill share.
type kills struct {
	w *watcher
	s *provision.Server
}

func newKills(t *testing.T) *kills {
	t.Helper()
	s := testServer(t)
	k := &kills{w: watch(t, s), s: s}
	k.w.clear(t)
	return k
}

// TestClientKilled kills clients at random moments: what was acknowledged to them is
// there, once, and of what wasn't all or nothing.
func TestClientKilled(t *testing.T) {
	k := newKills(t)
	count, seed := setting(t, "ACERVO_FAULT_KILLS", 1), firstSeed(t)
	outcome, acknowledged := map[became]int{}, 0
	for i := range count {
		seed, owner := seed+i, fmt.Sprint("killed-", seed+i)
		random := rand.New(rand.NewPCG(uint64(seed), 2))
		cmd, lines, stderr := k.startChild(t, owner, "ACERVO_FAULT_SEED="+fmt.Sprint(seed))
		heard, enough, moment := 0, random.IntN(30), time.Duration(random.IntN(100))*time.Millisecond
		kill := func() {
			if heard == enough {
				time.AfterFunc(moment, func() { _ = cmd.Process.Kill() })
			}
		}
		kill()
		for lines.Scan() {
			heard++
			kill()
		}
		if err := cmd.Wait(); heard < enough || stderr.Len() > 0 {
			t.Fatalf("seed %d: the client ended by itself: %v, %s", seed, err, stderr.String())
		}
		k.w.quiet(t)
		held, n, became := newState(), 0, absent
		for one := range calls(seed) {
			one = one.possible(held)
			if n < heard {
				held = one.apply(held)
				n++
				continue
			}
			became = k.w.settle(t, owner, held, one)
			if became == inPart {
				if err := one.run(t.Context(), k.w.client.Memory(owner), held); err != nil {
					t.Errorf("seed %d: %s again: %v", seed, one, err)
				}
				if got := k.w.settle(t, owner, held, one); got != whole {
					t.Errorf("seed %d: %s again %s", seed, one, got)
				}
			}
			break
		}
		outcome[became]++
		acknowledged += heard
		k.w.healthy(t)
		if t.Failed() {
			t.Fatalf("again: ACERVO_FAULT_SEED=%d ACERVO_FAULT_KILLS=1", seed)
		}
	}
	t.Logf("%d clients killed from seed %d: %d calls acknowledged, the last one %v", count, seed, acknowledged, outcome)
}

// TestLoadKilled kills a client while it loads: what it left agrees with itself, and
// the same load again makes what a load that nobody kills makes.
func TestLoadKilled(t *testing.T) {
	k := newKills(t)
	count, seed := (setting(t, "ACERVO_FAULT_KILLS", 1)+3)/4, firstSeed(t)
	path := filepath.Join(t.TempDir(), "documents.jsonl")
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, `{"entities":[["Kelvor%d","Persona"]],"relations":[["Kelvor%d","Kelvor%d","GUSTA_DE"]],"facts":[["Kelvor%d","fact number %d"]]}`+"\n", i, i, (i*7+1)%2000, i, i)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(owner string) {
		t.Helper()
		if _, err := k.w.client.Load(t.Context(), strings.NewReader(text.String()), acervo.LoadParams{Owner: owner, Strict: true}); err != nil {
			t.Fatal(err)
		}
	}
	load("whole")
	want := unowned(k.w.graph(t, "whole"), "whole")
	var left []int
	for i := range count {
		owner := fmt.Sprint("loaded-", seed+i)
		random := rand.New(rand.NewPCG(uint64(seed+i), 3))
		cmd, _, stderr := k.startChild(t, owner, "ACERVO_FAULT_LOAD="+path)
		for enough := int64(random.IntN(len(want) / 2)); ; time.Sleep(5 * time.Millisecond) {
			there := k.w.query(t, "MATCH (n) WHERE n.owner = $owner RETURN count(*)", map[string]any{"owner": owner})
			if n, _ := there[0].Values[0].(int64); n >= enough {
				break
			}
		}
		_ = cmd.Process.Kill() // it may have ended
		if err := cmd.Wait(); stderr.Len() > 0 {
			t.Fatalf("the client failed: %v, %s", err, stderr.String())
		}
		k.w.quiet(t)
		part := unowned(k.w.graph(t, owner), owner)
		left = append(left, len(part))
		for _, line := range part {
			if _, there := slices.BinarySearch(want, line); !there {
				t.Errorf("seed %d: a killed load left %q", seed+i, line)
			}
		}
		k.w.healthy(t)
		load(owner)
		if diff := cmp.Diff(want, unowned(k.w.graph(t, owner), owner)); diff != "" {
			t.Errorf("seed %d: the same load again (-want +got):\n%s", seed+i, diff)
		}
		k.w.healthy(t)
	}
	t.Logf("%d loads of %d nodes and relationships killed from seed %d: there were %v", count, len(want), seed, left)
}

// unowned are lines without their owner.
func unowned(lines []string, owner string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimPrefix(line, owner+" ")
	}
	return out
}

// TestServerKilled kills the server while several clients write: after its restart
// what was acknowledged is there, and of each last call all or nothing.
func TestServerKilled(t *testing.T) {
	k := newKills(t)
	s, p := k.s, newProxy(t, hostOf(t, k.s.URI))
	count, seed := (setting(t, "ACERVO_FAULT_KILLS", 1)+9)/10, firstSeed(t)
	type writer struct {
		owner string
		held  *state
		last  call
	}
	outcome := map[became]int{}
	var acknowledged atomic.Int64
	for i := range count {
		random := rand.New(rand.NewPCG(uint64(seed+i), 4))
		enough := acknowledged.Load() + 10 + random.Int64N(40)
		c := open(t, s, p.uri())
		writers := make([]*writer, 4)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for n := range writers {
			w := &writer{owner: fmt.Sprint("writer-", seed+i, "-", n), held: newState()}
			writers[n] = w
			wg.Go(func() {
				for one := range calls(10*(seed+i) + n) {
					w.last = one.possible(w.held)
					if err := w.last.run(ctx, c.Memory(w.owner), w.held); err != nil {
						if !errors.Is(err, acervo.ErrUnavailable) && !errors.Is(err, context.Canceled) {
							t.Errorf("%s: %v", w.last, err)
						}
						return
					}
					w.held = w.last.apply(w.held)
					acknowledged.Add(1)
				}
			})
		}
		for deadline := time.Now().Add(3 * time.Minute); acknowledged.Load() < enough; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d calls were acknowledged in three minutes", acknowledged.Load())
			}
		}
		if err := s.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		cancel() // those that wait for the server
		wg.Wait()
		if err := s.Restart(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		p.Stop()
		p.Upstream = hostOf(t, s.URI)
		k.w = watch(t, s)
		k.w.quiet(t)
		for _, w := range writers {
			became := k.w.settle(t, w.owner, w.held, w.last)
			outcome[became]++
			if became == inPart {
				if err := w.last.run(t.Context(), k.w.client.Memory(w.owner), w.held); err != nil {
					t.Errorf("%s again: %v", w.last, err)
				}
			}
		}
		k.w.healthy(t)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("again, as far as moments are: ACERVO_FAULT_SEED=%d ACERVO_FAULT_KILLS=1", seed+i)
		}
	}
	t.Logf("%d kills from seed %d: %d calls acknowledged, the last ones of 4 writers %v", count, seed, acknowledged.Load(), outcome)
}
