package provision

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPersistent starts the server of `make up` twice at once, which has to end
// with one, and once more with another password, which has to fail at once.
func TestPersistent(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a Neo4j")
	}
	if why := javaMissing(DefaultVersion); why != "" && os.Getenv("CI") == "" {
		t.Skip(why)
	}
	kept, err := folder()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := jars(t.Context(), kept, DefaultVersion, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".neo4j"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(lib, filepath.Join(root, ".neo4j", filepath.Base(lib))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	ports, err := freePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	up := func(password string) (*Server, error) {
		opts := Options{Persistent: true, Version: DefaultVersion, Password: password, BoltPort: ports[0], HTTPPort: ports[1], Progress: io.Discard}
		return javaServer(t.Context(), opts)
	}
	t.Cleanup(func() {
		if _, err := downJava(); err != nil {
			t.Error(err)
		}
	})
	type answer struct {
		*Server
		error
	}
	answers := make(chan answer)
	for range 2 {
		go func() {
			s, err := up("the-first-password")
			answers <- answer{s, err}
		}()
	}
	found := 0
	for range 2 {
		a := <-answers
		if a.error != nil {
			t.Fatal(a.error)
		}
		if strings.Contains(a.How, "runs already") {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d of two calls at once found the server of the other", found)
	}
	start := time.Now()
	_, err = up("another-password")
	if err == nil || !strings.Contains(err.Error(), "doesn't take the password") {
		t.Errorf("another password: %v", err)
	}
	if d := time.Since(start); d > startTimeout/2 {
		t.Errorf("another password: the answer took %s", d)
	}
}
