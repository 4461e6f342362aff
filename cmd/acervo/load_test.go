package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRejectsOfStdin refuses to write rejects into the file that standard input is.
func TestRejectsOfStdin(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "load.rejects.jsonl")
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := checkRejects(path, []string{"-"}, in); err == nil {
		t.Error("it would be overwritten")
	}
	if err := checkRejects(path+"x", []string{"-"}, in); err != nil {
		t.Error(err)
	}
}
