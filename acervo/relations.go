package acervo

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// compareRelations orders the relations of one node.
func compareRelations(a, b NodeRelation) int {
	direction := func(r NodeRelation) int {
		if r.Outgoing {
			return 0
		}
		return 1
	}
	return cmp.Or(strings.Compare(a.Type, b.Type), cmp.Compare(direction(a), direction(b)),
		strings.Compare(string(a.Neighbor.Key()), string(b.Neighbor.Key())), strings.Compare(string(a.Layer), string(b.Layer)))
}

// NeighborsParams says whose neighbors are listed.
type NeighborsParams struct {
	// Name and ID find the entity, Type chooses among homonyms, as in [NodeParams].
	Name, ID, Type string
	// Layer leaves out entities of the other layer. Default: the owner's own counts
	// before the UNIVERSAL one.
	Layer layers.Layer
	// Relation leaves out other relations. Default: any.
	Relation string
	// History adds relations that ended, with ValidTo set.
	History bool
	// Limit is how many relations a page holds, at most 1,000. Default 100.
	Limit int
	// After is Next of the page before. Default: the first page.
	After string
}

// NeighborsResult is one page of an entity's neighbors.
type NeighborsResult struct {
	Node      Neighbor       `json:"node"`
	Relations []NodeRelation `json:"relations"`
	// Next is After of the next page, empty after the last.
	Next string `json:"next,omitempty"`
}

// Neighbors lists the relations of one entity and what is at their other ends,
// by relation, direction and id. It fails with ErrNotFound if there is no such
// entity, and ErrConflict if there are several: then Type or ID has to choose.
func (m *Memory) Neighbors(ctx context.Context, params NeighborsParams) (*NeighborsResult, error) {
	result, err := m.neighbors(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("neighbors: %w", err)
	}
	return result, nil
}

func (m *Memory) neighbors(ctx context.Context, params NeighborsParams) (*NeighborsResult, error) {
	limit, after, err := page(params.Limit, params.After, 3)
	if err != nil {
		return nil, err
	}
	ref := EntityRef{Name: params.Name, ID: params.ID, Type: params.Type, Layer: params.Layer}
	if err := joinFaults(append(m.check(), ref.check("", "name", "id")...)); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	var result *NeighborsResult
	err = m.client.read(ctx, cypher.RelationList.Name, func(r runner) error {
		n, err := m.find(ctx, r, ref)
		if err != nil {
			return err
		}
		result = &NeighborsResult{Node: n.Neighbor, Relations: []NodeRelation{}}
		records, err := r.run(ctx, cypher.RelationList, map[string]any{
			"owner": m.owner, "key": string(n.Key()), "type": m.relationName(params.Relation), "history": params.History, "at": m.asOf(),
			"after": after, "limit": int64(limit + 1),
		})
		if err != nil {
			return err
		}
		for i, record := range records {
			answer := record.AsMap()
			if i == limit {
				result.Next = position(stringsOf(records[i-1].AsMap()["position"])...)
				return nil
			}
			result.Relations = append(result.Relations, decodeRelation(answer, mapOf(answer["held"])))
		}
		return nil
	})
	return result, err
}

// AmbiguousError is returned when a name finds several entities where one is wanted.
type AmbiguousError struct {
	Candidates []Neighbor
}

// Error lists the candidates.
func (e *AmbiguousError) Error() string {
	names := make([]string, len(e.Candidates))
	for i, c := range e.Candidates {
		names[i] = fmt.Sprintf("%s (%s, id %s)", ontology.Shorten(c.Label), c.Type, ontology.Shorten(c.ID))
	}
	return "the name finds several entities: " + strings.Join(names, ", ") + "; say which by type or id"
}

// Is reports that the error is ErrConflict.
func (e *AmbiguousError) Is(target error) bool { return target == ErrConflict }

// relationName is a relation's spelling in the ontology as a parameter.
func (m *Memory) relationName(name string) any {
	if known, ok := m.client.snapshot().Relation(name); ok {
		return known.Name
	}
	return orNull(name)
}

// RelationsParams says which relations are listed. The zero value lists all.
type RelationsParams struct {
	// Type leaves out other relations. Default: any.
	Type string
	// Layer leaves out relations of the other layer. Default: both.
	Layer layers.Layer
	// History adds relations that ended, with ValidTo set.
	History bool
	// Limit is how many relations a page holds, at most 1,000. Default 100.
	Limit int
	// After is Next of the page before. Default: the first page.
	After string
}

// StoredRelation is a relation with both its ends.
type StoredRelation struct {
	From Neighbor `json:"from"`
	Type string   `json:"type"`
	To   Neighbor `json:"to"`
	RelationDetails
}

// RelationsResult is one page of relations.
type RelationsResult struct {
	Relations []StoredRelation `json:"relations"`
	// Next is After of the next page, empty after the last.
	Next string `json:"next,omitempty"`
}

// Relations lists the relations that the owner sees: those between their own
// entities, then their own that touch UNIVERSAL ones, then UNIVERSAL relations,
// each followed by those that ended if they are wanted.
func (m *Memory) Relations(ctx context.Context, params RelationsParams) (*RelationsResult, error) {
	result, err := m.relations(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("relations: %w", err)
	}
	return result, nil
}

func (m *Memory) relations(ctx context.Context, params RelationsParams) (*RelationsResult, error) {
	faults := m.check()
	parsed(&faults, "layer", &params.Layer, layers.ParseLayer)
	if err := joinFaults(faults); err != nil {
		return nil, err
	}
	// A position is the number of the list, then the place in it.
	limit, after, err := page(params.Limit, params.After, 5)
	if err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	var result *RelationsResult
	err = m.client.read(ctx, cypher.RelationListReferences.Name, func(r runner) error {
		result = &RelationsResult{Relations: []StoredRelation{}}
		for i, list := range m.relationLists(params) {
			number := fmt.Sprint(i)
			if number < after[0] {
				continue
			}
			from := []string{"", "", "", ""}
			if number == after[0] {
				from = after[1:]
			}
			values := map[string]any{"type": m.relationName(params.Type), "at": m.asOf(), "after": from, "limit": int64(limit + 1 - len(result.Relations))}
			values[list.param] = list.space
			records, err := r.run(ctx, list.statement, values)
			if err != nil {
				return err
			}
			for _, record := range records {
				answer := record.AsMap()
				if len(result.Relations) == limit {
					return nil // Next is that of the one before
				}
				relation := StoredRelation{
					From: decodeNeighbor(mapOf(answer["from"])), Type: stringOf(answer["type"]), To: decodeNeighbor(mapOf(answer["to"])),
					RelationDetails: decodeDetails(mapOf(answer["held"])),
				}
				result.Relations = append(result.Relations, relation)
				place := stringsOf(answer["position"])
				for len(place) < 4 {
					place = append(place, "")
				}
				result.Next = position(append([]string{number}, place...)...)
			}
		}
		result.Next = "" // the lists are at their ends
		return nil
	})
	return result, err
}

// relationList is one of the lists that Relations goes through.
type relationList struct {
	statement    cypher.Statement
	param, space string
}

func (m *Memory) relationLists(params RelationsParams) []relationList {
	own := []relationList{{cypher.RelationListPersonal, "owner", m.owner}, {cypher.RelationListReferences, "space", m.owner}}
	world := []relationList{{cypher.RelationListReferences, "space", layers.WorldOwner}}
	if params.History || !m.at.IsZero() {
		own = append(own, relationList{cypher.EndedList, "space", m.owner})
		world = append(world, relationList{cypher.EndedList, "space", layers.WorldOwner})
	}
	switch {
	case m.world || params.Layer == layers.Universal:
		return world
	case params.Layer == layers.Personal:
		return own
	}
	return append(own, world...)
}

// position makes the place in a list a string that says nothing to a caller.
func position(parts ...string) string {
	encoded, err := json.Marshal(parts)
	if err != nil {
		panic(err) // strings always encode
	}
	return base64.RawURLEncoding.EncodeToString(encoded)
}

// page reads the limit and the place of a page; the place has so many parts.
func page(limit int, after string, parts int) (int, []string, error) {
	var faults []*FieldError
	if limit = orDefault(limit, 100); limit > 1000 {
		faults = append(faults, &FieldError{Index: -1, Field: "limit", Value: fmt.Sprint(limit), Rule: "is more than 1000"})
	}
	place := make([]string, parts)
	if after != "" {
		var read []string
		decoded, err := base64.RawURLEncoding.DecodeString(after)
		if err != nil || json.Unmarshal(decoded, &read) != nil || len(read) != parts {
			faults = append(faults, &FieldError{Index: -1, Field: "after", Value: ontology.Shorten(after), Rule: "is not the end of a page"})
		} else {
			place = read
		}
	}
	return limit, place, joinFaults(faults)
}
