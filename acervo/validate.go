package acervo

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// fault makes a FieldError of an error of the pure packages.
func fault(item string, index int, field string, err error) *FieldError {
	f := &FieldError{Item: item, Index: index, Field: field, Err: err}
	var (
		name  *ontology.NameError
		term  *ontology.TermError
		layer *layers.Error
	)
	switch {
	case errors.As(err, &name):
		f.Value, f.Rule = name.Name, name.Rule
	case errors.As(err, &term):
		f.Value, f.Rule = term.Name, term.Rule
	case errors.As(err, &layer):
		f.Value, f.Rule = layer.Value, layer.Rule
	default:
		f.Rule = err.Error()
	}
	return f
}

// joinFaults makes one error of some faults, nil of none.
func joinFaults(faults []*FieldError) error {
	if len(faults) == 0 {
		return nil
	}
	return &ValidationError{Faults: faults}
}

// check says what is wrong with the memory itself.
func (m *Memory) check() []*FieldError {
	if m.world {
		return nil
	}
	var faults []*FieldError
	if err := layers.CheckOwner(m.owner); err != nil {
		faults = append(faults, fault("", -1, "owner", err))
	}
	if err := layers.CheckSession(m.session); err != nil {
		faults = append(faults, fault("", -1, "session", err))
	}
	return faults
}

// skew is how far the clocks of two machines may differ before a time counts as
// one to come.
const skew = 5 * time.Minute

// checkPast refuses times to come: what a memory holds as current is so now.
func (c *Client) checkPast(item string, index int, field string, t time.Time) []*FieldError {
	if !t.After(c.now().Add(skew)) {
		return nil
	}
	return []*FieldError{{Item: item, Index: index, Field: field, Value: t.UTC().Format(time.RFC3339), Rule: "is in the future; state it when it is so"}}
}

// checkWrite is check for calls that write.
func (m *Memory) checkWrite() []*FieldError {
	faults := m.check()
	if !m.at.IsZero() {
		faults = append(faults, &FieldError{Index: -1, Field: "as_of", Rule: "is set: what was can't be written"})
	}
	return faults
}

// checkNow is check for reads that know no other time than now.
func (m *Memory) checkNow() []*FieldError {
	faults := m.check()
	if !m.at.IsZero() {
		faults = append(faults, &FieldError{Index: -1, Field: "as_of", Rule: "is set, and this can't be asked of another time than now"})
	}
	return faults
}

// checkOwned is checkWrite for calls that need an owner.
func (m *Memory) checkOwned() []*FieldError {
	if m.world {
		return []*FieldError{{Index: -1, Field: "owner", Rule: "is missing: the UNIVERSAL layer is nobody's own"}}
	}
	return m.checkWrite()
}

// checkSession is check for calls that need a session.
func (m *Memory) checkSession() []*FieldError {
	if m.world {
		return []*FieldError{{Index: -1, Field: "owner", Rule: "is missing: only an owner has sessions"}}
	}
	return m.check()
}

// checkActive is checkSession for calls that write to the session.
func (m *Memory) checkActive() []*FieldError {
	if m.world {
		return m.checkSession()
	}
	return m.checkWrite()
}

// cleanAttributes checks attributes and gives them as the driver takes them.
func cleanAttributes(item string, index int, attributes map[string]any) (map[string]any, []*FieldError) {
	clean := make(map[string]any, len(attributes))
	var faults []*FieldError
	keys := make([]string, 0, len(attributes))
	for key := range attributes {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		field := "attributes." + ontology.Shorten(key)
		if err := ontology.CheckAttribute(key); err != nil {
			f := fault(item, index, field, err)
			f.Value = ""
			faults = append(faults, f)
			continue
		}
		v, rule := cleanValue(attributes[key])
		if rule != "" {
			faults = append(faults, &FieldError{Item: item, Index: index, Field: field, Rule: rule})
			continue
		}
		clean[key] = v
	}
	return clean, faults
}

// cleanValue gives the value of an attribute as the driver takes it, or the rule
// that it breaks. What Neo4j stores as a property is a string, a boolean, an
// integer of 64 bits, a float, a time, or a list of one of them.
func cleanValue(v any) (any, string) {
	if v == nil {
		return nil, ""
	}
	if scalar, rule, ok := cleanScalar(v); ok {
		return scalar, rule
	}
	list := reflect.ValueOf(v)
	if kind := list.Kind(); kind != reflect.Slice && kind != reflect.Array {
		return nil, fmt.Sprintf("is a %s; an attribute is a string, boolean, number, time or list of one of them", kindName(v))
	}
	clean := make([]any, list.Len())
	for i := range clean {
		element := list.Index(i).Interface()
		scalar, rule, ok := cleanScalar(element)
		switch {
		case rule != "":
			return nil, fmt.Sprintf("holds an element %d that %s", i, rule)
		case !ok:
			return nil, fmt.Sprintf("holds a %s; a list holds strings, booleans, numbers or times", kindName(element))
		case i > 0 && reflect.TypeOf(scalar) != reflect.TypeOf(clean[0]):
			return nil, "mixes kinds of values; a list holds one kind"
		}
		clean[i] = scalar
	}
	return clean, ""
}

// cleanScalar is cleanValue for what is no list; ok is false for anything else.
func cleanScalar(v any) (clean any, rule string, ok bool) {
	if t, isTime := v.(time.Time); isTime {
		return inUTC(t), "", true
	}
	if n, isNumber := v.(json.Number); isNumber {
		if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return i, "", true
		}
		f, err := n.Float64()
		if err != nil || f == math.Trunc(f) && math.Abs(f) >= 1<<63 && !strings.ContainsAny(n.String(), ".eE") {
			return nil, "is a number out of range", true
		}
		return f, "", true
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.String:
		if rule := ontology.CheckText(r.String(), ontology.MaxText); rule != "" && rule != "is empty" {
			return nil, rule, true
		}
		return r.String(), "", true
	case reflect.Bool:
		return r.Bool(), "", true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int(), "", true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if r.Uint() > math.MaxInt64 {
			return nil, "is a number out of range", true
		}
		return int64(r.Uint()), "", true
	case reflect.Float32, reflect.Float64:
		return r.Float(), "", true
	}
	return nil, "", false
}

// kindName says what a value is, in the words of JSON.
func kindName(v any) string {
	if v == nil {
		return "null"
	}
	switch reflect.ValueOf(v).Kind() {
	case reflect.Map, reflect.Struct:
		return "map"
	case reflect.Slice, reflect.Array:
		return "list"
	default:
		return fmt.Sprintf("%T", v)
	}
}
