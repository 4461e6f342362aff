package provision

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/acervo-graph/acervo/cmd/acervo/browser"
)

// guidePort is where the guide of a server of `make up` is served: the port
// behind the one of Browser.
func (o Options) guidePort() int { return o.HTTPPort + 1 }

// browserSettings let Neo4j Browser style the graph and show the guide at once.
func (o Options) browserSettings() map[string]string {
	return map[string]string{"browser.post_connect_cmd": browser.PostConnect(o.guidePort())}
}

// guideState is the process that serves the guide, which outlives `make up`.
type guideState struct {
	PID  int `json:"pid"`
	Port int `json:"port"`
}

// guideCommand is what the process's arguments hold.
const guideCommand = "guide-of-make-up"

// runs reports whether the process is still the one of the guide.
func (g guideState) runs() bool {
	if g.PID <= 0 {
		return false
	}
	args, err := exec.Command("ps", "-o", "args=", "-p", strconv.Itoa(g.PID)).Output()
	return err == nil && strings.Contains(string(args), guideCommand)
}

func readGuide(folder string) guideState {
	var g guideState
	if text, err := os.ReadFile(filepath.Join(folder, "guide.json")); err == nil {
		_ = json.Unmarshal(text, &g) // of a file that isn't one, nothing runs
	}
	return g
}

// ServeGuide starts the process that serves the guide of a server of `make up`,
// unless it runs. The program has to take "guide-of-make-up PORT".
func ServeGuide(s *Server, opts Options) error {
	opts.fill()
	folder, err := folder()
	if err != nil {
		return err
	}
	if g := readGuide(folder); g.runs() {
		if g.Port == opts.guidePort() {
			return nil
		}
		_ = syscall.Kill(g.PID, syscall.SIGTERM)
	}
	if !free(opts.guidePort()) {
		return fmt.Errorf("port %d (the guide of Browser) is taken%s; the guide isn't served", opts.guidePort(), holder(opts.guidePort()))
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	// `go run` removes the program at its end, so a copy is kept.
	kept := filepath.Join(folder, "guide-server")
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(kept+".new", text, 0o755), os.Rename(kept+".new", kept)); err != nil {
		return err
	}
	cmd := exec.Command(kept, guideCommand, strconv.Itoa(opts.guidePort()))
	cmd.Env = append(os.Environ(), "NEO4J_URI="+s.URI, "NEO4J_USERNAME="+s.Username, "NEO4J_PASSWORD="+s.Password)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	state, err := json.Marshal(guideState{cmd.Process.Pid, opts.guidePort()})
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(folder, "guide.json"), state, 0o644), cmd.Process.Release())
}

// endGuide ends the process that serves the guide.
func endGuide() error {
	folder, err := folder()
	if err != nil {
		return err
	}
	if g := readGuide(folder); g.runs() {
		if err := syscall.Kill(g.PID, syscall.SIGTERM); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(folder, "guide.json")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
