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

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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
	if err := s.register(ctx); err != nil {
		return nil, err
	}
	s.plan()
	relations, facts, _ := s.together(s.rows.list)
	if err := s.entities(ctx, s.rows.list, relations, facts); err != nil {
		return nil, err
	}
	s.entityResults()
	if err := s.aliases(ctx, s.rows.list); err != nil {
		return nil, err
	}
	if s.whole {
		return s.result, s.settle(ctx)
	}
	if err := s.relations(ctx, numbers(len(b.relations))); err != nil {
		return nil, err
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	return s.result, s.facts(ctx, numbers(len(s.stated)))
}

func newUpsertResult() *UpsertResult {
	return &UpsertResult{
		Entities: []EntityResult{}, Relations: []RelationResult{}, Facts: []FactResult{}, Implied: []EntityResult{},
		RegisteredTypes: []string{}, RegisteredRelations: []string{}, RegisteredAttributes: []string{},
	}
}

// numbers are those from 0 to below n.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// storeOnce stores a batch by one statement and no transaction function, if all of
// it is plain; else it gives nil, and nothing is written.
func (m *Memory) storeOnce(ctx context.Context, b *batch) (*UpsertResult, error) {
	var result *UpsertResult
	s := storing{m: m, b: b, ontology: m.client.snapshot()}
	if !s.plain() {
		return nil, nil
	}
	err := m.client.once(ctx, neo4j.AccessModeWrite, cypher.EntityUpsertPlain.Name, func(r runner) error {
		s := s
		s.r, s.now, s.result = r, m.client.now(), newUpsertResult()
		s.plan()
		stored, err := s.storePlain(ctx)
		if stored {
			s.entityResults()
			result = s.result
		}
		return err
	})
	return result, err
}

// storePlain stores a batch by one statement if all of it is plain, as
// entity/upsert_plain says, and reports whether it did.
func (s *storing) storePlain(ctx context.Context) (bool, error) {
	list := sortedByID(s.rows.list)
	if len(list) == 0 || len(s.rows.byID) < len(list) {
		return false, nil
	}
	relations, facts, ok := s.together(list)
	if !ok {
		return false, nil
	}
	rows := make([]map[string]any, len(list))
	for i, r := range list {
		twin, err := s.twin(r)
		if err != nil {
			return false, err
		}
		typ, status := r.begins()
		rows[i] = map[string]any{
			"id": r.id, "label": r.label, "type": orNull(r.known), "known": typ, "twin": twin, "labels": []string{layers.Personal.Label(), typ},
			"source": r.source, "status": string(status), "confidence": r.confidence, "created_at": s.at(r.createdAt, 0), "attributes": r.attributes,
		}
	}
	named := make([]string, len(s.rows.list)) // what was named first is first in the session
	for i, r := range s.rows.list {
		named[i] = string(layers.KeyOf(layers.Personal, r.id))
	}
	records, err := s.r.run(ctx, cypher.EntityUpsertPlain, map[string]any{"batch": map[string]any{
		"owner": s.m.owner, "owner_digest": ownerDigest(s.m.owner), "rows": rows, "relations": sortedRelations(relations), "facts": facts,
		"session": s.session(), "named": named, "hot_limit": int64(hotLimit), "now": s.now,
	}})
	switch {
	case codeOf(err) == "Neo.ClientError.Statement.ArithmeticError":
		return false, errRaced
	case err != nil || len(records) == 0:
		return false, err
	}
	answer := records[0].AsMap()
	for i, entity := range listsOf(answer["entities"]) {
		r := list[i]
		r.found = found{
			id: r.id, layer: layers.Personal, label: stringOf(entity[0]), typ: stringOf(entity[1]), status: layers.Status(stringOf(entity[2])),
			created: boolOf(entity[3]), completed: boolOf(entity[4]), changed: boolOf(entity[5]),
		}
	}
	s.noteStored(answer)
	return true, nil
}

// noteStored notes which relations and facts are new.
func (s *storing) noteStored(answer map[string]any) {
	for _, relation := range listsOf(answer["relations"]) {
		s.result.Relations[intOf(relation[0])].Created = boolOf(relation[1])
	}
	for _, fact := range listsOf(answer["facts"]) {
		f := &s.result.Facts[intOf(fact[0])]
		f.Created, f.GainedSource = boolOf(fact[1]), boolOf(fact[2])
	}
}

// plain reports whether a batch may be plain, as entity/upsert_plain says: there is
// nothing in it that other statements have to store.
func (s *storing) plain() bool {
	if s.b.layer != layers.Personal || !s.b.activate && len(s.b.entities) >= bulk || !s.b.unregistered(s.ontology).empty() {
		return false
	}
	named := func(r ref) bool { return r.nameID == "" || r.nameID == r.id }
	for _, e := range s.b.entities {
		if len(e.aliases) > 0 || !named(e.ref) {
			return false
		}
	}
	for _, rel := range s.b.relations {
		known, ok := s.ontology.Relation(rel.typ)
		if !ok || known.SingleValued || known.Name == aliasOf || !named(rel.from) || !named(rel.to) {
			return false
		}
	}
	return !slices.ContainsFunc(s.b.facts, func(f batchFact) bool { return !named(f.about) })
}

// storing is one attempt at a batch, or at a part of it: what the parts share is
// written by one of them at a time, or each part writes its own places of it.
type storing struct {
	m        *Memory
	r        runner
	b        *batch
	now      time.Time
	ontology *ontology.Ontology
	rows     *rows
	stated   []batchFact // the facts of the batch, then those that attributes became
	about    []*row      // of each stated fact
	whole    bool        // relations and facts were stored with the entities
	// overridden are the places of single-valued relations that the batch takes back.
	overridden map[int]bool
	result     *UpsertResult
}

// plan makes the rows of the batch.
func (s *storing) plan() {
	s.rows = s.b.plan(s.ontology)
	s.stated, s.about = slices.Clip(s.b.facts), slices.Clip(s.rows.about)
	s.result.Relations = make([]RelationResult, len(s.b.relations))
	s.result.Facts = make([]FactResult, len(s.b.facts))
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

// bulk is from how many rows on a batch looks up first what is there, since it
// is cheaper then to create what isn't.
const bulk = 200

// together gives the relations and facts of a batch as entity/upsert takes them, if
// it can store them. What they name has the place that it has in the list of rows,
// and is taken for what it most likely is.
func (s *storing) together(list []*row) (relations, facts []map[string]any, ok bool) {
	if s.b.layer != layers.Personal || !s.b.activate && len(list) >= bulk {
		return nil, nil, false
	}
	place := make(map[*row]int64, len(list))
	for i, r := range list {
		place[r] = int64(i)
		r.found = found{id: r.id, layer: layers.Personal}
	}
	s.override()
	first := map[relationName]bool{}
	for i := range s.b.relations {
		row, err := s.relationRow(i, first)
		if err != nil {
			return nil, nil, false // names that are the same, unless their types tell them apart
		}
		if row != nil {
			row["from"], row["to"] = place[s.rows.from[i]], place[s.rows.to[i]]
			relations = append(relations, row)
		}
	}
	facts = s.factRows(numbers(len(s.stated)))
	for _, row := range facts {
		row["entity"] = place[s.about[row["i"].(int64)]]
	}
	return relations, facts, true
}

// entities looks up and writes rows of the batch, and relations and facts with
// them where that can be.
func (s *storing) entities(ctx context.Context, list []*row, relations, facts []map[string]any) error {
	if len(list) == 0 {
		return nil
	}
	scope, other := s.m.owner, layers.WorldOwner
	if s.b.layer == layers.Universal {
		scope, other = layers.WorldOwner, s.m.owner
	}
	order := sortedByID(list)
	if !s.b.activate && len(order) >= bulk {
		var err error
		if order, err = s.create(ctx, order, scope, other); err != nil || len(order) == 0 {
			return err
		}
	}
	place := make(map[*row]int64, len(list)) // what was named first is first in the session
	for i, r := range list {
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
	records, err := s.r.run(ctx, cypher.EntityUpsert, map[string]any{"batch": map[string]any{
		"scope": scope, "scope_digest": ownerDigest(scope), "layer": string(s.b.layer), "rows": params, "verified": s.m.world, "declared": s.ontology.DeclaredTypes(),
		"owner": s.m.owner, "owner_digest": ownerDigest(s.m.owner), "session": s.session(), "hot_limit": int64(hotLimit), "now": s.now,
		"relations": sortedRelations(relations), "facts": facts,
	}})
	if err != nil {
		return err
	}
	answer := records[0].AsMap()
	s.whole = boolOf(answer["stored"]) && len(relations)+len(facts) > 0
	s.noteStored(answer)
	for _, item := range mapsOf(answer["items"]) {
		r := list[intOf(item["i"])]
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
		r.found = f
	}
	return nil
}

// sortedByID is a copy of a list of rows, sorted so that batches which overlap take
// their locks in one order.
func sortedByID(list []*row) []*row {
	return slices.SortedStableFunc(slices.Values(list), func(a, b *row) int { return cmp.Compare(a.id, b.id) })
}

// session is the session that the batch activates, null if it activates none.
func (s *storing) session() any {
	if !s.b.activate {
		return nil
	}
	return s.m.session
}

// create settles the plain ones of many rows and gives the others: it creates
// those that mean nothing which is there, and leaves those alone that say nothing
// new of an entity which has their id. A row that shares its name with another
// one of the batch is among the others.
func (s *storing) create(ctx context.Context, list []*row, scope, other string) ([]*row, error) {
	ids := make([]string, 0, 2*len(list))
	twins := make(map[*row]string, len(list))
	for _, r := range list {
		ids = append(ids, r.id)
		if r.explicit {
			continue
		}
		if r.declared {
			if twin, err := ontology.Suffix(r.id, r.known); err == nil {
				twins[r] = twin
				ids = append(ids, twin)
			}
		}
	}
	records, err := s.r.run(ctx, cypher.EntityKnown, map[string]any{"scope": scope, "other": other, "ids": ids})
	if err != nil {
		return nil, err
	}
	answer := records[0].AsMap()
	known := knownEntities{byID(answer["there"]), byID(answer["otherwise"]), map[string]bool{}}
	for _, id := range stringsOf(answer["aliases"]) {
		known.aliases[id] = true
	}
	var others []*row
	params := make([]map[string]any, 0, len(list))
	for _, r := range list {
		e, there := known.there[r.id]
		switch {
		case len(s.rows.byID[r.id]) > 1:
			others = append(others, r)
		case there && r.addsNothing(e):
			r.found = e.found(s.b.layer)
			r.found.reference = r.found.verified && !s.m.world
			_, r.found.declared = canonical(r.found.typ, s.ontology)
		case known.means(r.id) || known.means(twins[r]):
			others = append(others, r)
		default:
			params = append(params, s.fresh(r, scope))
		}
	}
	if len(params) == 0 {
		return others, nil
	}
	_, err = s.r.run(ctx, cypher.EntityCreate, map[string]any{"rows": params})
	return others, err
}

// knownEntities are the entities that some ids mean.
type knownEntities struct {
	there, otherwise map[string]knownEntity
	aliases          map[string]bool
}

func (k knownEntities) means(id string) bool {
	_, there := k.there[id]
	_, otherwise := k.otherwise[id]
	return there || otherwise || k.aliases[id]
}

type knownEntity struct {
	id, label, typ string
	status         layers.Status
	verified       bool
	confidence     any
}

func byID(list any) map[string]knownEntity {
	entities := map[string]knownEntity{}
	for _, e := range mapsOf(list) {
		id := stringOf(e["id"])
		entities[id] = knownEntity{id, stringOf(e["label"]), stringOf(e["type"]), layers.Status(stringOf(e["status"])), boolOf(e["verified"]), e["confidence"]}
	}
	return entities
}

func (e knownEntity) found(layer layers.Layer) found {
	return found{id: e.id, layer: layer, label: e.label, typ: e.typ, status: e.status, verified: e.verified}
}

// addsNothing reports whether a row says nothing of an entity that isn't known.
func (r *row) addsNothing(e knownEntity) bool {
	return (r.known == "" || r.known == e.typ) && len(r.attributes)+len(r.aliases) == 0 && (r.confidence == nil || r.confidence == e.confidence)
}

// fresh is a row of an entity that isn't there, as the statement takes it that
// creates entities.
func (s *storing) fresh(r *row, scope string) map[string]any {
	typ, status := r.begins()
	pending := []string{}
	if r.known == "" {
		pending = []string{"tipo"}
	}
	r.found = found{
		id: r.id, layer: s.b.layer, label: r.label, typ: typ, declared: r.declared,
		status: status, created: true, changed: true,
	}
	held := make(map[string]any, len(r.attributes)+12)
	maps.Copy(held, r.attributes)
	maps.Copy(held, map[string]any{
		"owner": scope, "owner_digest": ownerDigest(scope), "id": r.id, "label": r.label, "type": r.found.typ, "layer": string(s.b.layer), "source": r.source, "status": string(status),
		"confidence_for_owner": r.confidence, "pending_fields": pending, "aliases": r.aliasLabels(), "created_at": s.at(r.createdAt, 0), "updated_at": s.now,
	})
	if r.confidence == nil {
		held["confidence_for_owner"] = 1.0
	}
	return map[string]any{"labels": []string{s.b.layer.Label(), r.found.typ}, "held": held}
}

// begins gives the type and the status of the row's entity if it is new.
func (r *row) begins() (typ string, status layers.Status) {
	if r.known == "" {
		return ontology.Unknown, layers.Incomplete
	}
	return r.known, r.status
}

// entityResults says what became of the rows, and makes facts of attributes that
// a reference holds otherwise.
func (s *storing) entityResults() {
	for _, r := range s.rows.list {
		s.stateAttributes(r)
	}
	for _, r := range s.rows.entities {
		s.result.Entities = append(s.result.Entities, r.result())
	}
	for _, r := range s.rows.list {
		if r.implied {
			s.result.Implied = append(s.result.Implied, r.result())
		}
	}
}

// encode gives a row as the statement takes it.
func (s *storing) encode(r *row, other string) (map[string]any, error) {
	typ, alias := orNull(r.known), orNull(r.nameID)
	known := cmp.Or(r.known, ontology.Unknown)
	if r.explicit {
		alias = nil
	}
	twin, err := s.twin(r)
	if err != nil {
		return nil, err
	}
	// In a UNIVERSAL batch, what it lists is UNIVERSAL; only what it merely
	// names may be the owner's own.
	var elsewhere any = other
	if s.m.world || s.b.layer == layers.Universal && !r.implied {
		elsewhere = nil
	}
	return map[string]any{
		"id": r.id, "explicit": r.explicit, "label": r.label, "type": typ, "known": known, "declared": r.declared,
		"twin": twin, "first": r.first, "other": elsewhere, "alias": alias, "labels": []string{s.b.layer.Label(), known},
		"source": r.source, "status": string(r.status), "confidence": r.confidence, "created_at": s.at(r.createdAt, 0), "attributes": r.attributes, "aliases": r.aliasLabels(),
	}, nil
}

// twin is the id that a homonym of the row's type has, null if it can't have one.
func (s *storing) twin(r *row) (any, error) {
	if r.explicit || !r.declared {
		return nil, nil
	}
	id, err := ontology.Suffix(r.id, r.known)
	if err != nil {
		return nil, &FieldError{Item: "entity", Index: -1, Field: "name", Value: ontology.Shorten(r.name), Rule: "is too long to tell it from another entity of the same name", Err: err}
	}
	return id, nil
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
	switch {
	case !validFrom.IsZero():
		return inUTC(validFrom)
	case createdAt.After(s.now): // of an import; nothing is so from a time to come on
		return s.at(time.Time{}, offset)
	}
	return s.at(createdAt, offset)
}

// stateAttributes makes facts of the owner of attributes that a batch gives to
// an entity of the UNIVERSAL layer which it may not write, where they differ.
func (s *storing) stateAttributes(r *row) {
	r.attributeFacts, r.keptAttributes = nil, nil
	if !r.found.reference || r.found.layer != layers.Universal {
		return
	}
	for _, key := range slices.Sorted(slices.Values(r.found.differing)) {
		if r.attributes[key] == nil {
			r.keptAttributes = append(r.keptAttributes, key)
			continue
		}
		text := fmt.Sprintf("%s: %v", key, r.attributes[key])
		r.attributeFacts = append(r.attributeFacts, text)
		s.stated = append(s.stated, batchFact{text: text, source: layers.SourceUser, confidence: r.confidence})
		s.about = append(s.about, r)
	}
}

func (r *row) result() EntityResult {
	f := r.found
	result := EntityResult{
		ID: f.id, Label: f.label, Type: f.typ, Layer: f.layer, Status: f.status,
		Created: f.created, Matched: !f.created, Completed: f.completed, Changed: f.changed, Reference: f.reference, Verified: f.verified,
		AttributeFacts: r.attributeFacts, KeptAttributes: r.keptAttributes,
	}
	if r.known != "" && f.typ != r.known && f.typ != ontology.Unknown {
		result.Conflict = &TypeConflict{Stored: f.typ, Given: r.known}
	}
	return result
}

// aliases notes the names that don't lead to an entity by its id.
func (s *storing) aliases(ctx context.Context, list []*row) error {
	labels := map[alias]string{}
	for _, r := range list {
		f := r.found
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
		params[i] = map[string]any{"owner": a.owner, "owner_digest": ownerDigest(a.owner), "id": a.id, "entity": string(a.entity), "label": labels[a], "via": orNull(via)}
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

// relationName is what makes a relation of an owner unique.
type relationName struct {
	typ      string
	from, to layers.Key
}

func (s *storing) relationType(i int) (name string, singleValued bool) {
	known, ok := s.ontology.Relation(s.b.relations[i].typ)
	if !ok {
		return s.b.relations[i].typ, false
	}
	return known.Name, known.SingleValued
}

func (s *storing) relationLayer(i int) layers.Layer {
	from, to := s.rows.from[i].found, s.rows.to[i].found
	if from.verified && to.verified && !s.m.world {
		return layers.Personal // verified knowledge isn't an owner's to add to
	}
	return layers.Combine(s.b.layer, from.layer, to.layer)
}

// override finds the single-valued relations which the batch takes back by another
// one, without saying of either since when it is so: they aren't stored, so that the
// same batch again changes nothing.
func (s *storing) override() {
	s.overridden = map[int]bool{}
	last := map[origin]layers.Key{}
	for i := len(s.b.relations) - 1; i >= 0; i-- {
		rel := &s.b.relations[i]
		typ, single := s.relationType(i)
		if !single || !rel.validFrom.IsZero() || !rel.createdAt.IsZero() {
			continue
		}
		o, to := origin{s.m.ownerIn(s.relationLayer(i)), typ, s.rows.from[i].found.key()}, s.rows.to[i].found.key()
		if target, ok := last[o]; !ok {
			last[o] = to
		} else if target != to {
			s.overridden[i] = true
		}
	}
}

// relationRow gives a relation as its statements take it, nil if the batch said
// it before, or takes it back.
func (s *storing) relationRow(i int, said map[relationName]bool) (map[string]any, error) {
	rel := s.b.relations[i]
	from, to := s.rows.from[i].found, s.rows.to[i].found
	if from.key() == to.key() {
		return nil, &FieldError{Item: "relation", Index: i, Field: "to", Value: ontology.Shorten(rel.to.display()), Rule: selfRelation}
	}
	typ, _ := s.relationType(i)
	layer, source := s.relationLayer(i), rel.source
	if layer == layers.Personal && source == layers.SourceWorld {
		source = layers.SourceUserAssertion // it was said in a UNIVERSAL batch
	}
	s.result.Relations[i] = RelationResult{From: from.id, Type: typ, To: to.id, Layer: layer}
	name := relationName{typ, from.key(), to.key()}
	if said[name] {
		return nil, nil
	}
	said[name] = true
	if s.overridden[i] {
		s.result.Relations[i].Ended = []string{to.id}
		return nil, nil
	}
	return map[string]any{
		"i": int64(i), "type": typ, "owner": s.m.ownerIn(layer), "layer": string(layer),
		"from_owner": s.m.ownerIn(from.layer), "from_id": from.id, "to_owner": s.m.ownerIn(to.layer), "to_id": to.id,
		"source": source, "confidence": rel.confidence, "created_at": s.at(rel.createdAt, 0), "valid_from": s.from(rel.validFrom, rel.createdAt, 0),
	}, nil
}

// relations writes relations of the batch: in one statement those of an entity
// that was made just now, which can't be there yet, and else a statement for each
// type.
func (s *storing) relations(ctx context.Context, list []int) error {
	s.override()
	said := map[relationName]bool{}
	groups := map[string][]map[string]any{}
	var fresh, references []map[string]any
	for _, i := range list {
		params, err := s.relationRow(i, said)
		if err != nil {
			return err
		}
		if params == nil {
			continue
		}
		from, to := s.rows.from[i].found, s.rows.to[i].found
		if from.created || to.created {
			fresh = append(fresh, params)
		} else {
			typ := s.result.Relations[i].Type
			groups[typ] = append(groups[typ], params)
		}
		if reference := referenceOf(params, from.key(), to.key()); reference != nil {
			references = append(references, reference)
		}
	}
	if err := s.relate(ctx, cypher.RelationCreate, fresh); err != nil {
		return err
	}
	for _, typ := range slices.Sorted(maps.Keys(groups)) {
		statement, ok := cypher.RelationUpsert.For(typ)
		if !ok {
			statement = cypher.RelationUpsertDynamic
		}
		if err := s.relate(ctx, statement, groups[typ]); err != nil {
			return err
		}
	}
	if len(references) == 0 {
		return nil
	}
	slices.SortStableFunc(references, func(a, b map[string]any) int { return cmp.Compare(a["id"].(string), b["id"].(string)) })
	_, err := s.r.run(ctx, cypher.ReferenceUpsert, map[string]any{"rows": references, "now": s.now})
	return err
}

// relate runs a statement for relations and notes which of them are new.
func (s *storing) relate(ctx context.Context, statement cypher.Statement, params []map[string]any) error {
	if len(params) == 0 {
		return nil
	}
	records, err := s.r.run(ctx, statement, map[string]any{"rows": sortedRelations(params), "now": s.now})
	if err != nil {
		return err
	}
	if len(records) < len(params) {
		return errRaced // an entity was merged or removed after it was looked up
	}
	for _, record := range records {
		answer := record.AsMap()
		s.result.Relations[intOf(answer["i"])].Created = boolOf(answer["created"])
	}
	return nil
}

// sortedRelations sorts rows by the entities whose locks they take.
func sortedRelations(rows []map[string]any) []map[string]any {
	slices.SortStableFunc(rows, func(a, b map[string]any) int {
		return cmp.Or(cmp.Compare(a["from_id"].(string), b["from_id"].(string)), cmp.Compare(a["to_id"].(string), b["to_id"].(string)))
	})
	return rows
}

// settle does what relations bring with them: names, and the ends of others.
func (s *storing) settle(ctx context.Context) error {
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
		from, to, owner := s.rows.from[i].found, s.rows.to[i].found, s.m.ownerIn(rel.Layer)
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
	stated := map[origin]map[layers.Key]int{} // the places of the last ones of the batch, from 1
	last, made := map[origin]int{}, map[origin]bool{}
	for i, rel := range s.result.Relations {
		if _, single := s.relationType(i); !single || s.overridden[i] {
			continue
		}
		from := s.rows.from[i].found
		o := origin{s.m.ownerIn(rel.Layer), rel.Type, from.key()}
		if stated[o] == nil {
			stated[o] = map[layers.Key]int{}
		}
		stated[o][s.rows.to[i].found.key()] = i + 1
		last[o], made[o] = i, from.created
	}
	// Of an entity that was made just now, one relation is the only one.
	maps.DeleteFunc(stated, func(o origin, to map[layers.Key]int) bool { return made[o] && len(to) == 1 })
	ended, err := endEarlier(ctx, s.r, stated)
	for o, ids := range ended {
		s.result.Relations[last[o]].Ended = ids
	}
	return err
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

// facts writes stated facts of the batch.
func (s *storing) facts(ctx context.Context, list []int) error {
	params := s.factRows(list)
	if len(params) >= bulk {
		var err error
		if params, err = s.createFacts(ctx, params); err != nil {
			return err
		}
	}
	return s.state(ctx, cypher.FactUpsert, params)
}

// factRows gives facts as their statements take them, sorted by the entities whose
// locks they take; what is said twice is one row.
func (s *storing) factRows(list []int) []map[string]any {
	var params []map[string]any
	place := make(map[string]int, len(list)) // of the parameters of each key
	for _, i := range list {
		f, on := s.stated[i], s.about[i].found
		layer, source, detail := s.b.layer, f.source, f.detail
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
		owner := s.m.ownerIn(layer)
		key := factKey(owner, on.key(), f.text)
		if i < len(s.result.Facts) {
			s.result.Facts[i] = FactResult{Entity: on.id, Text: f.text, Layer: layer}
		}
		at, again := place[key]
		if !again {
			at = len(params)
			place[key] = at
			row := factRow(owner, s.m.owner, on.key(), f.text, source, s.at(f.createdAt, i), s.from(f.validFrom, f.createdAt, i))
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
	return params
}

// state runs a statement for facts and notes which of them are new.
func (s *storing) state(ctx context.Context, statement cypher.Statement, params []map[string]any) error {
	if len(params) == 0 {
		return nil
	}
	records, err := s.r.run(ctx, statement, map[string]any{"rows": params})
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

// createFacts creates those of many facts about entities of the owner's own that
// aren't there, and gives the others.
func (s *storing) createFacts(ctx context.Context, params []map[string]any) ([]map[string]any, error) {
	var keys []string
	for _, p := range params {
		if !s.about[p["i"].(int64)].found.created {
			keys = append(keys, p["key"].(string))
		}
	}
	there := map[string]bool{}
	if len(keys) > 0 {
		records, err := s.r.run(ctx, cypher.FactKnown, map[string]any{"keys": keys})
		if err != nil {
			return nil, err
		}
		for _, key := range stringsOf(records[0].AsMap()["keys"]) {
			there[key] = true
		}
	}
	var fresh, others []map[string]any
	for _, p := range params {
		if there[p["key"].(string)] || p["about_owner"] == layers.WorldOwner {
			others = append(others, p)
			continue
		}
		sources := p["sources"].([]string)
		held := map[string]any{
			"key": p["key"], "owner": p["owner"], "owner_digest": p["owner_digest"], "about": p["about"], "text": p["text"], "source": sources[0], "sources": sources,
			"confidence": p["confidence"], "created_at": p["created_at"], "valid_from": p["valid_from"],
		}
		if p["confidence"] == nil {
			held["confidence"] = 1.0
		}
		if details := p["details"].([]string); len(details) > 0 {
			held["source_details"] = details
		}
		fresh = append(fresh, map[string]any{"i": p["i"], "about_owner": p["about_owner"], "about_id": p["about_id"], "label": p["label"], "held": held})
	}
	return others, s.state(ctx, cypher.FactCreate, fresh)
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
