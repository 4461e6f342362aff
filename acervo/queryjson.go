package acervo

import (
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"
)

// MarshalJSON gives the row as an array, in the order of the columns. Null,
// booleans, strings, integers, numbers and lists are those of JSON; a float has a
// fraction or an exponent, so that it can be told from an integer. Every other
// value is an object with one key that says what it is:
//
//	{"node": {"element_id": "4:…", "labels": ["Persona"], "properties": {"label": "Sandy"}}}
//	{"relationship": {"element_id": "5:…", "type": "VIVE_EN", "start": "4:…", "end": "4:…", "properties": {}}}
//	{"path": {"nodes": […], "relationships": […]}}
//	{"time": "2026-05-01T10:00:00+02:00", "zone": "Europe/Madrid"}   a zoned datetime; the zone only if it has a name
//	{"local_datetime": "2026-05-01T10:00:00"}
//	{"date": "2026-05-01"}
//	{"local_time": "10:00:00"}
//	{"offset_time": "10:00:00+02:00"}
//	{"duration": [1, 2, 3, 0]}                                       months, days, seconds, nanoseconds
//	{"point": [4326, -67.9, -38.9]}                                  SRID, x, y and, if there is one, z
//	{"bytes": "AAEC"}                                                base64
//	{"float": "NaN"}                                                 or "+Inf" or "-Inf"
//	{"unknown": "…"}                                                 what the driver can't read, in its words
//
// Nodes and relationships of a path are as those above, without the key. A map is
// an object of its own keys, or {"map": {…}} if it could be taken for one of these.
func (r QueryRow) MarshalJSON() ([]byte, error) {
	row := make([]any, len(r))
	for i, v := range r {
		var err error
		if row[i], err = encodeResult(v, maxNesting); err != nil {
			return nil, err
		}
	}
	return marshal(row)
}

// maxNesting bounds how deep lists and maps of a result may be in each other:
// readers of JSON give up somewhere, most of them much later.
const maxNesting = 500

// kinds are the keys that say what a value is.
var kinds = map[string]bool{
	"node": true, "relationship": true, "path": true, "time": true, "local_datetime": true, "date": true, "local_time": true,
	"offset_time": true, "duration": true, "point": true, "bytes": true, "float": true, "map": true, "unknown": true,
}

// encodeResult is encodeValue for everything that a query can return.
func encodeResult(v any, depth int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("a value of lists and maps that are deeper in each other than %d: %w", maxNesting, ErrInvalid)
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = encodeResult(v[i], depth-1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		object, err := encodeMap(v, depth-1)
		if err != nil {
			return nil, err
		}
		_, zone := v["zone"]
		for key := range v {
			if kinds[key] && (len(v) == 1 || len(v) == 2 && zone) {
				return map[string]any{"map": object}, nil
			}
		}
		return object, nil
	case dbtype.Node:
		node, err := encodeNode(v, depth-1)
		return map[string]any{"node": node}, err
	case dbtype.Relationship:
		relationship, err := encodeRelationship(v, depth-1)
		return map[string]any{"relationship": relationship}, err
	case dbtype.Path:
		return encodePath(v, depth-1)
	case *dbtype.InvalidValue:
		return map[string]any{"unknown": v.Message}, nil
	}
	encoded, err := encodeValue(v)
	if err != nil {
		return map[string]any{"unknown": fmt.Sprint(v)}, nil
	}
	return encoded, nil
}

func encodeMap(m map[string]any, depth int) (map[string]any, error) {
	object := make(map[string]any, len(m))
	for key, v := range m {
		var err error
		if object[key], err = encodeResult(v, depth); err != nil {
			return nil, err
		}
	}
	return object, nil
}

type jsonNode struct {
	ElementID  string         `json:"element_id"`
	Labels     []string       `json:"labels"`
	Properties map[string]any `json:"properties"`
}

func encodeNode(n dbtype.Node, depth int) (jsonNode, error) {
	properties, err := encodeMap(n.Props, depth)
	return jsonNode{ElementID: n.ElementId, Labels: append([]string{}, n.Labels...), Properties: properties}, err
}

type jsonRelationship struct {
	ElementID  string         `json:"element_id"`
	Type       string         `json:"type"`
	Start      string         `json:"start"`
	End        string         `json:"end"`
	Properties map[string]any `json:"properties"`
}

func encodeRelationship(r dbtype.Relationship, depth int) (jsonRelationship, error) {
	properties, err := encodeMap(r.Props, depth)
	return jsonRelationship{ElementID: r.ElementId, Type: r.Type, Start: r.StartElementId, End: r.EndElementId, Properties: properties}, err
}

func encodePath(p dbtype.Path, depth int) (any, error) {
	nodes, relationships := make([]jsonNode, len(p.Nodes)), make([]jsonRelationship, len(p.Relationships))
	for i, n := range p.Nodes {
		var err error
		if nodes[i], err = encodeNode(n, depth); err != nil {
			return nil, err
		}
	}
	for i, r := range p.Relationships {
		var err error
		if relationships[i], err = encodeRelationship(r, depth); err != nil {
			return nil, err
		}
	}
	return map[string]any{"path": map[string]any{"nodes": nodes, "relationships": relationships}}, nil
}
