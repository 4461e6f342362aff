package acervo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// Node is an entity with what one owner sees of it.
type Node struct {
	ID    string       `json:"id"`
	Label string       `json:"label"`
	Type  string       `json:"type"`
	Layer layers.Layer `json:"layer"`
	// Owner is null in JSON, and nil, for a UNIVERSAL entity.
	Owner         *string       `json:"owner"`
	Source        string        `json:"source"`
	Confidence    float64       `json:"confidence_for_owner"`
	Status        layers.Status `json:"status"`
	PendingFields []string      `json:"pending_fields"`
	// Aliases are other names: the entity's own, and those that the owner gave to a
	// UNIVERSAL one.
	Aliases []string `json:"aliases"`
	// Attributes are as they were given; integers are int64, times in UTC.
	Attributes map[string]any `json:"attributes"`
	// Activation is that of the memory's session.
	Activation layers.Activation `json:"activation"`
	CreatedAt  time.Time         `json:"created_at"`
	UpdatedAt  time.Time         `json:"updated_at"`
	// VerifiedAt is when a UNIVERSAL entity was verified; from then on no owner's
	// call changes it.
	VerifiedAt *time.Time `json:"verified_at,omitempty"`
	// Facts are the newest ones, in the order in which they were said.
	Facts []StoredFact `json:"facts"`
	// Relations are some of them; see [Memory.Relations] for all.
	Relations []NodeRelation `json:"relations"`
	// MoreFacts and MoreRelations say that there are more than are listed here.
	MoreFacts     bool `json:"more_facts,omitempty"`
	MoreRelations bool `json:"more_relations,omitempty"`
}

// StoredFact is a current fact.
type StoredFact struct {
	Text string `json:"fact"`
	// Source is the first source, Sources are all of them.
	Source     string       `json:"source"`
	Sources    []string     `json:"sources"`
	Details    []string     `json:"source_details,omitempty"`
	Layer      layers.Layer `json:"layer"`
	Confidence float64      `json:"confidence"`
	CreatedAt  time.Time    `json:"created_at"`
	ValidFrom  time.Time    `json:"valid_from"`
	// ValidTo is when it was corrected or retracted; absent while it is current.
	ValidTo *time.Time `json:"valid_to,omitempty"`
}

// Neighbor is the entity at the other end of a relation.
type Neighbor struct {
	ID            string        `json:"id"`
	Label         string        `json:"label"`
	Type          string        `json:"type"`
	Layer         layers.Layer  `json:"layer"`
	Status        layers.Status `json:"status"`
	PendingFields []string      `json:"pending_fields,omitempty"`
}

// Key names the neighbor within what one owner sees.
func (n Neighbor) Key() layers.Key { return layers.KeyOf(n.Layer, n.ID) }

// NodeRelation is a relation as seen from one of its ends.
type NodeRelation struct {
	Type string `json:"type"`
	// Outgoing: the relation goes from the node to the neighbor.
	Outgoing bool     `json:"outgoing"`
	Neighbor Neighbor `json:"neighbor"`
	RelationDetails
}

// RelationDetails is what a relation holds beside its ends and its type.
type RelationDetails struct {
	Layer      layers.Layer `json:"layer"`
	Source     string       `json:"source"`
	Confidence float64      `json:"confidence"`
	CreatedAt  time.Time    `json:"created_at"`
	LastSeenAt time.Time    `json:"last_seen_at"`
	ValidFrom  time.Time    `json:"valid_from"`
	// ValidTo is when it ended; absent while it is current.
	ValidTo *time.Time `json:"valid_to,omitempty"`
}

// Key names the node within what one owner sees.
func (n *Node) Key() layers.Key { return layers.KeyOf(n.Layer, n.ID) }

// NodeParams says which entities are wanted.
type NodeParams struct {
	// Name finds the owner's own and the UNIVERSAL entities of this name, by id or alias.
	Name string
	// ID is an exact id, which counts instead of the name.
	ID string
	// Type leaves out entities of other types. Default: any.
	Type string
	// MaxFacts and MaxRelations bound what is read of each entity. Default 100 each.
	MaxFacts, MaxRelations int
}

// NodeResult holds the entities of one name.
type NodeResult struct {
	// Nodes are the owner's own, then the UNIVERSAL ones, each by id. There is at
	// least one.
	Nodes []Node `json:"nodes"`
}

// Node finds entities by name or id. It fails with ErrNotFound if there is none
// that the owner sees. Homonyms are all returned.
func (m *Memory) Node(ctx context.Context, params NodeParams) (*NodeResult, error) {
	nodes, err := m.node(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	return &NodeResult{Nodes: nodes}, nil
}

func (m *Memory) node(ctx context.Context, params NodeParams) ([]Node, error) {
	faults := m.check()
	id, name := params.ID, params.Name
	if id == "" {
		var err error
		if id, err = ontology.ID(name); err != nil {
			faults = append(faults, fault("", -1, "name", err))
		}
	} else {
		name = id
		if rule := ontology.CheckText(id, ontology.MaxID); rule != "" {
			faults = append(faults, &FieldError{Index: -1, Field: "id", Value: ontology.Shorten(id), Rule: rule})
		}
	}
	if err := joinFaults(faults); err != nil {
		return nil, err
	}
	if err := m.client.prepare(ctx); err != nil {
		return nil, err
	}
	q := detailQuery{facts: orDefault(params.MaxFacts, 100), relations: orDefault(params.MaxRelations, 100)}
	if params.ID != "" {
		q.keys = []string{string(layers.KeyOf(layers.Personal, id)), string(layers.KeyOf(layers.Universal, id))}
	} else {
		q.names = []string{id}
	}
	if params.Type != "" {
		q.typ, _ = canonical(params.Type, m.client.snapshot())
	}
	var nodes []Node
	err := m.client.once(ctx, neo4j.AccessModeRead, cypher.EntityGet.Name, func(r runner) (err error) {
		nodes, err = m.details(ctx, r, q)
		return err
	})
	if err == nil && len(nodes) == 0 {
		err = &NotFoundError{Names: []string{name}}
	}
	return nodes, err
}

func orDefault(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

// detailQuery says which entities are read, and how much of each.
type detailQuery struct {
	names, keys      []string
	typ              string
	facts, relations int
}

// details reads entities, the owner's own first, each by id.
func (m *Memory) details(ctx context.Context, r runner, q detailQuery) ([]Node, error) {
	records, err := r.run(ctx, cypher.EntityGet, map[string]any{
		"owner": m.owner, "session": m.session, "names": orEmpty(q.names), "keys": orEmpty(q.keys), "type": orNull(q.typ), "at": m.asOf(),
		// One more than wanted tells whether there are more.
		"facts": int64(q.facts + 1), "relations": int64(q.relations + 1),
	})
	if err != nil {
		return nil, err
	}
	nodes := make([]Node, 0, len(records))
	for _, record := range records {
		n := decodeNode(record.AsMap(), q.facts, q.relations)
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// decodeNode makes a node of a map with its entity, facts and relations.
func decodeNode(m map[string]any, maxFacts, maxRelations int) Node {
	p := mapOf(m["entity"])
	n := Node{
		ID: stringOf(p["id"]), Label: stringOf(p["label"]), Type: stringOf(p["type"]), Layer: layers.Layer(stringOf(p["layer"])),
		Source: stringOf(p["source"]), Confidence: floatOf(p["confidence_for_owner"]), Status: layers.Status(stringOf(p["status"])),
		PendingFields: stringsOf(p["pending_fields"]), Aliases: stringsOf(p["aliases"]), Attributes: map[string]any{},
		Activation: layers.Activation(stringOf(m["activation"])), CreatedAt: timeOf(p["created_at"]), UpdatedAt: timeOf(p["updated_at"]),
		Facts: []StoredFact{}, Relations: []NodeRelation{},
	}
	if n.Layer == layers.Personal {
		owner := stringOf(p["owner"])
		n.Owner = &owner
	}
	n.VerifiedAt = optionalTime(p["verified_at"])
	for _, name := range stringsOf(m["names"]) {
		n.Aliases = with(n.Aliases, name)
	}
	reserved := ontology.ReservedAttributes()
	for key, v := range p {
		if !slices.Contains(reserved, key) {
			n.Attributes[key] = attributeOf(v)
		}
	}
	for _, f := range mapsOf(m["facts"]) {
		n.Facts = append(n.Facts, decodeFact(f))
	}
	if n.MoreFacts = len(n.Facts) > maxFacts; n.MoreFacts {
		n.Facts = n.Facts[:maxFacts]
	}
	slices.Reverse(n.Facts) // the newest were read first
	for _, r := range mapsOf(m["relations"]) {
		n.Relations = append(n.Relations, decodeRelation(r, r))
	}
	if n.MoreRelations = len(n.Relations) > maxRelations; n.MoreRelations {
		n.Relations = n.Relations[:maxRelations]
	}
	slices.SortStableFunc(n.Relations, compareRelations)
	return n
}

func decodeFact(f map[string]any) StoredFact {
	fact := StoredFact{
		Text: stringOf(f["text"]), Source: stringOf(f["source"]), Sources: stringsOf(f["sources"]), Layer: layers.Personal,
		Confidence: floatOf(f["confidence"]), CreatedAt: timeOf(f["created_at"]), ValidFrom: timeOf(f["valid_from"]),
	}
	if details := stringsOf(f["source_details"]); len(details) > 0 {
		fact.Details = details
	}
	fact.ValidTo = optionalTime(f["valid_to"])
	if f["owner"] == layers.WorldOwner {
		fact.Layer = layers.Universal
	}
	return fact
}

// decodeRelation takes what the relation holds from a map of its own.
func decodeRelation(r, held map[string]any) NodeRelation {
	return NodeRelation{
		Type: stringOf(r["type"]), Outgoing: boolOf(r["outgoing"]), Neighbor: decodeNeighbor(mapOf(r["other"])),
		RelationDetails: decodeDetails(held),
	}
}

func decodeDetails(held map[string]any) RelationDetails {
	return RelationDetails{
		Layer: layers.Layer(stringOf(held["layer"])), Source: stringOf(held["source"]), Confidence: floatOf(held["confidence"]),
		CreatedAt: timeOf(held["created_at"]), LastSeenAt: timeOf(held["last_seen_at"]), ValidFrom: timeOf(held["valid_from"]),
		ValidTo: optionalTime(held["valid_to"]),
	}
}

func decodeNeighbor(p map[string]any) Neighbor {
	n := Neighbor{
		ID: stringOf(p["id"]), Label: stringOf(p["label"]), Type: stringOf(p["type"]),
		Layer: layers.Layer(stringOf(p["layer"])), Status: layers.Status(stringOf(p["status"])),
	}
	if pending := stringsOf(p["pending_fields"]); len(pending) > 0 {
		n.PendingFields = pending
	}
	return n
}

// attributeOf gives the value of an attribute: times in UTC, lists as they are.
func attributeOf(v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.UTC()
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = attributeOf(v[i])
		}
		return list
	}
	return v
}
