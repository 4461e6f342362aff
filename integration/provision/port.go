package provision

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

func portOf(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

// free reports whether nothing listens on a port of the loopback address.
func free(port int) bool {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// freePorts gives ports that nothing listens on. They are found together, so
// that they differ.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// checkPorts fails if a port that was asked for is taken, and offers others.
func checkPorts(bolt, http int, free func(int) bool, holder func(int) string) error {
	var taken []string
	for _, p := range []struct {
		port int
		name string
	}{{bolt, "Bolt"}, {http, "HTTP"}} {
		if !free(p.port) {
			taken = append(taken, fmt.Sprintf("port %d (%s) is taken%s", p.port, p.name, holder(p.port)))
		}
	}
	if len(taken) == 0 {
		return nil
	}
	next := func(port int) int {
		for port++; !free(port) && port < 65535; port++ {
		}
		return port
	}
	return fmt.Errorf("%s; to use other ports: NEO4J_BOLT_PORT=%d NEO4J_HTTP_PORT=%d make up", strings.Join(taken, ", "), next(bolt), next(http))
}

// holder says who listens on a port, if the machine's tools tell.
func holder(port int) string {
	if out, err := exec.Command("ss", "-ltnpH", fmt.Sprintf("sport = :%d", port)).Output(); err == nil {
		if _, users, ok := strings.Cut(string(out), "users:(("); ok {
			name, rest, _ := strings.Cut(users, ",pid=")
			pid, _, _ := strings.Cut(rest, ",")
			return fmt.Sprintf(" by %s (pid %s)", strings.Trim(name, `"`), pid)
		}
	}
	if out, err := exec.Command("lsof", "-nP", "-sTCP:LISTEN", "-t", fmt.Sprintf("-iTCP:%d", port)).Output(); err == nil {
		if pid := strings.TrimSpace(string(out)); pid != "" {
			return " by pid " + strings.ReplaceAll(pid, "\n", ", ")
		}
	}
	return ""
}
