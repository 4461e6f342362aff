package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestHugeBatch refuses a batch that is too large before it looks for a server.
func TestHugeBatch(t *testing.T) {
	t.Parallel()
	document := `{"owner":"sandy","entities":[["a"]` + strings.Repeat(`,["a"]`, 49_999) + "]}"
	var stdout, stderr bytes.Buffer
	code := run([]string{"upsert", "--uri", "bolt://127.0.0.1:1"}, strings.NewReader(document), &stdout, &stderr)
	if code != exitUsage || stdout.Len() > 0 || !strings.Contains(stderr.String(), `entities "50000" are more than the 10000`) {
		t.Errorf("exit code %d, %q, %q", code, stdout.String(), stderr.String())
	}
}
