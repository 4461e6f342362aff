package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWhole: what stands where a file is written keeps its mode and its kind, and
// stays as it was if writing fails.
func TestWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "hello"); return err }
	holds := func(name, want string, mode os.FileMode) {
		t.Helper()
		got, err := os.ReadFile(at(name))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
		if info, err := os.Lstat(at(name)); err != nil || info.Mode() != mode {
			t.Errorf("%s is %v, want %v", name, info.Mode(), mode)
		}
	}
	if err := whole(at("new"), private, hello); err != nil {
		t.Error(err)
	}
	holds("new", "hello", 0o600)

	if err := os.WriteFile(at("there"), []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := whole(at("there"), private, func(w io.Writer) error { return errors.Join(hello(w), broken) }); !errors.Is(err, broken) {
		t.Error(err)
	}
	holds("there", "old", 0o640)
	for link, target := range map[string]string{"link": "there", "dangling": "made"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
		if err := whole(at(link), private, hello); err != nil {
			t.Error(err)
		}
		if got, err := os.Readlink(at(link)); err != nil || got != target {
			t.Errorf("%s leads to %q, %v", link, got, err)
		}
	}
	holds("there", "hello", 0o640)
	holds("made", "hello", 0o600)

	if err := syscall.Mkfifo(at("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		text, err := os.ReadFile(at("fifo"))
		read <- string(text) + errorText(err)
	}()
	if err := whole(at("fifo"), private, hello); err != nil {
		t.Error(err)
	}
	if got := <-read; got != "hello" {
		t.Errorf("the pipe's reader got %q", got)
	}
	if err := whole(dir, private, hello); err == nil {
		t.Error("a folder was written to")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 6 {
		t.Errorf("there are %v, %v", left, err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
