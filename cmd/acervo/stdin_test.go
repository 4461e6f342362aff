package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestInterruptReading interrupts a command that waits for a document which
// nobody writes.
func TestInterruptReading(t *testing.T) {
	t.Parallel()
	bin, err := exec.LookPath("acervo") // testscript put this test's binary there
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "upsert", "--owner", "sandy")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: once it is written, the command reads.
	if _, err := in.Write(bytes.Repeat([]byte("{}\n"), 100_000)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || stderr.String() != "acervo: interrupted\n" {
			t.Errorf("%v, %q", err, stderr.String())
		}
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		t.Error("it goes on")
	}
}
