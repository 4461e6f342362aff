package acervo

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// batch is a checked UpsertParams: names are ids, values are as the driver takes
// them. It holds nothing that the ontology decides, so that it can be stored
// again after a transaction failed.
type batch struct {
	layer      layers.Layer
	source     string
	status     layers.Status // of a new entity whose type is known
	confidence any           // float64 or null
	entities   []batchEntity
	relations  []batchRelation
	facts      []batchFact
	activate   bool
}

type batchEntity struct {
	ref
	label      string
	aliases    []batchAlias
	attributes map[string]any
	source     string
	status     layers.Status // of a new entity whose type is known
	confidence any
	createdAt  time.Time
}

type batchAlias struct{ id, label string }

// ref names an entity.
type ref struct {
	name     string // as given
	nameID   string // the name's id; empty if there is no name
	id       string // the explicit id, or the name's
	explicit bool
	typ      string // as given; empty if unknown
}

type batchRelation struct {
	from, to   ref
	typ        string
	source     string
	confidence any
	validFrom  time.Time
	createdAt  time.Time
}

type batchFact struct {
	about      ref
	text       string
	source     string
	detail     string
	confidence any
	validFrom  time.Time
	createdAt  time.Time
}

// newBatch checks the parameters and reports every fault at once.
func (m *Memory) newBatch(p UpsertParams) (*batch, error) {
	faults := m.checkWrite()
	b := &batch{layer: p.Layer, source: p.Source, activate: !p.NoActivation && !m.world}
	if b.layer == "" {
		b.layer = layers.Personal
		if m.world {
			b.layer = layers.Universal
		}
	} else if _, err := layers.ParseLayer(string(b.layer)); err != nil {
		return nil, joinFaults(append(faults, fault("", -1, "layer", err)))
	} else {
		b.layer, _ = layers.ParseLayer(string(b.layer))
	}
	if m.world && b.layer == layers.Personal {
		faults = append(faults, &FieldError{Index: -1, Field: "owner", Rule: "is missing, as the PERSONAL layer needs one"})
	}
	c := checker{client: m.client, layer: b.layer, world: m.world, faults: faults, ids: map[string]string{}}
	b.source = c.source("", -1, b.source, b.layer.Source())
	b.confidence = c.confidence("", -1, p.Confidence)
	b.status = b.layer.StatusOf(p.Source != "")
	for what, n := range map[string]int{"entities": len(p.Entities), "relations": len(p.Relations), "facts": len(p.Facts)} {
		if n > m.client.opts.MaxBatch {
			c.add(&FieldError{Index: -1, Field: what, Value: fmt.Sprint(n), Rule: fmt.Sprintf("are more than the %d that one call may hold", m.client.opts.MaxBatch)})
		}
	}
	if len(c.faults) > 0 {
		return nil, joinFaults(c.faults)
	}
	b.entities = make([]batchEntity, len(p.Entities))
	for i, e := range p.Entities {
		b.entities[i] = c.entity(i, e, b)
	}
	b.relations = make([]batchRelation, len(p.Relations))
	for i, r := range p.Relations {
		b.relations[i] = c.relation(i, r, b)
	}
	b.facts = make([]batchFact, len(p.Facts))
	for i, f := range p.Facts {
		b.facts[i] = c.fact(i, f, b)
	}
	return b, joinFaults(c.faults)
}

// checker collects the faults of a batch.
type checker struct {
	client *Client
	layer  layers.Layer
	world  bool
	faults []*FieldError
	ids    map[string]string // of the names that were met
}

// id gives the id of a name; items of a batch share most of their names.
func (c *checker) id(name string) (string, error) {
	if id, ok := c.ids[name]; ok {
		return id, nil
	}
	id, err := ontology.ID(name)
	if err == nil {
		c.ids[name] = id
	}
	return id, err
}

func (c *checker) add(f *FieldError) { c.faults = append(c.faults, f) }

func (c *checker) entity(i int, e Entity, b *batch) batchEntity {
	const item = "entity"
	out := batchEntity{
		ref:        c.ref(item, i, e.Name, e.ID, e.Type, "name", "id", "type"),
		label:      strings.TrimSpace(e.Name),
		source:     c.source(item, i, e.Source, b.source),
		status:     b.status,
		confidence: orBatch(c.confidence(item, i, e.Confidence), b),
		createdAt:  e.CreatedAt,
	}
	if out.label == "" {
		out.label = e.ID
	}
	if e.Source != "" {
		out.status = b.layer.StatusOf(true)
	}
	var faults []*FieldError
	out.attributes, faults = cleanAttributes(item, i, e.Attributes)
	c.faults = append(c.faults, faults...)
	for _, a := range e.Aliases {
		id, err := ontology.ID(a)
		if err != nil {
			c.add(fault(item, i, "aliases", err))
			continue
		}
		out.aliases = append(out.aliases, batchAlias{id: id, label: strings.TrimSpace(a)})
	}
	return out
}

func (c *checker) relation(i int, r Relation, b *batch) batchRelation {
	const item = "relation"
	out := batchRelation{
		from:       c.ref(item, i, r.From, r.FromID, r.FromType, "from", "from_id", "from_type"),
		to:         c.ref(item, i, r.To, r.ToID, r.ToType, "to", "to_id", "to_type"),
		typ:        r.Type,
		source:     c.source(item, i, r.Source, b.source),
		confidence: orBatch(c.confidence(item, i, r.Confidence), b),
		validFrom:  r.ValidFrom,
		createdAt:  r.CreatedAt,
	}
	if err := ontology.CheckRelation(r.Type); err != nil {
		c.add(fault(item, i, "type", err))
	}
	c.faults = append(c.faults, c.client.checkPast(item, i, "valid_from", r.ValidFrom)...)
	if out.from.id != "" && out.from.id == out.to.id && out.from.explicit == out.to.explicit && out.from.typ == out.to.typ {
		c.add(&FieldError{Item: item, Index: i, Field: "to", Value: ontology.Shorten(out.to.display()), Rule: selfRelation})
	}
	return out
}

// selfRelation is the rule that a relation from an entity to itself breaks.
const selfRelation = "is what the relation comes from; an entity has no relation to itself"

func (c *checker) fact(i int, f Fact, b *batch) batchFact {
	const item = "fact"
	out := batchFact{
		about:      c.ref(item, i, f.Entity, f.EntityID, f.EntityType, "entity", "entity_id", "entity_type"),
		text:       strings.TrimSpace(f.Text),
		source:     f.Source,
		detail:     f.Detail,
		confidence: orBatch(c.confidence(item, i, f.Confidence), b),
		validFrom:  f.ValidFrom,
		createdAt:  f.CreatedAt,
	}
	c.faults = append(c.faults, c.client.checkPast(item, i, "valid_from", f.ValidFrom)...)
	if rule := ontology.CheckText(f.Text, ontology.MaxText); rule != "" {
		c.add(&FieldError{Item: item, Index: i, Field: "text", Value: ontology.Shorten(f.Text), Rule: rule})
	}
	if rule := ontology.CheckText(f.Detail, ontology.MaxText); rule != "" && f.Detail != "" {
		c.add(&FieldError{Item: item, Index: i, Field: "detail", Value: ontology.Shorten(f.Detail), Rule: rule})
	}
	if out.source == "" {
		out.source = c.layer.FactSource()
	}
	layer := layers.Personal // in an owner's batch a fact of another source becomes PERSONAL
	if c.world {
		layer = layers.Universal
	}
	if err := layer.CheckSource(out.source); err != nil {
		c.add(fault(item, i, "source", err))
	}
	return out
}

// ref checks how an item names an entity.
func (c *checker) ref(item string, i int, name, id, typ, nameField, idField, typeField string) ref {
	r := ref{name: name, id: id, explicit: id != ""}
	if name != "" || !r.explicit {
		nameID, err := c.id(name)
		if err != nil {
			c.add(fault(item, i, nameField, err))
		}
		r.nameID = nameID
		if !r.explicit {
			r.id = nameID
		}
	}
	if rule := ontology.CheckText(id, ontology.MaxID); r.explicit && rule != "" {
		c.add(&FieldError{Item: item, Index: i, Field: idField, Value: ontology.Shorten(id), Rule: rule})
	}
	if !ontology.IsUnknown(typ) {
		if err := ontology.CheckType(typ); err != nil {
			c.add(fault(item, i, typeField, err))
		}
		r.typ = typ
	}
	return r
}

func (r ref) display() string {
	if r.name != "" {
		return r.name
	}
	return r.id
}

func (c *checker) source(item string, i int, source, otherwise string) string {
	if source == "" {
		return otherwise
	}
	if err := c.layer.CheckSource(source); err != nil {
		c.add(fault(item, i, "source", err))
	}
	return source
}

func (c *checker) confidence(item string, i int, confidence *float64) any {
	if confidence == nil {
		return nil
	}
	if err := layers.CheckConfidence(*confidence); err != nil {
		c.add(fault(item, i, "confidence", err))
	}
	return *confidence
}

func orBatch(confidence any, b *batch) any {
	if confidence == nil {
		return b.confidence
	}
	return confidence
}

// row is one entity that the statement looks up and writes. Several items of a
// batch may be one row.
type row struct {
	ref
	known      string // the type's canonical spelling; empty if unknown
	declared   bool
	first      bool // the first row of its id
	implied    bool // no entity of the batch lists it
	label      string
	aliases    []batchAlias
	attributes map[string]any
	source     string
	status     layers.Status
	confidence any
	createdAt  time.Time

	// What became of it.
	found          found
	told           bool     // facts about it were stored with it
	attributeFacts []string // facts that attributes became
	keptAttributes []string // attributes that a reference keeps
}

// aliasLabels are the spellings of the aliases, each once.
func (r *row) aliasLabels() []string {
	labels := make([]string, 0, len(r.aliases))
	for _, a := range r.aliases {
		if !slices.Contains(labels, a.label) {
			labels = append(labels, a.label)
		}
	}
	return labels
}

// rows are the rows of a batch, found by how its items name them.
type rows struct {
	list     []*row
	byID     map[string][]*row // by explicit id or name's id, in input order
	byName   map[string][]*row // by the name's id and the aliases' ids
	entities []*row            // of each entity of the batch
	from, to []*row            // of each relation
	about    []*row            // of each fact
}

// plan makes the rows of a batch with the types that the ontology knows.
func (b *batch) plan(o *ontology.Ontology) *rows {
	p := &rows{byID: map[string][]*row{}, byName: map[string][]*row{}}
	for _, e := range b.entities {
		r := p.row(e.ref, o, false)
		if r.label == "" {
			r.label, r.source, r.status, r.confidence, r.createdAt = e.label, e.source, e.status, e.confidence, e.createdAt
		}
		if e.confidence != nil {
			r.confidence = e.confidence
		}
		maps.Copy(r.attributes, e.attributes)
		r.aliases = append(r.aliases, e.aliases...)
		p.entities = append(p.entities, r)
	}
	for _, r := range p.list {
		for _, a := range r.aliases {
			p.byName[a.id] = append(p.byName[a.id], r)
		}
	}
	for _, r := range b.relations {
		p.from = append(p.from, p.end(r.from, o, b))
		p.to = append(p.to, p.end(r.to, o, b))
	}
	for _, f := range b.facts {
		p.about = append(p.about, p.end(f.about, o, b))
	}
	return p
}

// end finds the row that a relation or a fact names, or adds one.
func (p *rows) end(r ref, o *ontology.Ontology, b *batch) *row {
	candidates := p.byName[r.nameID]
	if r.explicit {
		candidates = p.byID[r.id]
	}
	known, _ := canonical(r.typ, o)
	for _, c := range candidates {
		if known == "" || c.known == known {
			return c
		}
	}
	added := p.row(r, o, true)
	if added.label == "" {
		added.label, added.source, added.status, added.confidence = strings.TrimSpace(r.display()), b.source, b.status, b.confidence
	}
	return added
}

// row finds the row of a name and type, or adds one.
func (p *rows) row(r ref, o *ontology.Ontology, implied bool) *row {
	known, declared := canonical(r.typ, o)
	same := p.byID[r.id]
	for _, s := range same {
		switch {
		case s.explicit != r.explicit:
		case s.known == known, known == "", s.explicit:
			if s.known == "" {
				s.ref.typ, s.known, s.declared = r.typ, known, declared
			}
			return s
		case s.known == "":
			s.ref.typ, s.known, s.declared = r.typ, known, declared
			return s
		}
	}
	added := &row{ref: r, known: known, declared: declared, first: len(same) == 0, implied: implied, attributes: map[string]any{}}
	p.list = append(p.list, added)
	p.byID[r.id] = append(same, added)
	if r.nameID != "" {
		p.byName[r.nameID] = append(p.byName[r.nameID], added)
	}
	return added
}

// canonical gives a type's spelling in the ontology, or its own, and whether it
// was declared.
func canonical(typ string, o *ontology.Ontology) (string, bool) {
	if typ == "" {
		return "", false
	}
	if t, ok := o.Type(typ); ok {
		return t.Name, t.Declared()
	}
	return typ, false
}

// unregistered gives what the batch names and the ontology lacks.
func (b *batch) unregistered(o *ontology.Ontology) registration {
	types := map[string]*ontology.Type{} // by folded name
	var order []string
	note := func(typ string, attributes map[string]any) {
		t, ok := o.Type(typ)
		switch {
		case typ == "":
			t, _ = o.Type(ontology.Unknown)
			t.Name, ok = ontology.Unknown, true
		case !ok:
			t.Name = typ
		}
		var missing []string
		for a := range attributes {
			if !slices.Contains(t.Attributes, a) && attributes[a] != nil {
				missing = append(missing, a)
			}
		}
		if ok && len(missing) == 0 {
			return
		}
		key := ontology.Fold(t.Name)
		if types[key] == nil {
			types[key] = &ontology.Type{Name: t.Name, Origin: ontology.OriginAuto}
			order = append(order, key)
		}
		types[key].Attributes = append(types[key].Attributes, missing...)
	}
	for _, e := range b.entities {
		note(e.typ, e.attributes)
	}
	for _, f := range b.facts {
		note(f.about.typ, nil)
	}
	relations := map[string]string{}
	for _, r := range b.relations {
		note(r.from.typ, nil)
		note(r.to.typ, nil)
		if _, ok := o.Relation(r.typ); !ok {
			if key := ontology.Fold(r.typ); relations[key] == "" {
				relations[key] = r.typ
			}
		}
	}
	var reg registration
	slices.Sort(order)
	for _, key := range order {
		slices.Sort(types[key].Attributes)
		types[key].Attributes = slices.Compact(types[key].Attributes)
		reg.types = append(reg.types, *types[key])
	}
	for _, key := range slices.Sorted(maps.Keys(relations)) {
		reg.relations = append(reg.relations, ontology.Relation{Name: relations[key], Origin: ontology.OriginAuto})
	}
	return reg
}
