package provision

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// state is what is known of a server that was started by Java. It is kept in
// the server's home.
type state struct {
	PID      int    `json:"pid"`
	Parent   int    `json:"parent"` // the process that a server for tests belongs to
	BoltPort int    `json:"bolt_port"`
	HTTPPort int    `json:"http_port"`
	Version  string `json:"version"`
}

const stateFile = "state.json"

func readState(home string) (state, error) {
	var s state
	text, err := os.ReadFile(filepath.Join(home, stateFile))
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

func (s state) write(home string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, stateFile), text, 0o644)
}

// runs reports whether the state's process is still the server of this home, and
// not another process that got the same number later.
func (s state) runs(home string) bool {
	if s.PID <= 0 {
		return false
	}
	args, err := exec.Command("ps", "-o", "args=", "-p", strconv.Itoa(s.PID)).Output()
	return err == nil && strings.Contains(string(args), "--home-dir="+home)
}

// ended is closed once the server of this home has ended.
func (s state) ended(ctx context.Context, home string) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for s.runs(home) && ctx.Err() == nil {
			time.Sleep(time.Second)
		}
	}()
	return ended
}

// alive reports whether a process of this number exists.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// end asks the server of this home to end, and ends it after a while.
func (s state) end(home string) error {
	if !s.runs(home) {
		return nil
	}
	if err := syscall.Kill(s.PID, syscall.SIGTERM); err != nil {
		return err
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if !s.runs(home) {
			return nil
		}
	}
	return syscall.Kill(s.PID, syscall.SIGKILL)
}

// sweep removes servers for tests whose test process is gone.
func sweep(folder string) {
	homes, _ := filepath.Glob(filepath.Join(folder, "test-*"))
	for _, home := range homes {
		s, err := readState(home)
		if err != nil || alive(s.Parent) {
			continue
		}
		if s.runs(home) {
			_ = syscall.Kill(s.PID, syscall.SIGKILL)
		}
		_ = os.RemoveAll(home)
	}
}
