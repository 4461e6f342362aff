package acervo

import (
	"context"
	"fmt"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// NodesParams says which entities are listed. The zero value lists all.
type NodesParams struct {
	// Layer, Type, Status and Activation leave out other entities. Default: any.
	Layer      layers.Layer
	Type       string
	Status     layers.Status
	Activation layers.Activation
	// Limit is how many entities a page holds, at most 1,000. Default 100.
	Limit int
	// After is Next of the page before. Default: the first page.
	After string
}

// NodesResult is one page of entities.
type NodesResult struct {
	// Nodes are the owner's own, then the UNIVERSAL ones, each by id; for hot or
	// warm ones, those used last come first. Each has its 10 newest facts and 10
	// relations at the most.
	Nodes []Node `json:"nodes"`
	// Next is After of the next page, empty after the last.
	Next string `json:"next,omitempty"`
}

// listed is how many facts and relations an entity of a list has at the most.
const listed = 10

// Nodes lists the entities that the owner sees.
func (m *Memory) Nodes(ctx context.Context, params NodesParams) (*NodesResult, error) {
	result, err := m.nodes(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("nodes: %w", err)
	}
	return result, nil
}

func (p *NodesParams) check() []*FieldError {
	var faults []*FieldError
	parsed(&faults, "layer", &p.Layer, layers.ParseLayer)
	parsed(&faults, "status", &p.Status, layers.ParseStatus)
	parsed(&faults, "activation", &p.Activation, layers.ParseActivation)
	if _, _, ok := layers.Key(p.After).Split(); !ok && p.After != "" {
		faults = append(faults, &FieldError{Index: -1, Field: "after", Value: ontology.Shorten(p.After), Rule: "is not the end of a page"})
	}
	if p.Limit = orDefault(p.Limit, 100); p.Limit > 1000 {
		faults = append(faults, &FieldError{Index: -1, Field: "limit", Value: fmt.Sprint(p.Limit), Rule: "is more than 1000"})
	}
	return faults
}

// parsed replaces a field by what it is parsed to, unless it is empty.
func parsed[T ~string](faults *[]*FieldError, field string, v *T, parse func(string) (T, error)) {
	if *v == "" {
		return
	}
	p, err := parse(string(*v))
	if err != nil {
		*faults = append(*faults, fault("", -1, field, err))
		return
	}
	*v = p
}

func (m *Memory) nodes(ctx context.Context, params NodesParams) (*NodesResult, error) {
	if err := joinFaults(append(m.check(), params.check()...)); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	typ := params.Type
	switch {
	case typ == "":
	case ontology.IsUnknown(typ):
		typ = ontology.Unknown
	default:
		typ, _ = canonical(typ, m.client.snapshot())
	}
	result := &NodesResult{}
	err := m.client.read(ctx, cypher.EntityList.Name, func(r runner) error {
		result = &NodesResult{Nodes: []Node{}}
		session, err := m.readSession(ctx, r)
		if err != nil {
			return err
		}
		var keys []string
		if params.Activation == layers.Hot || params.Activation == layers.Warm {
			keys = session.activated(params.Activation, params.After)
		} else {
			keys, result.Next, err = m.listKeys(ctx, r, params, typ, session)
			if err != nil {
				return err
			}
		}
		if len(keys) == 0 {
			return nil
		}
		nodes, err := m.details(ctx, r, detailQuery{keys: keys, facts: listed, relations: listed})
		if err != nil {
			return err
		}
		byKey := make(map[string]Node, len(nodes))
		for _, n := range nodes {
			byKey[string(n.Key())] = n
		}
		for _, key := range keys {
			n, ok := byKey[key]
			if !ok || params.Layer != "" && n.Layer != params.Layer || typ != "" && n.Type != typ || params.Status != "" && n.Status != params.Status {
				continue
			}
			if len(result.Nodes) == params.Limit {
				result.Next = string(result.Nodes[len(result.Nodes)-1].Key())
				break
			}
			result.Nodes = append(result.Nodes, n)
		}
		return nil
	})
	return result, err
}

// listKeys lists one page of keys, and where the next one starts.
func (m *Memory) listKeys(ctx context.Context, r runner, params NodesParams, typ string, session sessionState) ([]string, string, error) {
	after, afterID, _ := layers.Key(params.After).Split()
	keys := []string{}
	for _, layer := range []layers.Layer{layers.Personal, layers.Universal} {
		space := m.owner
		if layer == layers.Universal {
			space = layers.WorldOwner
		}
		if params.Layer != "" && layer != params.Layer || m.world && layer == layers.Personal || layer == layers.Personal && after == layers.Universal {
			continue
		}
		from := ""
		if after == layer {
			from = afterID
		}
		for {
			ids, err := m.listIDs(ctx, r, space, typ, params, from)
			if err != nil {
				return nil, "", err
			}
			for i, id := range ids {
				from = id
				key := string(layers.KeyOf(layer, id))
				if params.Activation == layers.Cold && session.activation(key) != layers.Cold {
					continue
				}
				if keys = append(keys, key); len(keys) == params.Limit {
					if i == len(ids)-1 && len(ids) < params.Limit && layer == layers.Universal {
						return keys, "", nil // nothing follows
					}
					return keys, key, nil
				}
			}
			if len(ids) < params.Limit {
				break
			}
		}
	}
	return keys, "", nil
}

func (m *Memory) listIDs(ctx context.Context, r runner, space, typ string, params NodesParams, after string) ([]string, error) {
	statement, values := cypher.EntityList, map[string]any{
		"space": space, "status": orNull(string(params.Status)), "after": after, "limit": int64(params.Limit),
	}
	switch {
	case typ != "":
		statement, values["type"] = cypher.EntityListType, typ
	case params.Status != "":
		statement = cypher.EntityListStatus
	}
	records, err := r.run(ctx, statement, values)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(records))
	for i, record := range records {
		if ids[i], err = value[string](record, "id"); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// PendingParams says which incomplete entities are listed.
type PendingParams struct {
	// Limit is how many entities a page holds, at most 1,000. Default 100.
	Limit int
	// After is Next of the page before. Default: the first page.
	After string
}

// Pending lists the incomplete entities that the owner sees, each with the
// fields that it lacks as PendingFields.
func (m *Memory) Pending(ctx context.Context, params PendingParams) (*NodesResult, error) {
	result, err := m.nodes(ctx, NodesParams{Status: layers.Incomplete, Limit: params.Limit, After: params.After})
	if err != nil {
		return nil, fmt.Errorf("pending: %w", err)
	}
	return result, nil
}
