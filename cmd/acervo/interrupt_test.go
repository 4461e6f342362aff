package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt interrupts a command that waits for a server which never answers.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	bin, err := exec.LookPath("acervo") // testscript put this test's binary there
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "status", "--uri", "bolt://"+l.Addr().String())
	cmd.Env = append(os.Environ(), "NEO4J_PASSWORD=", "NEO4J_USERNAME=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept() // it is connecting now
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
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
		_ = cmd.Process.Signal(syscall.SIGKILL)
		t.Error("it goes on")
	}
}
