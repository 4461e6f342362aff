package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
)

// example is a program of ../examples on the tests' server, with the race detector if
// the test has it.
func example(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	s := testServer(t)
	bin := filepath.Join(t.TempDir(), name)
	build := []string{"build", "-o", bin}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		build = append(build, "-race")
	}
	if out, err := exec.Command("go", append(build, "../examples/"+name)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Env = append(os.Environ(), "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password, "OPENAI_BASE_URL=")
	return cmd
}

// prints runs a command that succeeds and compares what it prints with a file.
func prints(t testing.TB, cmd *exec.Cmd, path string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, got, stderrOf(err))
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestExampleChat plays the conversation of the script, whose model says what it was
// given where it knows no answer, and looks at what is remembered then.
func TestExampleChat(t *testing.T) {
	m := testClient(t).Memory(testOwner(t))
	cmd := example(t, "chat")
	cmd.Env = append(cmd.Env, "ACERVO_OWNER="+m.Owner())
	prints(t, cmd, "testdata/examples/chat.txt")
	grace := one(t, m, "Grace")
	var relations []string
	for _, r := range grace.Relations {
		relations = append(relations, fmt.Sprint(r.Type, " ", r.Outgoing, " ", r.Neighbor.ID))
	}
	slices.Sort(relations)
	if want := []string{"FAMILIAR_DE false ada", "TRABAJA_EN true acme", "VIVE_EN true eastmere"}; !slices.Equal(relations, want) || grace.Type != "Persona" {
		t.Errorf("%s: %q", grace.Type, relations)
	}
	if erp := one(t, m, "the ERP"); erp.Label != "Lighthouse" || len(erp.Facts) != 1 || erp.Facts[0].Text != "Goes live in May" {
		t.Errorf("%+v", erp)
	}
	if n := count(t, "MATCH (n:AcervoEnded {owner: $owner, type: 'VIVE_EN', to: 'p:westhaven'}) RETURN count(n)", map[string]any{"owner": m.Owner()}); n != 1 {
		t.Errorf("%d former homes", n)
	}
}

// completion is what the stub of an endpoint is asked for.
type completion struct {
	Model    string `json:"model"`
	Messages []struct{ Role, Content string }
}

// modelStub answers one completion after the other, an empty one by an error, and keeps
// what it is asked for.
func modelStub(t testing.TB, answers ...string) (*httptest.Server, func() []completion) {
	t.Helper()
	var asked []completion
	var lock sync.Mutex // between requests, which come one after the other, and the test
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		var c completion
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer the-key" || c.Model != "the-model" {
			t.Errorf("%v, %s, %+v", err, r.URL, c)
		}
		if asked = append(asked, c); len(asked) > len(answers) {
			t.Errorf("asked for %+v, too", c)
			return
		}
		answer := answers[len(asked)-1]
		if answer == "" {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		_ = json.NewEncoder(w).Encode(fields{"choices": []any{fields{"message": fields{"role": "assistant", "content": answer}}}})
	}))
	t.Cleanup(stub.Close)
	return stub, func() []completion {
		lock.Lock()
		defer lock.Unlock()
		return asked
	}
}

// TestExampleChatEndpoint talks with a model behind an endpoint: it is given what the
// memory has, and what it extracts is the owner's own, whatever it says.
func TestExampleChatEndpoint(t *testing.T) {
	client := testClient(t)
	m, other := client.Memory(testOwner(t)), client.Memory(testOwner(t))
	stub, asked := modelStub(t,
		"Hello!", "Here it is:\n```json\n"+`{"owner": "`+other.Owner()+`", "layer": "UNIVERSAL", "entities": [["Zephyr Quux", "Person"]], "facts": [["Zephyr Quux", "Plays the oud"]]}`+"\n```",
		"", // the second message fails
		"The oud.", "There is nothing to remember.",
		"What?", `{"entities": [["", "Person"]]}`,
	)
	cmd := example(t, "chat")
	cmd.Env = append(cmd.Env, "ACERVO_OWNER="+m.Owner(), "OPENAI_BASE_URL="+stub.URL+"/v1/", "OPENAI_MODEL=the-model", "OPENAI_API_KEY=the-key")
	cmd.Stdin = strings.NewReader("I met Zephyr Quux, who plays the oud\nlost\nWhat does Zephyr Quux play?\nHm?\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	want := "> Hello!\n  + Zephyr Quux (Persona)\n  + zephyr_quux: Plays the oud\n> > The oud.\n> What?\n> \n"
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if told := stderr.String(); strings.Count(told, "\n") != 2 || !strings.Contains(told, "429 Too Many Requests: too many requests") || !strings.Contains(told, "entity 0: name is empty") {
		t.Errorf("%s", told)
	}
	const known = "Zephyr Quux (Persona, PERSONAL)\n- the user said: Plays the oud"
	requests := asked()
	for i, c := range requests {
		if len(c.Messages) != 2 || c.Messages[0].Role != "system" || c.Messages[1].Role != "user" {
			t.Fatalf("%+v", c)
		}
		// What the first message taught is known later: the third one names it, the others
		// name nothing and go on with it.
		if got := strings.Contains(c.Messages[0].Content, known); got != (i > 1) {
			t.Errorf("%d: it is known: %t\n%s", i, got, c.Messages[0].Content)
		}
	}
	if len(requests) == 7 && requests[3].Messages[1].Content != "What does Zephyr Quux play?" {
		t.Errorf("%+v", requests[3])
	}
	if n := one(t, m, "Zephyr Quux"); n.Layer != "PERSONAL" || *n.Owner != m.Owner() {
		t.Errorf("%+v", n)
	}
	if r, err := other.Node(t.Context(), acervo.NodeParams{Name: "Zephyr Quux"}); err == nil {
		t.Errorf("another owner has %+v", r)
	}
}

// user is a client of the service.
type user struct{ base, token string }

// send sends a request and gives the status and the body.
func (u user) send(t testing.TB, method, path, body string) (int, fields) {
	t.Helper()
	r, err := http.NewRequest(method, u.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+u.token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0, nil
	}
	defer response.Body.Close()
	var got fields
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil || response.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s: %v, %s", method, path, err, response.Status)
	}
	return response.StatusCode, got
}

// does fails the test unless a request is answered by a status and has a text in it.
func (u user) does(t testing.TB, status int, want, method, path, body string) {
	t.Helper()
	got, answer := u.send(t, method, path, body)
	text, err := json.Marshal(answer)
	if err != nil || got != status || !strings.Contains(string(text), want) {
		t.Errorf("%s %s %.200s: %d, %.600s, want %d, %s", method, path, body, got, text, status, want)
	}
}

// exampleService starts the service for owners and gives its address.
func exampleService(t testing.TB, owners ...string) (*exec.Cmd, string) {
	t.Helper()
	tokens := map[string]string{}
	for _, owner := range owners {
		tokens[tokenOf(owner)] = owner
	}
	cmd := example(t, "service", "-listen", "127.0.0.1:0", "-tokens", tokensFile(t, tokens))
	return cmd, serving(t, cmd, func(line string) string {
		_, address, _ := strings.Cut(line, "serving on ")
		return address
	})
}

// TestExampleService has two users at the same time, of whom each sees their own; what
// they get wrong; and an end while a request is under way.
func TestExampleService(t *testing.T) {
	client := testClient(t)
	owners := []string{testOwner(t), testOwner(t)}
	cmd, base := exampleService(t, owners...)
	var both sync.WaitGroup
	for i, owner := range owners {
		both.Go(func() {
			u, own, others := user{base, tokenOf(owner)}, fmt.Sprint("secret", i), fmt.Sprint("secret", 1-i)
			for n := range 10 {
				u.does(t, 200, `"created":true`, "POST", "/remember", fmt.Sprintf(`{"entities": [["Kim %d", "Person"]], "facts": [["Kim %[1]d", "has %s"]]}`, n, own))
				u.does(t, 200, own, "POST", "/turn", fmt.Sprintf(`{"message": "Kim %d", "session": "s"}`, n))
				for _, path := range []string{"/search?limit=50&q=" + own, "/search?limit=50&q=" + others, "/search?q=kim"} {
					if status, got := u.send(t, "GET", path, ""); status != 200 || strings.Contains(fmt.Sprint(got), others) {
						t.Errorf("%s: %d, %v", path, status, got)
					} else if hits := len(got["hits"].([]any)); strings.HasSuffix(path, own) && hits != n+1 {
						t.Errorf("%s: %d hits after %d facts", path, hits, n+1)
					}
				}
			}
		})
	}
	both.Wait()

	ada, bob := user{base, tokenOf(owners[0])}, user{base, tokenOf(owners[1])}
	for _, wrong := range []struct {
		u                  user
		status             int
		want               string
		method, path, body string
	}{
		{user{base, "x" + ada.token}, 401, `"code":"unauthorized"`, "POST", "/remember", "{}"},
		{user{base, ""}, 401, `"code":"unauthorized"`, "DELETE", "/memory", ""},
		{user{base, ada.token}, 400, `{"field":"name","index":1,"item":"entity","rule":"is empty"}`, "POST", "/remember", `{"entities": [["A"], [""]]}`},
		{ada, 400, "line 1: ", "POST", "/remember", "{"},
		{ada, 400, "has 2 documents, not one", "POST", "/remember", "{}{}"},
		{ada, 400, "has 0 documents, not one", "POST", "/remember", ""},
		{ada, 400, "owner and layer are left out", "POST", "/remember", `{"owner": "` + owners[1] + `", "entities": [["A"]]}`},
		{ada, 400, "owner and layer are left out", "POST", "/remember", `{"layer": "UNIVERSAL", "entities": [["A"]]}`},
		{ada, 413, `"code":"too_long"`, "POST", "/remember", `{"facts": [["A", "` + strings.Repeat("x", 2<<20) + `"]]}`},
		{ada, 413, `"code":"too_long"`, "POST", "/turn", `{"message": "` + strings.Repeat("x", 2<<20) + `"}`},
		{ada, 400, "is longer than", "POST", "/turn", `{"message": "` + strings.Repeat("x", 70<<10) + `"}`},
		{ada, 400, "body isn't like", "POST", "/turn", `{"message": "x", "owner": "` + owners[1] + `"}`},
		{ada, 400, "body isn't like", "POST", "/turn", "no"},
		{ada, 400, "text is empty", "GET", "/search", ""},
		{ada, 400, "limit is no number", "GET", "/search?q=x&limit=ten", ""},
		{ada, 404, `"code":"not_found"`, "GET", "/remember", ""},
	} {
		wrong.u.does(t, wrong.status, wrong.want, wrong.method, wrong.path, wrong.body)
	}

	ada.does(t, 200, `"AcervoEntity":10`, "DELETE", "/memory", "")
	ada.does(t, 200, `"hits":[]`, "GET", "/search?q="+url.QueryEscape("kim secret0"), "")
	bob.does(t, 200, "has secret1", "GET", "/search?q=kim", "")

	// A request that waits for a lock, which goes half a second after the signal.
	tx := begin(t)
	if _, err := tx.Run(t.Context(), "MATCH (e:AcervoEntity {owner: $owner, id: 'kim_1'}) SET e.updated_at = e.updated_at", map[string]any{"owner": owners[1]}); err != nil {
		t.Fatal(err)
	}
	late := make(chan int, 1)
	go func() {
		status, _ := bob.send(t, "POST", "/remember", `{"entities": [{"name": "Kim 1", "aliases": ["Late"]}]}`)
		late <- status
	}()
	time.Sleep(500 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status := <-late; status != 200 {
		t.Errorf("the request that was under way: %d", status)
	}
	if err := ends(t, cmd); err != nil {
		t.Error(err)
	}
	if n := one(t, client.Memory(owners[1]), "Late"); n.ID != "kim_1" {
		t.Errorf("%+v", n)
	}
}

// TestExampleShell runs the script.
func TestExampleShell(t *testing.T) {
	for _, program := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			needed(t, "no %s: %v", program, err)
		}
	}
	testClient(t) // migrates
	bin, env := built(t, testOwner(t))
	cmd := exec.CommandContext(t.Context(), "../examples/shell/memory.sh")
	cmd.Env = append(env, "PATH="+filepath.Dir(bin)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	prints(t, cmd, "testdata/examples/shell.txt")
}
