package acervo

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/acervo-graph/acervo/layers"
)

// reads fails a fuzz test for an error that doesn't say what is wrong with the input.
func reads(t *testing.T, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrConflict) {
		t.Errorf("%v is no fault of the input", err)
	}
}

// FuzzPack reads the text of a pack, and the file as it is.
func FuzzPack(f *testing.F) {
	var good, text bytes.Buffer
	if _, err := BuildPack(fstest.MapFS{
		"pack.json":   {Data: []byte(`{"name":"p","version":"1.0.0","licence":"CC0-1.0","attribution":"a","source":"s"}`)},
		"items.jsonl": {Data: []byte(`{"entity":{"id":"rio","name":"Río","type":"Lugar","aliases":["Rio"],"attributes":{"km":3}}}`)},
	}, &good); err != nil {
		f.Fatal(err)
	}
	z, err := gzip.NewReader(&good)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := text.ReadFrom(z); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Add([]byte(`{"pack":{"format":1,"name":"p","version":"1.0.0","counts":{"entities":1000000000}}}`))
	f.Add([]byte(`{"pack":null}` + "\n" + strings.Repeat("[", 500)))
	f.Fuzz(func(t *testing.T, text []byte) {
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.NoCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = VerifyPack(&packed)
		reads(t, err)
		_, err = VerifyPack(bytes.NewReader(text))
		reads(t, err)
	})
}

// FuzzImport reads lines as an import does before it stores the first.
func FuzzImport(f *testing.F) {
	const header = `{"header":{"format":1,"owner":"ana"}}` + "\n"
	f.Add(header + `{"entity":{"id":"x","label":"X","type":"Persona","layer":"PERSONAL"}}`)
	f.Add(header + `{"fact":{"held":{"about":"p:x","text":"t"}}}` + "\n" + `{"relation":{"from":"p:x","to":"w:y","type":"A","held":{}}}`)
	f.Add(header + `{"session":{"id":"s","turn":1e400}}`)
	m := New(nil, nil).Memory("ana")
	f.Fuzz(func(t *testing.T, text string) {
		i := restoring{m: m, result: &ImportLinesResult{}}
		reads(t, i.read(strings.NewReader(text), func([]numbered) error { return nil }))
	})
}

// FuzzAcervoJSON reads the files of the Python original.
func FuzzAcervoJSON(f *testing.F) {
	f.Add(`[{"id":"x","label":"X","type":"Persona","layer":"PERSONAL","facts":[{"fact":"f"}]}]`, `[{"source":"x","target":"y","relation":"r"}]`)
	f.Add(`[null,1,{"id":[]}]`, `{}`)
	m := New(nil, nil).Memory("ana")
	f.Fuzz(func(t *testing.T, nodes, edges string) {
		im := importing{m: m, layer: map[string]layers.Layer{}}
		dir := fstest.MapFS{"nodes.json": {Data: []byte(nodes)}, "edges.json": {Data: []byte(edges)}}
		if err := im.read(dir, "nodes.json", "node", true, im.node); err != nil {
			reads(t, err)
			return
		}
		reads(t, im.read(dir, "edges.json", "edge", false, im.edge))
	})
}

// FuzzJudgeText judges any text of a query without a panic, and the same each time.
func FuzzJudgeText(f *testing.F) {
	for _, s := range []string{"MATCH (n:Merge) RETURN n.delete", "CALL { CREATE (n) }", "RETURN `a\\u0060`", "RETURN COUNT { (n)--() } /*", "\xff'\"", `\u`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, again := judgeText(text, nil), judgeText(text, nil)
		if (first == nil) != (again == nil) || first != nil && !errors.Is(first, ErrForbidden) {
			t.Errorf("%v, %v", first, again)
		}
	})
}
