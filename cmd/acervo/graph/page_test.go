package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/acervo-graph/acervo/cmd/acervo/graph"
)

// TestLibrary compares the graph library with the release that bundle.sh names.
func TestLibrary(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("cytoscape.min.js")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); got != "71fa9ebec21a7ca2c40cff6aacc30d1f6464e363662ad4b2c197e1adc770cd94" {
		t.Errorf("cytoscape.min.js has the checksum %s", got)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := graph.Write(&b, graph.Data{Title: "<i>", Nodes: []graph.Node{{Key: "p:x", Label: "</script><script>alert(1)</script>\u2028"}}}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Count(page, "<script>") != 2 || strings.Count(page, "</script>") != 2 || strings.Contains(page, "<i>") {
		t.Error("a text of the data became part of the page")
	}
	for _, outside := range []string{"src=\"http", "href=\"http", "@import", "fetch("} {
		if strings.Contains(strings.Split(page, "const data")[0][:4000], outside) {
			t.Errorf("the page has %s", outside)
		}
	}
}
