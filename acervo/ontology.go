package acervo

import (
	"context"
	"fmt"
	"slices"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// RegisterTypeParams names a type of entities.
type RegisterTypeParams struct {
	// Name is the type's name. If it is known, in whatever case and with whatever
	// accents, the known spelling stays.
	Name string
	// Attributes are names of attributes, added to those that the type has.
	Attributes []string
	// LayerDefault is the layer that such entities usually belong to. Default: unset.
	LayerDefault layers.Layer
}

// RegisterTypeResult says what became of a type.
type RegisterTypeResult struct {
	Type ontology.Type `json:"type"`
	// Created is false if the type was known.
	Created bool `json:"created"`
}

// RegisterRelationParams names a relation.
type RegisterRelationParams struct {
	// Name is the relation's name. If it is known, in whatever case and with
	// whatever accents, the known spelling stays.
	Name string
	// SingleValued says whether such a relation leads from one entity to one other
	// at a time, as VIVE_EN (lives in) does: a new target then ends the earlier
	// one. Default: as it is; a new relation isn't.
	SingleValued *bool
}

// RegisterRelationResult says what became of a relation.
type RegisterRelationResult struct {
	Relation ontology.Relation `json:"relation"`
	// Created is false if the relation was known.
	Created bool `json:"created"`
}

// RegisterType makes a type known to every client of the database, and lets it
// tell homonyms apart. It fails with ErrInvalid if a name isn't allowed.
func (c *Client) RegisterType(ctx context.Context, params RegisterTypeParams) (*RegisterTypeResult, error) {
	var result *RegisterTypeResult
	err := c.registering(ctx, "register type", params.check(), func(r runner) (err error) {
		result, err = c.registerType(ctx, r, params)
		return err
	})
	return result, err
}

// RegisterTypeTx is [Client.RegisterType] in a transaction of the caller. Until
// it is committed, other registrations wait for it.
func (c *Client) RegisterTypeTx(ctx context.Context, tx Tx, params RegisterTypeParams) (*RegisterTypeResult, error) {
	if err := joinFaults(params.check()); err != nil {
		return nil, fmt.Errorf("register type: %w", err)
	}
	result, err := c.registerType(ctx, c.joined(tx), params)
	if err != nil {
		return nil, fmt.Errorf("register type: %w", classify(ctx, err))
	}
	return result, nil
}

// RegisterRelation makes a relation known to every client of the database. It
// fails with ErrInvalid if the name isn't allowed.
func (c *Client) RegisterRelation(ctx context.Context, params RegisterRelationParams) (*RegisterRelationResult, error) {
	var result *RegisterRelationResult
	err := c.registering(ctx, "register relation", params.check(), func(r runner) (err error) {
		result, err = c.registerRelation(ctx, r, params)
		return err
	})
	return result, err
}

// RegisterRelationTx is [Client.RegisterRelation] in a transaction of the caller.
// Until it is committed, other registrations wait for it.
func (c *Client) RegisterRelationTx(ctx context.Context, tx Tx, params RegisterRelationParams) (*RegisterRelationResult, error) {
	if err := joinFaults(params.check()); err != nil {
		return nil, fmt.Errorf("register relation: %w", err)
	}
	result, err := c.registerRelation(ctx, c.joined(tx), params)
	if err != nil {
		return nil, fmt.Errorf("register relation: %w", classify(ctx, err))
	}
	return result, nil
}

// Types lists the types as they are in the database now, by name.
func (c *Client) Types(ctx context.Context) ([]ontology.Type, error) {
	o, err := c.refresh(ctx)
	if err != nil {
		return nil, fmt.Errorf("types: %w", err)
	}
	return o.Types(), nil
}

// RelationNames lists the relations as they are in the database now, by name.
func (c *Client) RelationNames(ctx context.Context) ([]ontology.Relation, error) {
	o, err := c.refresh(ctx)
	if err != nil {
		return nil, fmt.Errorf("relation names: %w", err)
	}
	return o.Relations(), nil
}

func (c *Client) registering(ctx context.Context, what string, faults []*FieldError, work func(r runner) error) error {
	if err := joinFaults(faults); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := c.prepare(ctx); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := c.write(ctx, cypher.OntologyRegister.Name, work); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if _, err := c.refresh(ctx); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (c *Client) registerType(ctx context.Context, r runner, params RegisterTypeParams) (*RegisterTypeResult, error) {
	name := params.Name
	if known, ok := c.snapshot().Type(name); ok {
		name = known.Name // an English name of a built-in type is that type
	}
	done, err := c.register(ctx, r, registration{types: []ontology.Type{{
		Name: name, Attributes: params.Attributes, LayerDefault: string(params.LayerDefault), Origin: ontology.OriginRegistered,
	}}})
	if err != nil {
		return nil, err
	}
	return &RegisterTypeResult{Type: done.types[0].Type, Created: done.types[0].created}, nil
}

func (c *Client) registerRelation(ctx context.Context, r runner, params RegisterRelationParams) (*RegisterRelationResult, error) {
	name := params.Name
	if known, ok := c.snapshot().Relation(name); ok {
		name = known.Name
	}
	done, err := c.register(ctx, r, registration{
		relations: []ontology.Relation{{Name: name, Origin: ontology.OriginRegistered}}, singleValued: params.SingleValued,
	})
	if err != nil {
		return nil, err
	}
	return &RegisterRelationResult{Relation: done.relations[0].Relation, Created: done.relations[0].created}, nil
}

func (p RegisterTypeParams) check() []*FieldError {
	var faults []*FieldError
	if ontology.IsUnknown(p.Name) {
		faults = append(faults, &FieldError{Index: -1, Field: "name", Value: ontology.Shorten(p.Name), Rule: "says that the type isn't known"})
	} else if err := ontology.CheckType(p.Name); err != nil {
		faults = append(faults, fault("", -1, "name", err))
	}
	for _, a := range p.Attributes {
		if err := ontology.CheckAttribute(a); err != nil {
			faults = append(faults, fault("", -1, "attributes", err))
		}
	}
	if p.LayerDefault != "" {
		if _, err := layers.ParseLayer(string(p.LayerDefault)); err != nil {
			faults = append(faults, fault("", -1, "layer_default", err))
		}
	}
	return faults
}

func (p RegisterRelationParams) check() []*FieldError {
	if err := ontology.CheckRelation(p.Name); err != nil {
		return []*FieldError{fault("", -1, "name", err)}
	}
	return nil
}

// registration is what has to be in the ontology.
type registration struct {
	types     []ontology.Type
	relations []ontology.Relation
	// singleValued is set for the relations by hand; nil leaves them as they are.
	singleValued *bool
}

func (r registration) empty() bool { return len(r.types)+len(r.relations) == 0 }

// registered is what is in the ontology now, in the order of the registration.
type registered struct {
	types     []registeredType
	relations []registeredRelation
}

type registeredType struct {
	ontology.Type
	created bool
}

type registeredRelation struct {
	ontology.Relation
	created bool
}

// register puts types and relations into the ontology. Names registered
// automatically are counted against the limit; past it the transaction has to
// be rolled back, so the error must be passed on.
func (c *Client) register(ctx context.Context, r runner, reg registration) (registered, error) {
	typeRows := make([]map[string]any, len(reg.types))
	for i, t := range reg.types {
		attributes := t.Attributes
		if attributes == nil {
			attributes = []string{}
		}
		typeRows[i] = map[string]any{"key": ontology.Fold(t.Name), "name": t.Name, "attributes": attributes, "layer_default": orNull(t.LayerDefault), "origin": string(t.Origin)}
	}
	relationRows := make([]map[string]any, len(reg.relations))
	for i, rel := range reg.relations {
		row := map[string]any{"key": ontology.Fold(rel.Name), "name": rel.Name, "origin": string(rel.Origin), "single_valued": nil}
		switch {
		case reg.singleValued != nil:
			row["single_valued"] = *reg.singleValued
		case rel.Origin == ontology.OriginBuiltin:
			row["single_valued"] = rel.SingleValued
		}
		relationRows[i] = row
	}
	records, err := r.run(ctx, cypher.OntologyRegister, map[string]any{
		"types": typeRows, "relations": relationRows, "builtin": builtinAttributes(), "now": c.now(),
	})
	if err != nil {
		return registered{}, err
	}
	m := records[0].AsMap()
	var done registered
	var newTypes, newRelations, newAttributes []string
	for i, row := range registerRows(m["types"]) {
		done.types = append(done.types, registeredType{row.asType(), row.created})
		if reg.types[i].Origin != ontology.OriginAuto {
			continue
		}
		if row.created {
			newTypes = append(newTypes, row.name)
		}
		newAttributes = append(newAttributes, reg.types[i].Attributes...)
	}
	for i, row := range registerRows(m["relations"]) {
		done.relations = append(done.relations, registeredRelation{row.asRelation(), row.created})
		if reg.relations[i].Origin == ontology.OriginAuto && row.created {
			newRelations = append(newRelations, row.name)
		}
	}
	limit := int64(c.opts.MaxRegistered)
	switch {
	case intOf(m["auto_types"]) > limit && len(newTypes) > 0:
		return done, &LimitError{Kind: "type", Names: newTypes, Limit: c.opts.MaxRegistered}
	case intOf(m["auto_relations"]) > limit && len(newRelations) > 0:
		return done, &LimitError{Kind: "relation", Names: newRelations, Limit: c.opts.MaxRegistered}
	case intOf(m["auto_attributes"]) > limit && len(newAttributes) > 0:
		return done, &LimitError{Kind: "attribute", Names: newAttributes, Limit: c.opts.MaxRegistered}
	}
	return done, nil
}

// registerRow is one type or relation as the database has it.
type registerRow struct {
	name, layerDefault string
	attributes         []string
	origin             ontology.Origin
	singleValued       bool
	created            bool
}

func (r registerRow) asType() ontology.Type {
	return ontology.Type{Name: r.name, Attributes: r.attributes, LayerDefault: r.layerDefault, Origin: r.origin}
}

func (r registerRow) asRelation() ontology.Relation {
	return ontology.Relation{Name: r.name, Origin: r.origin, SingleValued: r.singleValued}
}

func registerRows(v any) []registerRow {
	var rows []registerRow
	for _, m := range mapsOf(v) {
		rows = append(rows, registerRow{
			name:         stringOf(m["name"]),
			layerDefault: stringOf(m["layer_default"]),
			attributes:   stringsOf(m["attributes"]),
			origin:       ontology.Origin(stringOf(m["origin"])),
			singleValued: boolOf(m["single_valued"]),
			created:      boolOf(m["created"]),
		})
	}
	return rows
}

// builtinAttributes are the attribute names that aren't counted against the limit.
func builtinAttributes() []string {
	var names []string
	for _, t := range ontology.BuiltinTypes() {
		names = append(names, t.Attributes...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// snapshot gives the ontology as this client last read it.
func (c *Client) snapshot() *ontology.Ontology {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ontology == nil {
		return ontology.Builtin()
	}
	return c.ontology
}

// knowOntology reads the ontology in a transaction of the caller if this client
// never did.
func (c *Client) knowOntology(ctx context.Context, r runner) error {
	c.mu.Lock()
	known := c.ontology != nil
	c.mu.Unlock()
	if known {
		return nil
	}
	o, err := readOntology(ctx, r)
	if err != nil {
		return err
	}
	c.setOntology(o)
	return nil
}

func (c *Client) setOntology(o *ontology.Ontology) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ontology = o
}

// refresh reads the ontology anew.
func (c *Client) refresh(ctx context.Context) (*ontology.Ontology, error) {
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	o, err := c.loadOntology(ctx)
	if err != nil {
		return nil, err
	}
	c.setOntology(o)
	return o, nil
}

func (c *Client) loadOntology(ctx context.Context) (*ontology.Ontology, error) {
	var o *ontology.Ontology
	err := c.read(ctx, cypher.OntologyLoad.Name, func(r runner) (err error) {
		o, err = readOntology(ctx, r)
		return err
	})
	return o, err
}

func readOntology(ctx context.Context, r runner) (*ontology.Ontology, error) {
	records, err := r.run(ctx, cypher.OntologyLoad, nil)
	if err != nil {
		return nil, err
	}
	m := records[0].AsMap()
	var types []ontology.Type
	for _, row := range registerRows(m["types"]) {
		types = append(types, row.asType())
	}
	var relations []ontology.Relation
	for _, row := range registerRows(m["relations"]) {
		relations = append(relations, row.asRelation())
	}
	return ontology.New(types, relations), nil
}
