package acervo_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acervo-graph/acervo/acervo"
)

func TestDecodeDocuments(t *testing.T) {
	t.Parallel()
	half := 0.5
	input := `{"owner":"sandy","layer":"PERSONAL","source":"user_assertion","confidence":0.5,
"entities":[["Sandy","Persona"],["Solo"],{"name":"Butaco","type":"Proyecto","id":"b-1","attributes":{"n":9007199254740993,"x":[1.5]},"aliases":["ERP"]}],
"relations":[["Sandy","Butaco","DUEÑO_DE"],{"from":"Sandy","to":"X","type":"t","to_type":"Obra","from_id":"s"}],
"facts":[["Sandy","dueña"],["Sandy","dueña","user"],{"entity":"X","fact":"f \ud83d\ude00","detail":"d"}]}
{} {"layer":"UNIVERSAL"}`
	want := []acervo.Document{
		{Owner: "sandy", Params: acervo.UpsertParams{
			Layer: "PERSONAL", Source: "user_assertion", Confidence: &half,
			Entities: []acervo.Entity{{Name: "Sandy", Type: "Persona"}, {Name: "Solo"}, {Name: "Butaco", Type: "Proyecto", ID: "b-1",
				Attributes: map[string]any{"n": json.Number("9007199254740993"), "x": []any{json.Number("1.5")}}, Aliases: []string{"ERP"}}},
			Relations: []acervo.Relation{{From: "Sandy", To: "Butaco", Type: "DUEÑO_DE"}, {From: "Sandy", To: "X", Type: "t", ToType: "Obra", FromID: "s"}},
			Facts:     []acervo.Fact{{Entity: "Sandy", Text: "dueña"}, {Entity: "Sandy", Text: "dueña", Source: "user"}, {Entity: "X", Text: "f 😀", Detail: "d"}},
		}},
		{},
		{Params: acervo.UpsertParams{Layer: "UNIVERSAL"}},
	}
	var got []acervo.Document
	for d, err := range acervo.DecodeDocuments(strings.NewReader(input)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecodeDocumentsFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		input string
		want  acervo.DocumentError
		rule  string
	}{
		"broken on line 7":    {strings.Repeat("{}\n", 6) + `{"owner":"x",,}`, acervo.DocumentError{Line: 7}, "invalid character"},
		"cut off":             {"{}\n{\"owner\":\n", acervo.DocumentError{Line: 2}, "ends too early"},
		"unknown key":         {`{"ownr":"x"}`, acervo.DocumentError{Line: 1}, `unknown field "ownr"`},
		"unknown key of item": {"\n" + `{"entities":[["a"],{"nam":"x"}]}`, acervo.DocumentError{Line: 2, Item: "entity", Index: 1}, `unknown field "nam"`},
		"long array":          {`{"entities":[["a","b","c"]]}`, acervo.DocumentError{Line: 1, Item: "entity"}, "array of 3"},
		"short array":         {`{"relations":[["a","b"]]}`, acervo.DocumentError{Line: 1, Item: "relation"}, "array of 2"},
		"number in an array":  {`{"facts":[["a",1]]}`, acervo.DocumentError{Line: 1, Item: "fact"}, "number"},
		"null in an array":    {`{"facts":[["a",null]]}`, acervo.DocumentError{Line: 1, Item: "fact"}, "null"},
		"both names":          {`{"facts":[{"entity":"a","text":"b","fact":"c"}]}`, acervo.DocumentError{Line: 1, Item: "fact"}, "both"},
		"empty owner":         {"{}\n" + `{"owner":""}`, acervo.DocumentError{Line: 2}, "owner is empty"},
		"null owner":          {"{}\n" + `{"layer":"UNIVERSAL","owner": null}`, acervo.DocumentError{Line: 2}, "owner is null"},
		"owner given twice":   {`{"owner":"x","owner":null}`, acervo.DocumentError{Line: 1}, "owner is null"},
		"number as owner":     {`{"owner":5}`, acervo.DocumentError{Line: 1}, "owner is a number"},
		"array":               {`[]`, acervo.DocumentError{Line: 1}, "array"},
		"string":              {`"x"`, acervo.DocumentError{Line: 1}, "string"},
		"lone high surrogate": {"{}\n" + `{"owner":"\ud83d"}`, acervo.DocumentError{Line: 2}, `\ud83d`},
		"lone low surrogate":  {`{"owner":"\udc00\ud83d"}`, acervo.DocumentError{Line: 1}, `\udc00`},
		"two high surrogates": {`{"owner":"\ud83d\ud83d"}`, acervo.DocumentError{Line: 1}, `\ud83d`},
		"invalid UTF-8":       {"{}\n{\"owner\":\"a\xff\"}", acervo.DocumentError{Line: 2}, "UTF-8"},
		"deep":                {strings.Repeat("[", 1_000_000), acervo.DocumentError{Line: 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got error
			for _, err := range acervo.DecodeDocuments(strings.NewReader(c.input)) {
				got = err
			}
			var fault *acervo.DocumentError
			if !errors.Is(got, acervo.ErrInvalid) || !errors.As(got, &fault) {
				t.Fatalf("error %v", got)
			}
			if fault.Line != c.want.Line || fault.Item != c.want.Item || fault.Index != c.want.Index || !strings.Contains(fault.Rule, c.rule) {
				t.Errorf("got %+v", fault)
			}
		})
	}
	// An escaped backslash before u is no escape of a character.
	for _, err := range acervo.DecodeDocuments(strings.NewReader(`{"owner":"\\ud83d"}`)) {
		if err != nil {
			t.Error(err)
		}
	}
}

func FuzzDecodeDocuments(f *testing.F) {
	f.Add(`{"owner":"o","entities":[["a","b"],{"name":"c","attributes":{"k":[1,2]}}],"relations":[["a","c","r"]],"facts":[["a","t","s"]]}`)
	f.Add(`{"owner":"\ud83d\ude00"}{"owner":"\ud83d"}`)
	f.Fuzz(func(t *testing.T, input string) {
		for _, err := range acervo.DecodeDocuments(strings.NewReader(input)) {
			if err != nil && !errors.Is(err, acervo.ErrInvalid) {
				t.Errorf("%v", err)
			}
		}
	})
}
