package provision

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

//go:embed pom.xml
var pom []byte

//go:embed Start.java
var startSource []byte

// release is what a version has to look like to be part of a path.
var release = regexp.MustCompile(`^[0-9]+(\.[0-9]+)+$`)

// jars gives the folder with the jars of a release, and downloads them if it
// isn't there. Processes that need them at once wait for the first.
func jars(ctx context.Context, folder, version string, progress io.Writer) (string, error) {
	if !release.MatchString(version) {
		return "", fmt.Errorf("%q is no release of Neo4j", version)
	}
	lib := filepath.Join(folder, "lib-"+version)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(folder, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(lib); err == nil {
		return lib, nil
	}
	work, err := os.MkdirTemp(folder, "download-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	for name, text := range map[string][]byte{"pom.xml": pom, "Start.java": startSource} {
		if err := os.WriteFile(filepath.Join(work, name), text, 0o644); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(progress, "downloading Neo4j Community %s and Neo4j Browser with Maven (about 130 MB the first time)\n", version)
	mvn := exec.CommandContext(ctx, "mvn", "-q", "-B", "--no-transfer-progress", "-Dneo4j.version="+version,
		"dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=lib")
	mvn.Dir = work
	done := watch(filepath.Join(work, "lib"), progress)
	out, err := mvn.CombinedOutput()
	done()
	if err != nil {
		return "", &unavailableError{fmt.Errorf("download Neo4j %s: %w\n%s", version, err, tail(out, 2000))}
	}
	if err := os.Remove(filepath.Join(work, "pom.xml")); err != nil {
		return "", err
	}
	return lib, os.Rename(work, lib)
}

// watch says every few seconds how many jars there are.
func watch(lib string, progress io.Writer) func() {
	stop := make(chan struct{})
	go func() {
		start := time.Now()
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Second):
				found, _ := filepath.Glob(filepath.Join(lib, "*.jar"))
				fmt.Fprintf(progress, "  still downloading (%s, %d jars copied)\n", time.Since(start).Round(time.Second), len(found))
			}
		}
	}()
	return func() { close(stop) }
}

// lock takes a lock among processes, which ends with the process.
func lock(path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { f.Close() }, nil
}

func tail(out []byte, n int) []byte { return out[max(0, len(out)-n):] }
