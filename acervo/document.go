package acervo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// MaxDocument is how many bytes the documents of one input may hold together.
const MaxDocument = 64 << 20

// Document is one batch as JSON has it.
type Document struct {
	// Owner is whose memory the batch is for, empty if the document doesn't say.
	Owner string
	// Params are the batch.
	Params UpsertParams
}

// DocumentError is a fault of a document.
type DocumentError struct {
	// Line is where the fault is, from 1; of a fault in an item, where its document begins.
	Line int
	// Item and Index name the item, as in [FieldError]; Item is "" for the document itself.
	Item  string
	Index int
	// Rule is the broken rule.
	Rule string
}

// Error names the line, the item and the rule.
func (e *DocumentError) Error() string {
	if e.Item == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Rule)
	}
	return fmt.Sprintf("line %d: %s %d: %s", e.Line, e.Item, e.Index, e.Rule)
}

// Is reports that the error is ErrInvalid.
func (e *DocumentError) Is(target error) bool { return target == ErrInvalid }

// DecodeDocuments reads JSON documents that follow each other, one a line or
// not. A document is an object with owner, layer, source, confidence, and the
// lists entities, relations and facts, whose items are arrays or objects:
//
//	{"owner": "sandy", "entities": [["Sandy", "Persona"], {"name": "Butaco", "type": "Proyecto"}],
//	 "relations": [["Sandy", "Butaco", "DUEÑO_DE"]], "facts": [["Sandy", "Sandy es dueña de Butaco", "user"]]}
//
// An owner that is "" or null is an error; without one, the caller says whose the
// document is. Integers stay integers. The sequence ends with the first error, a
// [DocumentError] unless reading itself failed: the text has to be valid UTF-8,
// also in its escapes, and an unknown key or a wrong shape is an error, so that
// nothing is lost.
func DecodeDocuments(r io.Reader) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		text, err := io.ReadAll(io.LimitReader(r, MaxDocument+1))
		if err == nil {
			err = CheckJSON(text)
		}
		if err != nil {
			yield(Document{}, err)
			return
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		for {
			start := int(d.InputOffset())
			var raw json.RawMessage
			if err := d.Decode(&raw); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				yield(Document{}, jsonError(text, d, err))
				return
			}
			start += len(text[start:]) - len(bytes.TrimLeft(text[start:], " \t\r\n"))
			doc, err := decodeDocument(raw)
			if err != nil {
				var fault *DocumentError
				if errors.As(err, &fault) {
					fault.Line = lineOf(text, start)
				}
				yield(Document{}, err)
				return
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
}

// CheckJSON refuses what Go's JSON package would replace silently by U+FFFD, so
// that other text than was sent could be stored: invalid UTF-8, and escapes of half
// a surrogate pair. The error is a [DocumentError], also for a text longer than
// [MaxDocument]. It doesn't check that the text is JSON.
func CheckJSON(text []byte) error {
	if len(text) > MaxDocument {
		return &DocumentError{Line: 1, Rule: fmt.Sprintf("is longer than %d bytes", MaxDocument)}
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return &DocumentError{Line: lineOf(text, i), Rule: "is not valid UTF-8"}
		}
		if r == '\\' && i+1 < len(text) {
			n = 2
			if first, ok := escape(text[i:]); ok {
				n = 6
				if 0xd800 <= first && first < 0xe000 {
					second, ok := escape(text[i+6:])
					if first >= 0xdc00 || !ok || second < 0xdc00 || second >= 0xe000 {
						return &DocumentError{Line: lineOf(text, i), Rule: fmt.Sprintf("has half a surrogate pair, %s", text[i:i+6])}
					}
					n = 12
				}
			}
		}
		i += n
	}
	return nil
}

// escape reads \uXXXX at the start of a text.
func escape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range text[2:6] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// jsonError says where a text stops being JSON.
func jsonError(text []byte, d *json.Decoder, err error) error {
	at := int(d.InputOffset())
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF):
		at = len(text)
		err = errors.New("the document ends too early")
	}
	return &DocumentError{Line: lineOf(text, min(at, len(text))-1), Rule: err.Error()}
}

// lineOf gives the line of a place in a text, from 1.
func lineOf(text []byte, at int) int { return 1 + bytes.Count(text[:max(0, at)], []byte("\n")) }

// wireDocument is a document as it is written.
type wireDocument struct {
	Owner      wireOwner         `json:"owner"`
	Layer      string            `json:"layer"`
	Source     string            `json:"source"`
	Confidence *float64          `json:"confidence"`
	Entities   []json.RawMessage `json:"entities"`
	Relations  []json.RawMessage `json:"relations"`
	Facts      []json.RawMessage `json:"facts"`
}

// wireOwner is an owner as it is written, who has a name if there is one: nobody's
// document becomes somebody's by an empty value.
type wireOwner string

// UnmarshalJSON implements [json.Unmarshaler].
func (o *wireOwner) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "null":
		return errors.New("owner is null; leave it out to mean the default")
	case `""`:
		return errors.New("owner is empty; leave it out to mean the default")
	}
	return json.Unmarshal(text, (*string)(o))
}

type wireEntity struct {
	Name       string         `json:"name"`
	Type       string         `json:"type"`
	ID         string         `json:"id"`
	Aliases    []string       `json:"aliases"`
	Attributes map[string]any `json:"attributes"`
	Source     string         `json:"source"`
	Confidence *float64       `json:"confidence"`
}

type wireRelation struct {
	From       string    `json:"from"`
	To         string    `json:"to"`
	Type       string    `json:"type"`
	FromType   string    `json:"from_type"`
	ToType     string    `json:"to_type"`
	FromID     string    `json:"from_id"`
	ToID       string    `json:"to_id"`
	Source     string    `json:"source"`
	Confidence *float64  `json:"confidence"`
	ValidFrom  time.Time `json:"valid_from"`
}

type wireFact struct {
	Entity     string    `json:"entity"`
	Text       string    `json:"text"`
	Fact       string    `json:"fact"`
	Source     string    `json:"source"`
	Detail     string    `json:"detail"`
	EntityType string    `json:"entity_type"`
	EntityID   string    `json:"entity_id"`
	Confidence *float64  `json:"confidence"`
	ValidFrom  time.Time `json:"valid_from"`
}

func decodeDocument(raw json.RawMessage) (Document, error) {
	var w wireDocument
	if err := strict(raw, &w); err != nil {
		return Document{}, &DocumentError{Rule: err.Error()}
	}
	doc := Document{Owner: string(w.Owner), Params: UpsertParams{Layer: layers.Layer(w.Layer), Source: w.Source, Confidence: w.Confidence}}
	for i, item := range w.Entities {
		var e wireEntity
		if err := decodeItem(item, &e, 1, &e.Name, &e.Type); err != nil {
			return Document{}, &DocumentError{Item: "entity", Index: i, Rule: err.Error()}
		}
		doc.Params.Entities = append(doc.Params.Entities, Entity{Name: e.Name, Type: e.Type, ID: e.ID, Aliases: e.Aliases, Attributes: e.Attributes, Source: e.Source, Confidence: e.Confidence})
	}
	for i, item := range w.Relations {
		var r wireRelation
		if err := decodeItem(item, &r, 3, &r.From, &r.To, &r.Type); err != nil {
			return Document{}, &DocumentError{Item: "relation", Index: i, Rule: err.Error()}
		}
		doc.Params.Relations = append(doc.Params.Relations, Relation{From: r.From, To: r.To, Type: r.Type, FromType: r.FromType, ToType: r.ToType, FromID: r.FromID, ToID: r.ToID, Source: r.Source, Confidence: r.Confidence, ValidFrom: r.ValidFrom})
	}
	for i, item := range w.Facts {
		var f wireFact
		if err := decodeItem(item, &f, 2, &f.Entity, &f.Text, &f.Source); err != nil {
			return Document{}, &DocumentError{Item: "fact", Index: i, Rule: err.Error()}
		}
		if f.Fact != "" {
			if f.Text != "" {
				return Document{}, &DocumentError{Item: "fact", Index: i, Rule: "has both text and fact, which mean the same"}
			}
			f.Text = f.Fact
		}
		doc.Params.Facts = append(doc.Params.Facts, Fact{Entity: f.Entity, Text: f.Text, Source: f.Source, Detail: f.Detail, EntityType: f.EntityType, EntityID: f.EntityID, Confidence: f.Confidence, ValidFrom: f.ValidFrom})
	}
	return doc, nil
}

// decodeItem reads an item into an object, or, if it is an array of strings, into
// the fields that its places stand for, of which some are needed.
func decodeItem(raw json.RawMessage, object any, needed int, fields ...*string) error {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '[' {
		return strict(raw, object)
	}
	var list []*string
	if err := strict(raw, &list); err != nil {
		return err
	}
	if len(list) < needed || len(list) > len(fields) {
		return fmt.Errorf("is an array of %d, not of %d to %d strings", len(list), needed, len(fields))
	}
	for i, s := range list {
		if s != nil {
			*fields[i] = *s
		} else if i < needed {
			return fmt.Errorf("has null in place %d", i)
		}
	}
	return nil
}

// strict decodes JSON and refuses keys that aren't known.
func strict(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field := "it"
		if wrong.Field != "" {
			field = wrong.Field
		}
		return fmt.Errorf("%s is a %s, which doesn't belong there", ontology.Shorten(field), wrong.Value)
	}
	return err
}
