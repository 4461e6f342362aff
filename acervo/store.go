package acervo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// hotLimit is how many entities a session keeps hot, and warm; those used
// longest ago become cold first.
const hotLimit = 10_000

// found is an entity as the database has it after its row was stored.
type found struct {
	id        string
	layer     layers.Layer
	label     string
	typ       string
	declared  bool
	status    layers.Status
	verified  bool
	differing []string // attributes that the batch gives otherwise than a reference has them
	reference bool
	byAlias   bool
	created   bool
	completed bool
	changed   bool
}

func (f found) key() layers.Key { return layers.KeyOf(f.layer, f.id) }

// store runs the statements of a batch. It may be called again for the same
// batch after its transaction failed.
func (m *Memory) store(ctx context.Context, r runner, b *batch) (*UpsertResult, error) {
	s := storing{m: m, r: r, b: b, now: m.client.now(), ontology: m.client.snapshot(), result: newUpsertResult()}
	for _, step := range []func(context.Context) error{s.register, s.entities, s.aliases, s.relations, s.facts} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return s.result, nil
}

func newUpsertResult() *UpsertResult {
	return &UpsertResult{
		Entities: []EntityResult{}, Relations: []RelationResult{}, Facts: []FactResult{}, Implied: []EntityResult{},
		RegisteredTypes: []string{}, RegisteredRelations: []string{}, RegisteredAttributes: []string{},
	}
}

// storing is one attempt at a batch.
type storing struct {
	m        *Memory
	r        runner
	b        *batch
	now      time.Time
	ontology *ontology.Ontology
	rows     *rows
	found    map[*row]found
	stated   []batchFact       // attributes that became facts
	about    []*row            // what they are about
	statedOf map[*row][]string // facts that attributes became
	keptOf   map[*row][]string // attributes that a reference keeps
	result   *UpsertResult
}

// register brings what the batch names into the ontology. It comes first in
// every transaction, since registrations wait for each other.
func (s *storing) register(ctx context.Context) error {
	reg := s.b.unregistered(s.ontology)
	if reg.empty() {
		return nil
	}
	done, err := s.m.client.register(ctx, s.r, reg)
	if err != nil {
		return err
	}
	types, relations := s.ontology.Types(), s.ontology.Relations()
	for i, t := range done.types {
		types = append(types, t.Type)
		if t.created {
			s.result.RegisteredTypes = append(s.result.RegisteredTypes, t.Name)
		}
		s.result.RegisteredAttributes = append(s.result.RegisteredAttributes, reg.types[i].Attributes...)
	}
	for _, r := range done.relations {
		relations = append(relations, r.Relation)
		if r.created {
			s.result.RegisteredRelations = append(s.result.RegisteredRelations, r.Name)
		}
	}
	slices.Sort(s.result.RegisteredAttributes)
	s.result.RegisteredAttributes = slices.Compact(s.result.RegisteredAttributes)
	s.ontology = ontology.New(types, relations)
	return nil
}

// entities looks up and writes the rows of the batch.
func (s *storing) entities(ctx context.Context) error {
	s.rows = s.b.plan(s.ontology)
	s.found, s.statedOf, s.keptOf = make(map[*row]found, len(s.rows.list)), map[*row][]string{}, map[*row][]string{}
	if len(s.rows.list) == 0 {
		return nil
	}
	scope, other := s.m.owner, layers.WorldOwner
	if s.b.layer == layers.Universal {
		scope, other = layers.WorldOwner, s.m.owner
	}
	// Sorted, so that batches which overlap take their locks in one order.
	order := slices.Clone(s.rows.list)
	slices.SortStableFunc(order, func(a, b *row) int { return cmp.Compare(a.id, b.id) })
	place := make(map[*row]int64, len(s.rows.list))
	for i, r := range s.rows.list {
		place[r] = int64(i)
	}
	params := make([]map[string]any, len(order))
	for i, r := range order {
		encoded, err := s.encode(r, other)
		if err != nil {
			return err
		}
		encoded["i"] = place[r]
		params[i] = encoded
	}
	var session any
	if s.b.activate {
		session = s.m.session
	}
	records, err := s.r.run(ctx, cypher.EntityUpsert, map[string]any{
		"scope": scope, "layer": string(s.b.layer), "rows": params, "verified": s.m.world, "declared": s.ontology.DeclaredTypes(),
		"owner": s.m.owner, "session": session, "hot_limit": int64(hotLimit), "now": s.now,
	})
	if err != nil {
		return err
	}
	for _, item := range mapsOf(records[0].AsMap()["items"]) {
		r := s.rows.list[intOf(item["i"])]
		f := found{
			id: stringOf(item["id"]), layer: layers.Personal, label: stringOf(item["label"]), typ: stringOf(item["type"]),
			declared: boolOf(item["known"]), status: layers.Status(stringOf(item["status"])), reference: boolOf(item["reference"]),
			verified: boolOf(item["verified"]), differing: stringsOf(item["differing"]), byAlias: boolOf(item["by_alias"]), created: boolOf(item["created"]), completed: boolOf(item["completed"]), changed: boolOf(item["changed"]),
		}
		if boolOf(item["universal"]) {
			f.layer = layers.Universal
		}
		if r.declared && f.declared && r.known != f.typ && !r.explicit {
			return errRaced // it was made with another type after it was looked up
		}
		s.found[r] = f
	}
	for _, r := range s.rows.list {
		s.stateAttributes(r)
	}
	for _, r := range s.rows.entities {
		s.result.Entities = append(s.result.Entities, s.entityResult(r))
	}
	for _, r := range s.rows.list {
		if r.implied {
			s.result.Implied = append(s.result.Implied, s.entityResult(r))
		}
	}
	return nil
}

// encode gives a row as the statement takes it.
func (s *storing) encode(r *row, other string) (map[string]any, error) {
	typ, twin, alias := orNull(r.known), any(nil), orNull(r.nameID)
	known := cmp.Or(r.known, ontology.Unknown)
	if r.explicit {
		alias = nil
	} else if r.declared {
		id, err := ontology.Suffix(r.id, r.known)
		if err != nil {
			return nil, &FieldError{Item: "entity", Index: -1, Field: "name", Value: ontology.Shorten(r.name), Rule: "is too long to tell it from another entity of the same name", Err: err}
		}
		twin = id
	}
	// In a UNIVERSAL batch, what it lists is UNIVERSAL; only what it merely
	// names may be the owner's own.
	var elsewhere any = other
	if s.m.world || s.b.layer == layers.Universal && !r.implied {
		elsewhere = nil
	}
	aliases := make([]string, 0, len(r.aliases))
	for _, a := range r.aliases {
		if !slices.Contains(aliases, a.label) {
			aliases = append(aliases, a.label)
		}
	}
	attributes := r.attributes
	if attributes == nil {
		attributes = map[string]any{}
	}
	return map[string]any{
		"id": r.id, "explicit": r.explicit, "label": r.label, "type": typ, "known": known, "declared": r.declared,
		"twin": twin, "first": r.first, "other": elsewhere, "alias": alias, "labels": []string{s.b.layer.Label(), known},
		"source": r.source, "status": string(r.status), "confidence": r.confidence, "created_at": s.at(r.createdAt, 0), "attributes": attributes, "aliases": aliases,
	}, nil
}

// at is a time as the driver takes it, now plus some microseconds by default.
func (s *storing) at(t time.Time, offset int) time.Time {
	if t.IsZero() {
		return s.now.Add(time.Duration(offset) * time.Microsecond)
	}
	return inUTC(t)
}

// from is since when something is so: as it says, else when it was stated.
func (s *storing) from(validFrom, createdAt time.Time, offset int) time.Time {
	if validFrom.IsZero() {
		return s.at(createdAt, offset)
	}
	return inUTC(validFrom)
}

// stateAttributes makes facts of the owner of attributes that a batch gives to
// an entity of the UNIVERSAL layer which it may not write, where they differ.
func (s *storing) stateAttributes(r *row) {
	f := s.found[r]
	if !f.reference || f.layer != layers.Universal {
		return
	}
	for _, key := range slices.Sorted(slices.Values(f.differing)) {
		if r.attributes[key] == nil {
			s.keptOf[r] = append(s.keptOf[r], key)
			continue
		}
		text := fmt.Sprintf("%s: %v", key, r.attributes[key])
		s.statedOf[r] = append(s.statedOf[r], text)
		s.stated = append(s.stated, batchFact{text: text, source: layers.SourceUser, confidence: r.confidence})
		s.about = append(s.about, r)
	}
}

func (s *storing) entityResult(r *row) EntityResult {
	f := s.found[r]
	result := EntityResult{
		ID: f.id, Label: f.label, Type: f.typ, Layer: f.layer, Status: f.status,
		Created: f.created, Matched: !f.created, Completed: f.completed, Changed: f.changed, Reference: f.reference, Verified: f.verified,
	}
	if r.known != "" && f.typ != r.known && f.typ != ontology.Unknown {
		result.Conflict = &TypeConflict{Stored: f.typ, Given: r.known}
	}
	result.AttributeFacts, result.KeptAttributes = s.statedOf[r], s.keptOf[r]
	return result
}

// aliases notes the names that don't lead to an entity by its id.
func (s *storing) aliases(ctx context.Context) error {
	labels := map[alias]string{}
	for _, r := range s.rows.list {
		f := s.found[r]
		owner := s.m.owner
		if f.layer == layers.Universal && s.b.layer == layers.Universal && !f.reference {
			owner = layers.WorldOwner // what a UNIVERSAL batch says of it
		}
		add := func(id, label string) {
			if id != "" && id != f.id {
				labels[alias{owner, id, f.key()}] = label
			}
		}
		if !f.byAlias {
			add(r.nameID, cmp.Or(r.name, r.label))
		}
		for _, a := range r.aliases {
			add(a.id, a.label)
		}
	}
	return storeAliases(ctx, s.r, labels, "", s.now)
}

// alias is a name of an entity beside its id.
type alias struct {
	owner, id string
	entity    layers.Key
}

// storeAliases notes names with their spelling; via is the relation that they
// come from, if they do.
func storeAliases(ctx context.Context, r runner, labels map[alias]string, via string, now time.Time) error {
	if len(labels) == 0 {
		return nil
	}
	order := slices.SortedFunc(maps.Keys(labels), func(a, b alias) int {
		return cmp.Or(strings.Compare(a.owner, b.owner), strings.Compare(a.id, b.id), strings.Compare(string(a.entity), string(b.entity)))
	})
	params := make([]map[string]any, len(order))
	for i, a := range order {
		params[i] = map[string]any{"owner": a.owner, "id": a.id, "entity": string(a.entity), "label": labels[a], "via": orNull(via)}
	}
	if _, err := r.run(ctx, cypher.AliasUpsert, map[string]any{"rows": params, "now": now}); err != nil {
		return err
	}
	// An owner's name of a UNIVERSAL entity is a use of it.
	var references []map[string]any
	for _, a := range order {
		if layer, id, _ := a.entity.Split(); layer == layers.Universal && a.owner != layers.WorldOwner {
			references = append(references, map[string]any{"owner": a.owner, "id": id})
		}
	}
	if len(references) == 0 {
		return nil
	}
	slices.SortStableFunc(references, func(a, b map[string]any) int { return cmp.Compare(a["id"].(string), b["id"].(string)) })
	_, err := r.run(ctx, cypher.ReferenceTouch, map[string]any{"rows": references})
	return err
}

// relations writes the relations of the batch, a statement for each type.
func (s *storing) relations(ctx context.Context) error {
	type relation struct{ typ, from, to string }
	created := map[relation]bool{}
	groups := map[string][]map[string]any{}
	var references []map[string]any
	names := make([]relation, len(s.b.relations))
	for i, rel := range s.b.relations {
		from, to := s.found[s.rows.from[i]], s.found[s.rows.to[i]]
		if from.key() == to.key() {
			return &FieldError{Item: "relation", Index: i, Field: "to", Value: ontology.Shorten(rel.to.display()), Rule: selfRelation}
		}
		typ := rel.typ
		if known, ok := s.ontology.Relation(typ); ok {
			typ = known.Name
		}
		layer, source := layers.Combine(s.b.layer, from.layer, to.layer), rel.source
		if from.verified && to.verified && !s.m.world {
			layer = layers.Personal // verified knowledge isn't an owner's to add to
		}
		if layer == layers.Personal && source == layers.SourceWorld {
			source = layers.SourceUserAssertion // it was said in a UNIVERSAL batch
		}
		name := relation{typ, string(from.key()), string(to.key())}
		names[i] = name
		s.result.Relations = append(s.result.Relations, RelationResult{From: from.id, Type: typ, To: to.id, Layer: layer})
		if _, again := created[name]; again {
			continue
		}
		created[name] = false
		params := map[string]any{
			"i": int64(i), "type": typ, "owner": s.m.ownerIn(layer), "layer": string(layer),
			"from_owner": s.m.ownerIn(from.layer), "from_id": from.id, "to_owner": s.m.ownerIn(to.layer), "to_id": to.id,
			"source": source, "confidence": rel.confidence, "created_at": s.at(rel.createdAt, 0), "valid_from": s.from(rel.validFrom, rel.createdAt, 0),
		}
		groups[typ] = append(groups[typ], params)
		if reference := referenceOf(params, from.key(), to.key()); reference != nil {
			references = append(references, reference)
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(groups)) {
		slices.SortFunc(groups[typ], func(a, b map[string]any) int {
			return cmp.Or(cmp.Compare(a["from_id"].(string), b["from_id"].(string)), cmp.Compare(a["to_id"].(string), b["to_id"].(string)))
		})
		statement, ok := cypher.RelationUpsert.For(typ)
		if !ok {
			statement = cypher.RelationUpsertDynamic
		}
		records, err := s.r.run(ctx, statement, map[string]any{"rows": groups[typ], "now": s.now})
		if err != nil {
			return err
		}
		if len(records) < len(groups[typ]) {
			return errRaced // an entity was merged or removed after it was looked up
		}
		for _, record := range records {
			answer := record.AsMap()
			created[names[intOf(answer["i"])]] = boolOf(answer["created"])
		}
	}
	for i, name := range names {
		s.result.Relations[i].Created = created[name]
		created[name] = false // the same relation further on is there already
	}
	if len(references) > 0 {
		slices.SortStableFunc(references, func(a, b map[string]any) int { return cmp.Compare(a["id"].(string), b["id"].(string)) })
		if _, err := s.r.run(ctx, cypher.ReferenceUpsert, map[string]any{"rows": references, "now": s.now}); err != nil {
			return err
		}
	}
	if err := s.aliasRelations(ctx); err != nil {
		return err
	}
	return s.singleValued(ctx)
}

// aliasRelations lets the name of either end of an ALIAS_OF find both.
func (s *storing) aliasRelations(ctx context.Context) error {
	labels := map[alias]string{}
	for i, rel := range s.result.Relations {
		if rel.Type != aliasOf {
			continue
		}
		from, to, owner := s.found[s.rows.from[i]], s.found[s.rows.to[i]], s.m.ownerIn(rel.Layer)
		labels[alias{owner, from.id, to.key()}] = from.label
		labels[alias{owner, to.id, from.key()}] = to.label
	}
	return storeAliases(ctx, s.r, labels, aliasOf, s.now)
}

// aliasOf is the relation between two entities that either's name finds.
const aliasOf = "ALIAS_OF"

// singleValued ends the earlier relations of those that lead to one entity at a
// time.
func (s *storing) singleValued(ctx context.Context) error {
	stated := map[origin][]int{} // the relations of the batch, in its order
	var order []origin
	for i, rel := range s.result.Relations {
		if known, ok := s.ontology.Relation(rel.Type); ok && known.SingleValued {
			o := origin{s.m.ownerIn(rel.Layer), rel.Type, s.found[s.rows.from[i]].key()}
			if stated[o] == nil {
				order = append(order, o)
			}
			stated[o] = append(stated[o], i)
		}
	}
	slices.SortFunc(order, func(a, b origin) int {
		return cmp.Or(strings.Compare(a.typ, b.typ), strings.Compare(string(a.from), string(b.from)), strings.Compare(a.owner, b.owner))
	})
	for _, o := range order {
		lastStated := map[layers.Key]int{}
		for _, i := range stated[o] {
			lastStated[s.found[s.rows.to[i]].key()] = i + 1
		}
		ended, err := endEarlier(ctx, s.r, o, lastStated)
		if err != nil {
			return err
		}
		last := stated[o][len(stated[o])-1]
		s.result.Relations[last].Ended = ended
	}
	return nil
}

// referenceOf gives the reference that a relation needs, nil if both its ends
// are the owner's own. Its owner is that of the relation.
func referenceOf(relation map[string]any, from, to layers.Key) map[string]any {
	near, id, _ := from.Split()
	far, other, _ := to.Split()
	outgoing := near == layers.Universal
	if !outgoing {
		near, id, far, other = far, other, near, id
	}
	if near != layers.Universal {
		return nil
	}
	reference := map[string]any{"id": id, "other": other, "universal": far == layers.Universal, "outgoing": outgoing}
	for _, key := range []string{"owner", "type", "layer", "source", "confidence", "created_at", "valid_from"} {
		reference[key] = relation[key]
	}
	return reference
}

// facts writes the facts of the batch and those that attributes became.
func (s *storing) facts(ctx context.Context) error {
	facts := append(slices.Clone(s.b.facts), s.stated...)
	about := append(slices.Clone(s.rows.about), s.about...)
	if len(facts) == 0 {
		return nil
	}
	var params []map[string]any
	place := map[string]int{} // of the parameters of each key
	keys := make([]string, len(facts))
	for i, f := range facts {
		on := s.found[about[i]]
		layer := s.b.layer
		source, detail := f.source, f.detail
		switch {
		case s.m.world:
			layer = layers.Universal
		case on.layer == layers.Personal, on.verified, source != layers.SourceWorld:
			if layer == layers.Universal && source == layers.SourceWorld {
				source = layers.SourceUser // it was said in a UNIVERSAL batch
			}
			layer = layers.Personal
		case layer == layers.Universal:
			detail = "" // for nobody but the owner
		}
		owner, key := s.m.ownerIn(layer), on.key()
		keys[i] = factKey(owner, key, f.text)
		if i < len(s.b.facts) {
			s.result.Facts = append(s.result.Facts, FactResult{Entity: on.id, Text: f.text, Layer: layer})
		}
		at, again := place[keys[i]]
		if !again {
			at = len(params)
			place[keys[i]] = at
			row := factRow(owner, s.m.owner, key, f.text, source, s.at(f.createdAt, i), s.from(f.validFrom, f.createdAt, i))
			row["i"], row["confidence"] = int64(i), f.confidence
			params = append(params, row)
		}
		p := params[at]
		p["sources"] = with(p["sources"].([]string), source)
		p["details"] = with(p["details"].([]string), detail)
	}
	slices.SortFunc(params, func(a, b map[string]any) int {
		return cmp.Or(cmp.Compare(a["about"].(string), b["about"].(string)), cmp.Compare(a["key"].(string), b["key"].(string)))
	})
	records, err := s.r.run(ctx, cypher.FactUpsert, map[string]any{"rows": params})
	if err != nil {
		return err
	}
	if len(records) < len(params) {
		return errRaced // an entity was merged or removed after it was looked up
	}
	for _, record := range records {
		answer := record.AsMap()
		if i := intOf(answer["i"]); i < int64(len(s.result.Facts)) {
			s.result.Facts[i].Created, s.result.Facts[i].GainedSource = boolOf(answer["created"]), boolOf(answer["gained"])
		}
	}
	return nil
}

// with adds a string to a list that doesn't hold it; empty ones are left out.
func with(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// factKey is what makes a statement of an owner about an entity unique.
func factKey(owner string, about layers.Key, text string) string {
	h := sha256.New()
	for _, part := range []string{owner, string(about), ontology.FactKey(text)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}
