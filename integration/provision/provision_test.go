package provision

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	fine := func(name string) way {
		return way{name, func() string { return "" }, func(context.Context) (*Server, error) { return &Server{How: name}, nil }}
	}
	missing := func(name string) way {
		return way{name: name, usable: func() string { return name + " isn't installed" }}
	}
	noImage := fine("docker")
	noImage.start = func(context.Context) (*Server, error) { return nil, &unavailableError{errors.New("no image")} }
	broken := fine("docker")
	broken.start = func(context.Context) (*Server, error) { return nil, errors.New("port 7687 is taken") }
	for name, c := range map[string]struct {
		ways       []way
		only       string
		how, fails string
		progress   string
	}{
		"the first":               {ways: []way{fine("docker"), fine("java")}, how: "docker"},
		"the second":              {ways: []way{missing("docker"), fine("java")}, how: "java"},
		"no image":                {ways: []way{noImage, fine("java")}, how: "java", progress: "docker can't be used (no image); trying the next way"},
		"a failure is told":       {ways: []way{broken, fine("java")}, fails: "port 7687 is taken"},
		"one alone":               {ways: []way{fine("docker"), fine("java")}, only: "java", how: "java"},
		"nothing":                 {ways: []way{missing("docker"), missing("java")}, fails: "no Neo4j: one of three ways is needed\n  - set NEO4J_URI (and NEO4J_USERNAME, NEO4J_PASSWORD) to use a Neo4j that is running\n  - docker: docker isn't installed\n  - java: java isn't installed"},
		"nothing but the missing": {ways: []way{noImage, missing("java")}, fails: "docker: no image"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var progress bytes.Buffer
			s, err := choose(t.Context(), c.ways, c.only, &progress)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || s.How != c.how || !strings.Contains(progress.String(), c.progress) {
				t.Errorf("%+v, %v, progress %q", s, err, progress.String())
			}
		})
	}
}

func TestCheckPorts(t *testing.T) {
	t.Parallel()
	taken := map[int]bool{7687: true, 7688: true}
	err := checkPorts(7687, 7474, func(p int) bool { return !taken[p] }, func(int) string { return " by java (pid 7)" })
	want := "port 7687 (Bolt) is taken by java (pid 7); to use other ports: NEO4J_BOLT_PORT=7689 NEO4J_HTTP_PORT=7475 make up"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if err := checkPorts(7690, 7474, func(int) bool { return true }, nil); err != nil {
		t.Error(err)
	}
}

func TestStateOfAnotherProcess(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s := state{PID: os.Getpid(), Version: "5.26.30", BoltPort: 1}
	if err := s.write(home); err != nil {
		t.Fatal(err)
	}
	read, err := readState(home)
	if err != nil || read != s {
		t.Fatalf("%+v, %v", read, err)
	}
	if read.runs(home) {
		t.Error("this test passes for a server")
	}
	if err := read.end(home); err != nil {
		t.Error(err) // and this test is still there
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	homes := map[string]state{"test-left": {Parent: gone.Process.Pid}, "test-mine": {Parent: os.Getpid()}, "server-5.26.30": {}}
	for name, s := range homes {
		home := filepath.Join(folder, name)
		if err := os.Mkdir(home, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := s.write(home); err != nil {
			t.Fatal(err)
		}
	}
	sweep(folder)
	for name := range homes {
		_, err := os.Stat(filepath.Join(folder, name))
		if removed := errors.Is(err, os.ErrNotExist); removed != (name == "test-left") {
			t.Errorf("%s removed: %v", name, removed)
		}
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	text := Options{BoltPort: 7688, HTTPPort: 7475, Config: map[string]string{"dbms.usage_report.enabled": "true", "x": "y"}}.config()
	for _, want := range []string{"server.bolt.listen_address=127.0.0.1:7688\n", "server.http.advertised_address=127.0.0.1:7475\n", "dbms.usage_report.enabled=true\n", "x=y\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q isn't there once in\n%s", want, text)
		}
	}
	for _, r := range text {
		if r > 126 {
			t.Errorf("%q isn't ASCII, and Neo4j reads the file as Latin-1", r)
		}
	}
}

func TestJava(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{`openjdk version "17.0.15" 2025-04-15`: 17, `openjdk version "25" 2025`: 25, `java version "1.8.0_1"`: 1, "nonsense": 0} {
		if got := javaMajor(text); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
	for version, want := range map[string]int{"5.26.30": 17, "2026.05.0": 21} {
		if got := neededJava(version); got != want {
			t.Errorf("%s needs %d", version, got)
		}
	}
	if _, err := jars(t.Context(), t.TempDir(), "../../x", os.Stderr); err == nil {
		t.Error("a path was taken for a release")
	}
}
