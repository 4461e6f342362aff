package acervo

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"regexp"

	"github.com/acervo-graph/acervo/ontology"
)

// packFormat is the version of the pack files that this release writes, and the
// newest one that it reads.
const packFormat = 1

// PackManifest says what a pack is. It is the first line of a pack file, which is
// JSON Lines compressed by gzip.
type PackManifest struct {
	Format int `json:"format"`
	// Name is up to 64 letters a–z, digits, - and _, Version up to 64 printable
	// characters.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Licence is that of the data, as an SPDX identifier. Attribution is what it
	// asks to be said, Source where the data comes from.
	Licence     string       `json:"licence"`
	Attribution string       `json:"attribution"`
	Source      string       `json:"source"`
	Ontology    PackOntology `json:"ontology"`
	Counts      PackCounts   `json:"counts"`
	// SHA256 is the checksum of all lines after the first, in hexadecimal.
	SHA256 string `json:"sha256"`
}

// PackOntology is what a pack registers.
type PackOntology struct {
	Types []struct {
		Name         string   `json:"name"`
		Attributes   []string `json:"attributes,omitempty"`
		LayerDefault string   `json:"layer_default,omitempty"`
	} `json:"types,omitempty"`
	Relations []struct {
		Name         string `json:"name"`
		SingleValued *bool  `json:"single_valued,omitempty"`
	} `json:"relations,omitempty"`
}

// PackCounts counts items of a pack.
type PackCounts struct {
	Entities  int64 `json:"entities"`
	Relations int64 `json:"relations"`
	Facts     int64 `json:"facts"`
}

// packItem is one line of a pack: exactly one of its fields is set. Entities come
// first, since relations and facts name them by their ids.
type packItem struct {
	Entity   *packEntity   `json:"entity,omitempty"`
	Relation *packRelation `json:"relation,omitempty"`
	Fact     *packFact     `json:"fact,omitempty"`
}

type packEntity struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Type       string         `json:"type"`
	Aliases    []string       `json:"aliases,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
}

type packRelation struct {
	From string `json:"from"`
	Type string `json:"type"`
	To   string `json:"to"`
}

type packFact struct {
	Entity string `json:"entity"`
	Text   string `json:"text"`
}

var packName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// check says what is wrong with a manifest.
func (m *PackManifest) check() error {
	switch {
	case m.Format > packFormat:
		return fmt.Errorf("the pack has format %d, newer than the %d that this release reads: %w", m.Format, packFormat, ErrUnsupported)
	case m.Format < 1:
		return errors.New("format is missing")
	case !packName.MatchString(m.Name):
		return fmt.Errorf("name %q is not 1 to 64 letters a–z, digits, - and _", ontology.Shorten(m.Name))
	case m.Counts.Entities < 0 || m.Counts.Relations < 0 || m.Counts.Facts < 0:
		return errors.New("counts are negative")
	}
	for _, f := range []struct {
		field, text string
		limit       int
	}{{"version", m.Version, 64}, {"licence", m.Licence, 256}, {"attribution", m.Attribution, 4096}, {"source", m.Source, 4096}} {
		if rule := ontology.CheckText(f.text, f.limit); rule != "" {
			return fmt.Errorf("%s %s", f.field, rule)
		}
	}
	for _, t := range m.Ontology.Types {
		if err := ontology.CheckType(t.Name); err != nil {
			return err
		}
		for _, a := range t.Attributes {
			if err := ontology.CheckAttribute(a); err != nil {
				return err
			}
		}
	}
	for _, r := range m.Ontology.Relations {
		if err := ontology.CheckRelation(r.Name); err != nil {
			return err
		}
	}
	return nil
}

// packChecker checks items one after the other.
type packChecker struct {
	ids    map[[16]byte]bool // hashes of the entities' ids
	counts PackCounts
}

func newPackChecker() *packChecker { return &packChecker{ids: map[[16]byte]bool{}} }

func idHash(id string) [16]byte {
	sum := sha256.Sum256([]byte(id))
	return [16]byte(sum[:16])
}

// item reads and checks one line.
func (c *packChecker) item(text []byte) (*packItem, error) {
	if err := CheckJSON(text); err != nil {
		return nil, err
	}
	item := &packItem{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(item); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("holds more than one object")
	}
	switch {
	case item.Entity != nil && item.Relation == nil && item.Fact == nil:
		c.counts.Entities++
		return item, c.entity(item.Entity)
	case item.Relation != nil && item.Entity == nil && item.Fact == nil:
		c.counts.Relations++
		r := item.Relation
		if err := ontology.CheckRelation(r.Type); err != nil {
			return nil, err
		}
		if r.From == r.To {
			return nil, errors.New("relation.to " + selfRelation)
		}
		return item, errors.Join(c.known("relation.from", r.From), c.known("relation.to", r.To))
	case item.Fact != nil && item.Entity == nil && item.Relation == nil:
		c.counts.Facts++
		return item, errors.Join(c.known("fact.entity", item.Fact.Entity), lengthRule("fact.text", item.Fact.Text, ontology.MaxText))
	}
	return nil, errors.New("is not one entity, relation or fact")
}

func (c *packChecker) known(field, id string) error {
	if !c.ids[idHash(id)] {
		return fmt.Errorf("%s %q is no entity before it", field, ontology.Shorten(id))
	}
	return nil
}

func (c *packChecker) entity(e *packEntity) error {
	if c.counts.Relations+c.counts.Facts > 0 {
		return errors.New("an entity comes after relations or facts")
	}
	if rule := ontology.CheckText(e.ID, ontology.MaxID); rule != "" {
		return fmt.Errorf("entity.id %s", rule)
	}
	if c.ids[idHash(e.ID)] {
		return fmt.Errorf("entity.id %q is there twice", ontology.Shorten(e.ID))
	}
	c.ids[idHash(e.ID)] = true
	for _, name := range append([]string{e.Name}, e.Aliases...) {
		if _, err := ontology.ID(name); err != nil {
			return err
		}
	}
	if err := ontology.CheckType(e.Type); err != nil {
		return err
	}
	clean, faults := cleanAttributes("entity", -1, e.Attributes)
	e.Attributes = clean
	return joinFaults(faults)
}

// BuildPack writes a pack file of a folder with pack.json, a manifest without
// format, counts and checksum, and items.jsonl. The same folder gives the same
// bytes. It fails with ErrInvalid, a [LineError] for a wrong item.
func BuildPack(dir fs.FS, w io.Writer) (*PackManifest, error) {
	m, err := buildPack(dir, w)
	if err != nil {
		return nil, fmt.Errorf("build pack: %w", err)
	}
	return m, nil
}

func buildPack(dir fs.FS, w io.Writer) (*PackManifest, error) {
	text, err := fs.ReadFile(dir, "pack.json")
	if err != nil {
		return nil, err
	}
	m := &PackManifest{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, &FieldError{Index: -1, Field: "pack.json", Rule: "is no manifest: " + err.Error(), Err: err}
	}
	m.Format = packFormat
	if err := m.check(); err != nil {
		return nil, &FieldError{Index: -1, Field: "pack.json", Rule: "is no manifest: " + err.Error(), Err: err}
	}
	sum := sha256.New()
	c := newPackChecker()
	if err := packItems(dir, c, sum); err != nil {
		return nil, err
	}
	m.Counts, m.SHA256 = c.counts, hex.EncodeToString(sum.Sum(nil))
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	first, err := marshal(struct {
		Pack *PackManifest `json:"pack"`
	}{m})
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(append(first, '\n')); err != nil {
		return nil, err
	}
	if err := packItems(dir, newPackChecker(), z); err != nil {
		return nil, err
	}
	return m, z.Close()
}

// packItems writes the checked items of a folder, each in one form.
func packItems(dir fs.FS, c *packChecker, w io.Writer) error {
	f, err := dir.Open("items.jsonl")
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for number := int64(1); lines.Scan(); number++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		item, err := c.item(lines.Bytes())
		if err != nil {
			return &LineError{number, err}
		}
		if item.Entity != nil {
			attributes := held(item.Entity.Attributes)
			raw, err := attributes.MarshalJSON()
			if err != nil {
				return &LineError{number, err}
			}
			item.Entity.Attributes = map[string]any{}
			if err := json.Unmarshal(raw, (*rawAttributes)(&item.Entity.Attributes)); err != nil {
				return &LineError{number, err}
			}
		}
		text, err := marshal(item)
		if err != nil {
			return &LineError{number, err}
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

// rawAttributes keeps each value as it is written.
type rawAttributes map[string]any

// UnmarshalJSON implements [json.Unmarshaler].
func (a *rawAttributes) UnmarshalJSON(text []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	for k, v := range raw {
		(*a)[k] = v
	}
	return nil
}

// InspectPack reads the manifest of a pack file and nothing more; see
// [VerifyPack].
func InspectPack(r io.Reader) (*PackManifest, error) {
	p, err := openPack(r)
	if err != nil {
		return nil, fmt.Errorf("inspect pack: %w", err)
	}
	return p.manifest, nil
}

// VerifyPack reads a whole pack file and checks its format, every item, the
// counts and the checksum. It fails with ErrInvalid, or ErrUnsupported for a
// newer format.
func VerifyPack(r io.Reader) (*PackManifest, error) {
	p, err := openPack(r)
	if err == nil {
		err = p.each(func(*packItem, int64) error { return nil })
	}
	if err != nil {
		return nil, fmt.Errorf("verify pack: %w", err)
	}
	return p.manifest, nil
}

// packReader reads a pack file.
type packReader struct {
	manifest *PackManifest
	lines    *bufio.Scanner
	sum      hash.Hash
}

func openPack(r io.Reader) (*packReader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, &FieldError{Index: -1, Field: "pack", Rule: "is no pack file: " + err.Error(), Err: err}
	}
	p := &packReader{lines: bufio.NewScanner(z), sum: sha256.New()}
	p.lines.Buffer(make([]byte, 64<<10), maxLine)
	if !p.lines.Scan() {
		return nil, &LineError{1, errors.Join(errors.New("there is no manifest"), p.lines.Err())}
	}
	var first struct {
		Pack *PackManifest `json:"pack"`
	}
	if err := json.Unmarshal(p.lines.Bytes(), &first); err != nil {
		return nil, &LineError{1, err}
	}
	if p.manifest = first.Pack; p.manifest == nil {
		return nil, &LineError{1, errors.New("there is no manifest")}
	}
	if err := p.manifest.check(); err != nil {
		if errors.Is(err, ErrUnsupported) {
			return nil, err
		}
		return nil, &LineError{1, err}
	}
	return p, nil
}

// each gives every item, and fails at the end if the counts or the checksum
// aren't those of the manifest. It stops at the first item that is too many.
func (p *packReader) each(yield func(item *packItem, line int64) error) error {
	c, want := newPackChecker(), p.manifest.Counts
	number := int64(1)
	for p.lines.Scan() {
		number++
		text := p.lines.Bytes()
		p.sum.Write(text)
		p.sum.Write([]byte{'\n'})
		item, err := c.item(text)
		if err != nil {
			return &LineError{number, err}
		}
		if c.counts.Entities > want.Entities || c.counts.Relations > want.Relations || c.counts.Facts > want.Facts {
			return &LineError{number, errors.New("there are more items than the manifest counts")}
		}
		if err := yield(item, number); err != nil {
			return err
		}
	}
	switch err := p.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &LineError{number + 1, fmt.Errorf("is longer than %d bytes", maxLine)}
	case err != nil:
		return &FieldError{Index: -1, Field: "pack", Rule: "is damaged: " + err.Error(), Err: err}
	case c.counts != want:
		return &FieldError{Index: -1, Field: "counts", Value: fmt.Sprint(c.counts), Rule: fmt.Sprintf("are not the manifest's %v", want)}
	}
	if sum := hex.EncodeToString(p.sum.Sum(nil)); sum != p.manifest.SHA256 {
		return &FieldError{Index: -1, Field: "sha256", Value: sum, Rule: "is not the manifest's " + ontology.Shorten(p.manifest.SHA256)}
	}
	return nil
}
