package integration

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
)

// built gives the command line and the environment that it needs for an owner.
func built(t *testing.T, owner string) (bin string, env []string) {
	t.Helper()
	s := testServer(t)
	bin, err := acervoBinary()
	if err != nil {
		t.Fatal(err)
	}
	return bin, append(os.Environ(), "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password, "ACERVO_OWNER="+owner)
}

// TestConfirm answers the question that a terminal is asked.
func TestConfirm(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		needed(t, "no script, which makes a terminal")
	}
	m := testClient(t).Memory(testOwner(t))
	bin, env := built(t, m.Owner())
	for _, c := range []struct {
		answer string
		gone   bool
	}{{"\n", false}, {"n\n", false}, {"y\n", true}} {
		upsert(t, m, acervo.UpsertParams{Entities: []acervo.Entity{{Name: "Ana", Type: "Persona"}}})
		cmd := exec.CommandContext(t.Context(), "script", "-qec", bin+" remove-entity Ana", "/dev/null")
		cmd.Env = env
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() { // script ends with its input, so it gets no end before the question
			_, _ = in.Write([]byte(c.answer))
			time.Sleep(5 * time.Second)
			_ = in.Close()
		}()
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), "Ana would be removed") || !strings.Contains(string(out), "Do it? [y/N]") {
			t.Errorf("it asks %q", out)
		}
		if (err == nil) != c.gone {
			t.Errorf("after %q: %v, %s", c.answer, err, out)
		}
		if n := count(t, "MATCH (e:AcervoEntity {owner: $owner}) RETURN count(e)", map[string]any{"owner": m.Owner()}); (n == 0) != c.gone {
			t.Errorf("after %q, %d entities", c.answer, n)
		}
	}
}

// TestForgetKilled kills the command again and again while it forgets.
func TestForgetKilled(t *testing.T) {
	client := testClient(t)
	m := client.Memory(testOwner(t))
	place, tech := "Pueblo "+m.Owner(), "Tecno "+m.Owner()
	t.Cleanup(func() { removeWorld(t, place, tech) })
	upsert(t, client.World(), acervo.UpsertParams{Entities: []acervo.Entity{{Name: place, Type: "Lugar"}, {Name: tech, Type: "Tecnologia"}}})
	before := dump(t)
	liveALife(t, m, place, tech)
	bin, env := built(t, m.Owner())
	kills := 0
	for wait := 150 * time.Millisecond; ; wait += 20 * time.Millisecond {
		cmd := exec.CommandContext(t.Context(), bin, "forget", "--yes", "--batch-size", "1")
		cmd.Env = env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		if err == nil {
			break
		}
		if kills++; kills > 200 {
			t.Fatal(err)
		}
		checkGraph(t, m.Owner()) // whatever is gone, the rest is whole
	}
	if diff := cmp.Diff(before, dump(t)); diff != "" {
		t.Errorf("after %d kills the database isn't as before:\n%s", kills, diff)
	}
}
