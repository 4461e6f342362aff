package provision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/testcontainers/testcontainers-go"
	tcneo4j "github.com/testcontainers/testcontainers-go/modules/neo4j"
	"github.com/testcontainers/testcontainers-go/wait"
)

// dockerMissing says why there is no Docker engine, "" if one answers.
func dockerMissing() string {
	if _, err := exec.LookPath("docker"); err != nil {
		return "Docker isn't installed"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := exec.CommandContext(ctx, "docker", "version", "--format", "{{.Server.Version}}").Run(); err != nil {
		return "no Docker engine answers (docker version)"
	}
	return ""
}

func image(version string) string { return "neo4j:" + version + "-community" }

// container starts a server for tests in a container.
func container(ctx context.Context, opts Options) (*Server, error) {
	if os.Getenv("DOCKER_HOST") == "" && os.Getenv("TESTCONTAINERS_HOST_OVERRIDE") == "" {
		// The engine is this machine's own. Without this, a machine that is itself
		// a container is asked for its default route, where nothing listens.
		if err := os.Setenv("TESTCONTAINERS_HOST_OVERRIDE", "127.0.0.1"); err != nil {
			return nil, err
		}
	}
	folder, err := folder()
	if err != nil {
		return nil, err
	}
	customizers := []testcontainers.ContainerCustomizer{
		// Who wants to remove what a killed test left finds it by its clone.
		testcontainers.WithLabels(map[string]string{"acervo.clone": filepath.Dir(folder)}),
		tcneo4j.WithAdminPassword(opts.Password),
		tcneo4j.WithNeo4jSetting("dbms.usage_report.enabled", "false"),
	}
	for key, value := range opts.Config {
		customizers = append(customizers, tcneo4j.WithNeo4jSetting(key, value))
	}
	for name, text := range opts.Files {
		customizers = append(customizers, testcontainers.WithFiles(testcontainers.ContainerFile{
			Reader: strings.NewReader(text), ContainerFilePath: "/var/lib/neo4j/" + name, FileMode: 0o644,
		}))
	}
	// The module's own strategy gives up after a minute.
	customizers = append(customizers, testcontainers.WithWaitStrategyAndDeadline(startTimeout,
		wait.ForLog("Started.").WithStartupTimeout(startTimeout),
		wait.ForListeningPort("7687/tcp").SkipInternalCheck().WithStartupTimeout(startTimeout)))
	fmt.Fprintf(opts.Progress, "starting %s in a container\n", image(opts.Version))
	ctr, err := tcneo4j.Run(ctx, image(opts.Version), customizers...)
	stop := func(context.Context) error {
		return testcontainers.TerminateContainer(ctr, testcontainers.StopTimeout(time.Second))
	}
	if err != nil {
		if ctr != nil {
			_ = stop(ctx)
		}
		return nil, &unavailableError{err}
	}
	uri, err := ctr.BoltUrl(ctx)
	if err != nil {
		return nil, err
	}
	server := &Server{
		// bolt, since the server doesn't know the port that it is mapped to.
		URI: strings.Replace(uri, "neo4j://", "bolt://", 1), Username: username, Password: opts.Password, stop: stop,
		How: fmt.Sprintf("started %s in a container, since a Docker engine answers", image(opts.Version)),
	}
	server.kill = func(ctx context.Context) error {
		now := time.Duration(0)
		return ctr.Stop(ctx, &now)
	}
	server.restart = func(ctx context.Context, config map[string]string) error {
		return restartContainer(ctx, ctr, server, config, opts)
	}
	return server, server.wait(ctx, opts.Progress, nil)
}

// restartContainer starts a stopped container again; its ports may be mapped
// to others then.
func restartContainer(ctx context.Context, ctr *tcneo4j.Neo4jContainer, server *Server, config map[string]string, opts Options) error {
	if err := ctr.Start(ctx); err != nil {
		return err
	}
	if len(config) > 0 {
		var lines strings.Builder
		for key, value := range config {
			fmt.Fprintf(&lines, "%s=%s\n", key, value)
		}
		file := "/var/lib/neo4j/conf/neo4j.conf"
		if code, _, err := ctr.Exec(ctx, []string{"sh", "-c", `printf '%s' "$1" >> ` + file, "sh", lines.String()}); err != nil || code != 0 {
			return fmt.Errorf("write %s: exit code %d: %w", file, code, err)
		}
		now := time.Duration(0)
		if err := errors.Join(ctr.Stop(ctx, &now), ctr.Start(ctx)); err != nil {
			return err
		}
	}
	uri, err := ctr.BoltUrl(ctx)
	if err != nil {
		return err
	}
	server.URI = strings.Replace(uri, "neo4j://", "bolt://", 1)
	return server.wait(ctx, opts.Progress, nil)
}

// composeCommand is the command that runs docker-compose.yml.
func composeCommand() ([]string, error) {
	if exec.Command("docker", "compose", "version").Run() == nil {
		return []string{"docker", "compose"}, nil
	}
	if _, err := exec.LookPath("docker-compose"); err == nil {
		return []string{"docker-compose"}, nil
	}
	return nil, fmt.Errorf("neither docker compose nor docker-compose is installed")
}

// composeFile runs the repository's docker-compose.yml with some arguments.
func composeFile(ctx context.Context, opts Options, args ...string) *exec.Cmd {
	command, err := composeCommand()
	if err != nil {
		command = []string{"docker-compose"}
	}
	folder, err := folder()
	if err != nil {
		folder = "."
	}
	args = append(command[1:], args...)
	cmd := exec.CommandContext(ctx, command[0], args...)
	cmd.Dir = filepath.Dir(folder)
	cmd.Env = append(os.Environ(), "NEO4J_VERSION="+opts.Version, "NEO4J_PASSWORD="+opts.Password,
		fmt.Sprintf("NEO4J_BOLT_PORT=%d", opts.BoltPort), fmt.Sprintf("NEO4J_HTTP_PORT=%d", opts.HTTPPort), "COMPOSE_PROJECT_NAME="+firstOf(os.Getenv("COMPOSE_PROJECT_NAME"), "acervo"),
		"NEO4J_BROWSER_COMMAND="+opts.browserSettings()["browser.post_connect_cmd"])
	cmd.Stdout, cmd.Stderr = opts.Progress, opts.Progress
	return cmd
}

// compose starts the server of `make up` by docker-compose.yml.
func compose(ctx context.Context, opts Options) (*Server, error) {
	if _, err := composeCommand(); err != nil {
		return nil, &unavailableError{err}
	}
	server := opts.server()
	if server.ask(ctx) == nil && composeRuns(ctx, opts) {
		server.How = "Neo4j runs already in a container"
		return server, nil
	}
	if !composeRuns(ctx, opts) {
		if err := checkPorts(opts.BoltPort, opts.HTTPPort, free, holder); err != nil {
			return nil, err
		}
	}
	if err := composeFile(ctx, opts, "up", "-d").Run(); err != nil {
		_ = composeFile(ctx, opts, "down").Run()
		return nil, &unavailableError{fmt.Errorf("docker-compose.yml: %w", err)}
	}
	server.How = fmt.Sprintf("started %s by docker-compose.yml, since a Docker engine answers", image(opts.Version))
	return server, server.wait(ctx, opts.Progress, nil)
}

// composeRuns reports whether the container of docker-compose.yml runs.
func composeRuns(ctx context.Context, opts Options) bool {
	cmd := composeFile(ctx, opts, "ps", "-q")
	cmd.Stdout, cmd.Stderr = nil, nil
	out, err := cmd.Output()
	return err == nil && strings.TrimSpace(string(out)) != ""
}

// Down ends what `make up` started, the container and the servers on Java, and
// reports what it ended. Data stays.
func Down(ctx context.Context, opts Options) ([]string, error) {
	opts.fill()
	if err := endGuide(); err != nil {
		return nil, err
	}
	ended, err := downJava()
	if err != nil || dockerMissing() != "" || !composeRuns(ctx, opts) {
		return ended, err
	}
	if err := composeFile(ctx, opts, "down").Run(); err != nil {
		return ended, fmt.Errorf("docker-compose.yml down: %w", err)
	}
	return append(ended, "ended the container of docker-compose.yml; its data stays in its volume"), nil
}
