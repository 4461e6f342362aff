package acervo

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"github.com/acervo-graph/acervo/layers"
)

// exportFormat is the version of the JSON Lines that this release writes, and
// the newest one that it reads.
const exportFormat = 1

// exportLine is one line of an export: exactly one of its fields is set.
type exportLine struct {
	Header       *headerLine       `json:"header,omitempty"`
	Type         *typeLine         `json:"type,omitempty"`
	RelationType *relationTypeLine `json:"relation_type,omitempty"`
	// Shared is a UNIVERSAL entity that what follows refers to.
	Shared   *sharedLine   `json:"shared,omitempty"`
	Entity   held          `json:"entity,omitempty"`
	Alias    held          `json:"alias,omitempty"`
	Fact     *factLine     `json:"fact,omitempty"`
	Relation *relationLine `json:"relation,omitempty"`
	Ended    held          `json:"ended,omitempty"`
	Session  held          `json:"session,omitempty"`
}

type headerLine struct {
	Format int    `json:"format"`
	Owner  string `json:"owner"`
}

type typeLine struct {
	Name         string `json:"name"`
	LayerDefault string `json:"layer_default,omitempty"`
	Origin       string `json:"origin"`
}

type relationTypeLine struct {
	Name         string `json:"name"`
	Origin       string `json:"origin"`
	SingleValued bool   `json:"single_valued,omitempty"`
}

type sharedLine struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"`
}

// factLine is a fact; a past one has a number, which counts how often the same
// statement ended before.
type factLine struct {
	Held       held             `json:"held"`
	Number     *int             `json:"number,omitempty"`
	Supersedes []supersededLine `json:"supersedes,omitempty"`
}

// supersededLine names a past fact about the same entity.
type supersededLine struct {
	Text   string `json:"text"`
	Number int    `json:"number"`
}

type relationLine struct {
	From layers.Key `json:"from"`
	Type string     `json:"type"`
	To   layers.Key `json:"to"`
	Held held       `json:"held"`
}

// held are the properties of a node or relationship. In JSON, integers and
// floats stay apart, and what JSON has no kind for is an object with one key,
// for example {"time":"2026-03-01T12:00:00Z"}.
type held map[string]any

// MarshalJSON writes the properties by name.
func (h held) MarshalJSON() ([]byte, error) {
	out := make(map[string]any, len(h))
	for k, v := range h {
		e, err := encodeValue(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		out[k] = e
	}
	return marshal(out)
}

// marshal is json.Marshal without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *held) UnmarshalJSON(text []byte) error {
	var raw map[string]any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return err
	}
	*h = make(held, len(raw))
	for k, e := range raw {
		v, err := decodeValue(e)
		if err != nil {
			return fmt.Errorf("%s: %w", k, err)
		}
		(*h)[k] = v
	}
	return nil
}

// encodeValue gives a property of any kind that Neo4j stores as JSON.
func encodeValue(v any) (any, error) {
	tagged := func(kind string, value any) (any, error) { return map[string]any{kind: value}, nil }
	switch v := v.(type) {
	case string, bool, int64:
		return v, nil
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return tagged("float", text)
		}
		if !strings.ContainsAny(text, ".e") {
			text += ".0" // or it would be read as an integer
		}
		return json.RawMessage(text), nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			e, err := encodeValue(v[i])
			if err != nil {
				return nil, err
			}
			list[i] = e
		}
		return list, nil
	case time.Time:
		if zone := v.Location().String(); strings.Contains(zone, "/") {
			return map[string]any{"time": iso(v, time.RFC3339Nano), "zone": zone}, nil
		}
		return tagged("time", iso(v, time.RFC3339Nano))
	case dbtype.Date:
		return tagged("date", iso(v.Time(), time.DateOnly))
	case dbtype.LocalTime:
		return tagged("local_time", v.Time().Format(localTime))
	case dbtype.LocalDateTime:
		return tagged("local_datetime", iso(v.Time(), localDateTime))
	case dbtype.Time:
		return tagged("offset_time", v.Time().Format(offsetTime))
	case dbtype.Duration:
		return tagged("duration", []int64{v.Months, v.Days, v.Seconds, int64(v.Nanos)})
	case dbtype.Point2D:
		return tagged("point", []float64{float64(v.SpatialRefId), v.X, v.Y})
	case dbtype.Point3D:
		return tagged("point", []float64{float64(v.SpatialRefId), v.X, v.Y, v.Z})
	case []byte:
		return tagged("bytes", base64.StdEncoding.EncodeToString(v))
	}
	return nil, fmt.Errorf("a property of the kind %T can't be exported", v)
}

// iso formats a time as ISO 8601 has it, which wants a sign for years of more than
// four digits.
func iso(t time.Time, layout string) string {
	if t.Year() > 9999 {
		return "+" + t.Format(layout)
	}
	return t.Format(layout)
}

const (
	localTime     = "15:04:05.999999999"
	localDateTime = "2006-01-02T15:04:05.999999999"
	offsetTime    = "15:04:05.999999999Z07:00"
)

var errKind = errors.New("is of no kind that a property has")

// decodeValue reads what encodeValue wrote.
func decodeValue(v any) (any, error) {
	switch v := v.(type) {
	case string, bool:
		return v, nil
	case json.Number:
		if !strings.ContainsAny(v.String(), ".eE") {
			return v.Int64()
		}
		return v.Float64()
	case []any:
		list := make([]any, len(v))
		for i := range v {
			e, err := decodeValue(v[i])
			if err != nil {
				return nil, err
			}
			list[i] = e
		}
		return list, nil
	case map[string]any:
		return decodeTagged(v)
	}
	return nil, errKind
}

func decodeTagged(v map[string]any) (any, error) {
	zone, _ := v["zone"].(string)
	for kind, value := range v {
		text, _ := value.(string)
		switch kind {
		case "float":
			return strconv.ParseFloat(text, 64)
		case "time":
			t, err := time.Parse(time.RFC3339Nano, text)
			if err != nil || zone == "" {
				return inItsOffset(t), err
			}
			place, err := time.LoadLocation(zone)
			if err != nil {
				return nil, err
			}
			return t.In(place), nil
		case "date":
			t, err := time.Parse(time.DateOnly, text)
			return dbtype.Date(t), err
		case "local_time":
			t, err := time.Parse(localTime, text)
			return dbtype.LocalTime(t), err
		case "local_datetime":
			t, err := time.Parse(localDateTime, text)
			return dbtype.LocalDateTime(t), err
		case "offset_time":
			t, err := time.Parse(offsetTime, text)
			return dbtype.Time(inItsOffset(t)), err
		case "duration", "point":
			return decodeNumbers(kind, value)
		case "bytes":
			return base64.StdEncoding.DecodeString(text)
		}
	}
	return nil, errKind
}

// inItsOffset is a time as the driver sends it with its offset from UTC.
func inItsOffset(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.In(time.FixedZone("Offset", offset))
}

func decodeNumbers(kind string, value any) (any, error) {
	list, _ := value.([]any)
	numbers := make([]float64, len(list))
	whole := make([]int64, len(list))
	for i, e := range list {
		n, ok := e.(json.Number)
		if !ok {
			return nil, errKind
		}
		var err error
		if kind == "duration" {
			whole[i], err = n.Int64()
		} else {
			numbers[i], err = n.Float64()
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case kind == "duration" && len(list) == 4:
		return dbtype.Duration{Months: whole[0], Days: whole[1], Seconds: whole[2], Nanos: int(whole[3])}, nil
	case kind == "point" && len(list) == 3:
		return dbtype.Point2D{SpatialRefId: uint32(numbers[0]), X: numbers[1], Y: numbers[2]}, nil
	case kind == "point" && len(list) == 4:
		return dbtype.Point3D{SpatialRefId: uint32(numbers[0]), X: numbers[1], Y: numbers[2], Z: numbers[3]}, nil
	}
	return nil, errKind
}

// numberOf gives the number in the key of a past fact.
func numberOf(key string) *int {
	_, digits, past := strings.Cut(key, "@")
	if !past {
		return nil
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return &n
}
