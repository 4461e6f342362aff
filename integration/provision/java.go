package provision

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// javaServer starts Neo4j Community from Maven Central's jars, or finds the one
// that `make up` started.
func javaServer(ctx context.Context, opts Options) (*Server, error) {
	folder, err := folder()
	if err != nil {
		return nil, err
	}
	if opts.Persistent {
		return persistent(ctx, opts, folder)
	}
	sweep(folder)
	ports, err := freePorts(2)
	if err != nil {
		return nil, err
	}
	opts.BoltPort, opts.HTTPPort = ports[0], ports[1]
	lib, err := jars(ctx, folder, opts.Version, opts.Progress)
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(folder, "test-")
	if err != nil {
		return nil, err
	}
	j := &javaProcess{home: home, lib: lib, opts: opts, parent: os.Getpid()}
	server, err := j.start(ctx)
	if err != nil {
		return nil, err
	}
	server.stop = func(context.Context) error {
		if err := j.kill(); err != nil {
			return err
		}
		return os.RemoveAll(home)
	}
	server.kill = func(context.Context) error { return j.kill() }
	server.restart = func(ctx context.Context, config map[string]string) error {
		j.opts.Config = config
		_, err := j.start(ctx)
		return err
	}
	return server, nil
}

// persistent starts the server of `make up`, unless it runs already.
func persistent(ctx context.Context, opts Options, folder string) (*Server, error) {
	home := filepath.Join(folder, "server-"+opts.Version)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(home + ".lock") // a second call waits and finds the server of the first
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s, err := readState(home); err == nil && s.runs(home) {
		opts.BoltPort, opts.HTTPPort = s.BoltPort, s.HTTPPort
		server := opts.server()
		server.How = fmt.Sprintf("Neo4j %s runs already (pid %d)", s.Version, s.PID)
		err := server.wait(ctx, opts.Progress, s.ended(ctx, home))
		if err == nil || s.runs(home) {
			return server, err
		}
		// It was about to end; a new one is started.
	}
	if err := checkPorts(opts.BoltPort, opts.HTTPPort, free, holder); err != nil {
		return nil, err
	}
	lib, err := jars(ctx, folder, opts.Version, opts.Progress)
	if err != nil {
		return nil, err
	}
	j := &javaProcess{home: home, lib: lib, opts: opts}
	return j.start(ctx)
}

// downJava ends the servers that `make up` started by Java and reports which, and
// those that killed tests left.
func downJava() ([]string, error) {
	folder, err := folder()
	if err != nil {
		return nil, err
	}
	sweep(folder)
	homes, _ := filepath.Glob(filepath.Join(folder, "server-*"))
	var ended []string
	for _, home := range homes {
		s, err := readState(home)
		if err != nil || !s.runs(home) {
			continue
		}
		if err := s.end(home); err != nil {
			return ended, fmt.Errorf("end Neo4j %s (pid %d): %w", s.Version, s.PID, err)
		}
		_ = os.Remove(filepath.Join(home, stateFile))
		ended = append(ended, fmt.Sprintf("ended Neo4j %s (pid %d); its data stays in .neo4j/%s", s.Version, s.PID, filepath.Base(home)))
	}
	return ended, nil
}

// javaProcess is a server that runs on the machine's Java.
type javaProcess struct {
	home, lib string
	opts      Options
	parent    int
	cmd       *exec.Cmd
	ended     chan struct{}
}

func (o Options) server() *Server {
	return &Server{
		URI: fmt.Sprintf("neo4j://127.0.0.1:%d", o.BoltPort), Username: username, Password: o.Password,
		BrowserURL: fmt.Sprintf("http://localhost:%d/browser/", o.HTTPPort),
	}
}

func (j *javaProcess) start(ctx context.Context) (*Server, error) {
	java, err := findJava(neededJava(j.opts.Version))
	if err != nil {
		return nil, &unavailableError{err}
	}
	if err := j.prepare(ctx, java); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(j.home, "console.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	fmt.Fprintf(j.opts.Progress, "starting Neo4j %s by Java on port %d\n", j.opts.Version, j.opts.BoltPort)
	// Not bound to ctx: the server outlives the call.
	cmd := exec.Command(java, j.args()...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C in the terminal isn't for it
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	j.cmd, j.ended = cmd, ended
	s := state{PID: cmd.Process.Pid, Parent: j.parent, BoltPort: j.opts.BoltPort, HTTPPort: j.opts.HTTPPort, Version: j.opts.Version}
	if err := s.write(j.home); err != nil {
		return nil, err
	}
	server := j.opts.server()
	server.How = fmt.Sprintf("started Neo4j %s from Maven Central's jars by %s, since there is neither NEO4J_URI nor a usable Docker engine", j.opts.Version, java)
	if err := server.wait(ctx, j.opts.Progress, ended); err != nil {
		_ = j.kill()
		text, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("start Neo4j: %w\n%s", err, tail(text, 2000))
	}
	return server, nil
}

// kill ends the process at once and waits until it is gone.
func (j *javaProcess) kill() error {
	err := j.cmd.Process.Kill()
	<-j.ended
	if err != nil && j.cmd.ProcessState == nil {
		return err
	}
	return nil
}

func (j *javaProcess) args() []string {
	args := []string{
		"-Xms256m", "-Xmx1g", "-Djava.io.tmpdir=" + filepath.Join(j.home, "tmp"),
		"--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
		"-cp", filepath.Join(j.lib, "lib", "*") + ":" + filepath.Join(j.home, "plugins", "*"),
	}
	if strings.HasPrefix(j.opts.Version, "5.") {
		args = append(args, "org.neo4j.server.CommunityEntryPoint")
	} else {
		args = append(args, filepath.Join(j.lib, "Start.java"))
	}
	return append(args, "--home-dir="+j.home, "--config-dir="+filepath.Join(j.home, "conf"))
}

// prepare writes the configuration, and the first password of a new store.
func (j *javaProcess) prepare(ctx context.Context, java string) error {
	conf := filepath.Join(j.home, "conf")
	for _, dir := range []string{conf, filepath.Join(j.home, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(conf, "neo4j.conf"), []byte(j.opts.config()), 0o644); err != nil {
		return err
	}
	for name, text := range j.opts.Files {
		path := filepath.Join(j.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(j.home, "data", "databases", "system")); err == nil {
		return nil // it has a password
	}
	// The tool takes the password from its arguments only. That of a server for
	// one machine's own use is no secret of the user's.
	admin := exec.CommandContext(ctx, java, "-cp", filepath.Join(j.lib, "lib", "*"), "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", j.opts.Password)
	admin.Env = append(os.Environ(), "NEO4J_HOME="+j.home, "NEO4J_CONF="+conf)
	if out, err := admin.CombinedOutput(); err != nil {
		return fmt.Errorf("set the first password: %w\n%s", err, strings.ReplaceAll(string(tail(out, 2000)), j.opts.Password, "…"))
	}
	return nil
}

// config is the text of neo4j.conf.
func (o Options) config() string {
	settings := map[string]string{
		"server.bolt.listen_address":     fmt.Sprintf("127.0.0.1:%d", o.BoltPort),
		"server.bolt.advertised_address": fmt.Sprintf("127.0.0.1:%d", o.BoltPort),
		"server.http.listen_address":     fmt.Sprintf("127.0.0.1:%d", o.HTTPPort),
		"server.http.advertised_address": fmt.Sprintf("127.0.0.1:%d", o.HTTPPort),
		"server.memory.pagecache.size":   "256m",
		"dbms.usage_report.enabled":      "false",
		"client.allow_telemetry":         "false",
	}
	if o.Persistent {
		maps.Copy(settings, o.browserSettings())
	}
	maps.Copy(settings, o.Config)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&b, "%s=%s\n", key, settings[key])
	}
	return b.String()
}
