package integration

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestMetrics reads what Prometheus does of a server of memories, and is refused as
// others are.
func TestMetrics(t *testing.T) {
	owner := testOwner(t)
	secret := tokenOf("prometheus") + strings.Repeat("x", 32)
	cmd := mcpCommand(t, "--http", "127.0.0.1:0", "--metrics", "--tokens", mcpTokens(t, owner))
	cmd.Env = append(cmd.Env, "ACERVO_METRICS_TOKEN="+secret)
	address := httpServer(t, cmd)
	told(t, overHTTP(t, address, tokenOf(owner)), "remember", fields{"facts": []any{fields{"entity": "Kim", "text": "confidential"}}})
	refused(t, overHTTP(t, address, tokenOf(owner)), "correct_fact", fields{"entity": "Nobody", "text": "x", "correction": "y"}, "no entity")

	metrics := strings.TrimSuffix(address, "/mcp") + "/metrics"
	get := func(method, url string, change func(r *http.Request)) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		if change != nil {
			change(r)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	status, text := get("GET", metrics, nil)
	if status != http.StatusOK {
		t.Fatalf("%d: %s", status, text)
	}
	for _, line := range []string{
		`db_client_operation_duration_seconds_count\{.*db_operation_name="entity/upsert(_plain)?".*db_system_name="neo4j".*\} 1`,
		`db_client_operation_duration_seconds_bucket\{.*le="0.005".*\} \d+`,
		`db_client_operation_duration_seconds_count\{.*error_type="not_found".*\} 1`,
		`acervo_client_active_operations\{.*\} 0`,
		`go_goroutines \d+`,
		`process_open_fds \d+`,
	} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(text) {
			t.Errorf("no line is like %s in\n%s", line, text)
		}
	}
	if strings.Contains(text, "confidential") || strings.Contains(text, owner) || strings.Contains(text, "Kim") {
		t.Errorf("what was said is told:\n%s", text)
	}
	for name, test := range map[string]struct {
		method, url string
		change      func(r *http.Request)
		status      int
	}{
		"no token":            {"GET", metrics, func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"an owner's token":    {"GET", metrics, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+tokenOf(owner)) }, http.StatusUnauthorized},
		"another host":        {"GET", metrics, func(r *http.Request) { r.Host = "rebound.example.org" }, http.StatusForbidden},
		"another page":        {"GET", metrics, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.org") }, http.StatusForbidden},
		"writing":             {"POST", metrics, nil, http.StatusMethodNotAllowed},
		"its token elsewhere": {"POST", address, nil, http.StatusUnauthorized},
	} {
		if status, text := get(test.method, test.url, test.change); status != test.status || strings.Contains(text, "db_client") {
			t.Errorf("%s: %d, %.200s", name, status, text)
		}
	}
}

// TestNoMetrics: without the flag there is no such address.
func TestNoMetrics(t *testing.T) {
	owner := testOwner(t)
	cmd := mcpCommand(t, "--http", "127.0.0.1:0", "--tokens", mcpTokens(t, owner))
	response, err := http.Get(strings.TrimSuffix(httpServer(t, cmd), "/mcp") + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Error(response.Status)
	}
}
