// Package scripts holds what the test scripts of the command line share.
package scripts

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// Commands are the commands of the scripts beside testscript's own:
//
//	exits CODE COMMAND…   runs a command and checks its exit code
//	isjson                checks that standard output is one JSON document
func Commands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "isjson": isJSON}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	out := []byte(ts.ReadFile("stdout"))
	if json.Valid(bytes.TrimSpace(out)) == neg {
		ts.Fatalf("standard output is JSON: %v", !neg)
	}
}
