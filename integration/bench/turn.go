package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/ontology"
)

// turnStatement does one turn in one statement. It asks first which words of the
// message begin any name at all, and only then which names begin there. What it
// reads of an entity is what the text needs.
//
// Ids are looked up by a range of one id, since an exact lookup locks the entry
// of the unique index in a statement that writes.
const turnStatement = `
MERGE (s:AcervoSession {owner: $owner, id: $session})
ON CREATE SET s.turn = 0, s.hot = [], s.warm = []
SET s.updated_at = $now
WITH s, coalesce($turn IN s.turn_ids, false) AS repeated
CALL () {
  CALL () {
    UNWIND $starts AS start
    WITH start WHERE EXISTS { MATCH (n:AcervoEntity) WHERE n.owner = $owner AND n.id STARTS WITH start[0] }
    UNWIND start[1] AS gram
    WITH gram, gram[0] AS name
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = $owner AND e.id >= name AND e.id <= name
    RETURN gram, true AS own, 'p:' + name AS key
  UNION
    UNWIND $starts AS start
    WITH start WHERE EXISTS { MATCH (n:AcervoEntity) WHERE n.owner = 'world' AND n.id STARTS WITH start[0] }
    UNWIND start[1] AS gram
    WITH gram, gram[0] AS name
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = 'world' AND e.id >= name AND e.id <= name
    RETURN gram, false AS own, 'w:' + name AS key
  UNION
    UNWIND [$owner, 'world'] AS space
    UNWIND $starts AS start
    WITH space, start WHERE EXISTS { MATCH (n:AcervoAlias) USING INDEX n:AcervoAlias(owner, id, entity) WHERE n.owner = space AND n.id STARTS WITH start[0] AND n.entity IS NOT NULL }
    UNWIND start[1] AS gram
    WITH space, gram, gram[0] AS name
    MATCH (a:AcervoAlias)
    USING INDEX a:AcervoAlias(owner, id, entity)
    WHERE a.owner = space AND a.id = name AND a.entity IS NOT NULL
    RETURN gram, space <> 'world' AS own, a.entity AS key
  }
  WITH collect({start: gram[1], end: gram[2], own: own, key: key}) AS hits
  UNWIND [h IN hits WHERE NOT any(o IN hits WHERE
    (o.own AND NOT h.own AND o.start = h.start AND o.end = h.end) OR (o.start <= h.start AND h.end <= o.end AND h.end - h.start < o.end - o.start))] AS h
  WITH h.key AS key, min(h.start) AS start
  ORDER BY start, key
  RETURN collect(key) AS mentioned
}
WITH s, repeated, mentioned,
     coalesce(CASE WHEN repeated THEN s.hot ELSE mentioned END, []) AS hot,
     CASE WHEN repeated THEN s.warm ELSE [k IN s.hot WHERE NOT k IN mentioned] END AS warm
FOREACH (_ IN CASE WHEN NOT repeated THEN [1] END |
  SET s.turn = s.turn + 1, s.hot = hot[..10000], s.warm = warm, s.last_turn_id = $turn, s.turn_ids = ([$turn] + coalesce(s.turn_ids, []))[..64])
WITH s.turn AS turn, repeated, mentioned, hot, warm
CALL (mentioned, hot) {
  UNWIND (mentioned + [k IN hot WHERE NOT k IN mentioned])[..64] AS key
  CALL (key) {
    WITH key, substring(key, 2) AS id
    WHERE key STARTS WITH 'p:'
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = $owner AND e.id >= id AND e.id <= id
    CALL (key) {
      MATCH (f:AcervoFact)
      WHERE f.owner = $owner AND f.about = key AND f.created_at IS NOT NULL AND f.valid_to IS NULL
      WITH f ORDER BY f.owner DESC, f.about DESC, f.created_at DESC LIMIT 13
      RETURN collect([f.owner, f.text, f.source, f.confidence]) AS facts
    }
    CALL (e) {
      MATCH (e)-[r]-(o:AcervoEntity)
      WITH e, r, o LIMIT 13
      RETURN collect([type(r), startNode(r) = e, r.layer, r.source, r.confidence, o.id, o.label, o.type, o.layer, o.pending_fields]) AS relations
    }
    RETURN e, facts, relations
  UNION ALL
    WITH key, substring(key, 2) AS id
    WHERE key STARTS WITH 'w:'
    MATCH (e:AcervoEntity)
    USING INDEX e:AcervoEntity(owner, id)
    WHERE e.owner = 'world' AND e.id >= id AND e.id <= id
    CALL (key) {
      CALL (key) {
        MATCH (f:AcervoFact)
        WHERE f.owner = $owner AND f.about = key AND f.created_at IS NOT NULL AND f.valid_to IS NULL
        RETURN f ORDER BY f.owner DESC, f.about DESC, f.created_at DESC LIMIT 13
      UNION ALL
        MATCH (f:AcervoFact)
        WHERE f.owner = 'world' AND f.about = key AND f.created_at IS NOT NULL AND f.valid_to IS NULL
        RETURN f ORDER BY f.owner DESC, f.about DESC, f.created_at DESC LIMIT 13
      }
      WITH f ORDER BY f.created_at DESC, f.key LIMIT 13
      RETURN collect([f.owner, f.text, f.source, f.confidence]) AS facts
    }
    CALL (id) {
      UNWIND [$owner, 'world'] AS space
      MATCH (ref:AcervoReference)
      USING INDEX SEEK ref:AcervoReference(owner, id)
      WHERE ref.owner = space AND ref.id >= id AND ref.id <= id
      MATCH (ref)-[r:REFERS]-(end)
      WITH ref, r, end LIMIT 13
      CALL (end) {
        WITH end WHERE end:AcervoEntity
        RETURN end AS o
      UNION ALL
        WITH end WHERE end:AcervoReference
        MATCH (o:AcervoEntity)
        USING INDEX o:AcervoEntity(owner, id)
        WHERE o.owner = 'world' AND o.id >= end.id AND o.id <= end.id
        RETURN o
      }
      RETURN collect([r.type, (startNode(r) = ref) = r.outgoing, r.layer, r.source, r.confidence, o.id, o.label, o.type, o.layer, o.pending_fields]) AS relations
    }
    RETURN e, facts, relations
  }
  RETURN collect([key, e.label, e.type, e.layer, e.pending_fields, facts, relations]) AS nodes
}
RETURN turn, mentioned, hot, warm, nodes`

// answer is what a turn gives, of either side.
type answer struct {
	turn                 int64
	mentioned, hot, warm []string
	context              string
}

// turnStarts gives, for each place of a message at which a name may begin, its
// shortest name, and all with their places.
func turnStarts(message string) []any {
	var starts []any
	var grams []any
	all := ontology.Grams(message, ontology.MaxWords)
	for i, g := range all {
		grams = append(grams, []any{g.ID, g.Start, g.End})
		if i+1 == len(all) || all[i+1].Start != g.Start { // the shortest one comes last
			starts = append(starts, []any{g.ID, grams})
			grams = nil
		}
	}
	return starts
}

func baselineTurn(ctx context.Context, b *bench, owner, session, message string) (answer, error) {
	records, err := b.once(ctx, turnStatement, map[string]any{
		"owner": owner, "session": session, "starts": turnStarts(message), "turn": rand.Text(), "now": b.now(),
	})
	if err != nil {
		return answer{}, err
	}
	v := records[0].Values
	return answer{
		turn: v[0].(int64), mentioned: ids(v[1].([]any)), hot: ids(v[2].([]any)), warm: ids(v[3].([]any)),
		context: composeText(v[4].([]any), 1000),
	}, nil
}

func ids(keys []any) []string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = k.(string)[2:]
	}
	return list
}

// budget counts tokens as the API estimates them, without reading what is there again.
type budget struct {
	text         strings.Builder
	ascii, other int
	limit        int
}

func (t *budget) add(line string) bool {
	ascii, other := t.ascii, t.other
	for _, r := range line {
		if r <= unicode.MaxASCII {
			ascii++
		} else {
			other++
		}
	}
	if (ascii+3)/4+other > t.limit {
		return false
	}
	t.ascii, t.other = ascii, other
	t.text.WriteString(line)
	return true
}

// composeText writes the context that the API writes.
func composeText(nodes []any, limit int) string {
	t := budget{limit: limit}
	shown, said := map[string]bool{}, map[[4]string]bool{}
	for _, n := range nodes {
		shown[n.([]any)[0].(string)] = true
	}
	var neighbors [][]any
	for _, n := range nodes {
		node := n.([]any)
		key, facts, relations := node[0].(string), node[5].([]any), node[6].([]any)
		if !t.add(describeEntity(node[1:5]) + "\n") {
			continue
		}
		more := len(facts) > 12 || len(relations) > 12
		for _, f := range slices.Backward(facts[:min(12, len(facts))]) {
			fact := f.([]any)
			t.add(statementLine(fact[0] == "world", fact[2].(string), fact[3].(float64), fact[1].(string)))
		}
		relations = relations[:min(12, len(relations))]
		slices.SortStableFunc(relations, func(a, b any) int {
			x, y := a.([]any), b.([]any)
			return cmp.Or(strings.Compare(x[0].(string), y[0].(string)), -cmp.Compare(direction(x[1]), direction(y[1])),
				strings.Compare(neighborKey(x), neighborKey(y)), strings.Compare(x[2].(string), y[2].(string)))
		})
		for _, r := range relations {
			rel := r.([]any)
			other := neighborKey(rel)
			from, to, fromLabel, toLabel := key, other, node[1].(string), rel[6].(string)
			if !rel[1].(bool) {
				from, to, fromLabel, toLabel = to, from, toLabel, fromLabel
			}
			name := [4]string{from, rel[0].(string), to, rel[2].(string)}
			if !said[name] {
				said[name] = true
				t.add(statementLine(rel[2] == "UNIVERSAL", rel[3].(string), rel[4].(float64), oneLine(fromLabel)+" "+oneLine(rel[0].(string))+" "+oneLine(toLabel)))
			}
			if !shown[other] {
				shown[other] = true
				neighbors = append(neighbors, rel[6:10])
			}
		}
		if more {
			t.add("- (more is known)\n")
		}
	}
	for i, n := range neighbors {
		line := "- " + describeEntity(n) + "\n"
		if i == 0 {
			line = "Related:\n" + line
		}
		t.add(line)
	}
	return strings.TrimSuffix(t.text.String(), "\n")
}

func direction(outgoing any) int {
	if outgoing.(bool) {
		return 1
	}
	return 0
}

func neighborKey(relation []any) string {
	if relation[8] == "UNIVERSAL" {
		return "w:" + relation[5].(string)
	}
	return "p:" + relation[5].(string)
}

// describeEntity takes a label, a type, a layer and pending fields.
func describeEntity(e []any) string {
	typ := e[1].(string)
	if typ == ontology.Unknown {
		typ = "type unknown"
	}
	line := oneLine(e[0].(string)) + " (" + oneLine(typ) + ", " + e[2].(string)
	if pending, _ := e[3].([]any); len(pending) > 0 {
		line += "; incomplete, missing: "
		for i, p := range pending {
			if i > 0 {
				line += ", "
			}
			line += p.(string)
		}
	}
	return line + ")"
}

func statementLine(world bool, source string, confidence float64, text string) string {
	said := "the user said"
	switch {
	case world:
		said = "known fact"
	case source != "user" && source != "user_assertion":
		said = "from " + oneLine(source)
	}
	if confidence < 1 {
		said += fmt.Sprintf(" (confidence %.2g)", confidence)
	}
	return "- " + said + ": " + oneLine(text) + "\n"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func oursTurn(ctx context.Context, b *bench, owner, session, message string) (answer, error) {
	r, err := b.client.Memory(owner).WithSession(session).Turn(ctx, acervo.TurnParams{Message: message})
	if err != nil {
		return answer{}, err
	}
	return answer{turn: r.Turn, mentioned: r.Mentioned, hot: r.Hot, warm: r.Warm, context: r.Context}, nil
}

// filler is what a message says beside names, 50 words with three names of three.
var filler = strings.Fields(`hola quería contarte que ayer estuve hablando con y me dijo que el lunes van a terminar
	los planos del galpón así que después pasamos por para ver si llegaron las cosas que pidió y volvimos tarde ¿te acordás?`)

// message names some entities among words that name nothing, about 50 words.
func message(names ...string) string {
	words := slices.Clone(filler)
	step := len(words) / (len(names) + 1)
	for i := len(names); i > 0; i-- {
		words = slices.Insert(words, i*step, strings.Fields(names[i-1])...)
	}
	return strings.Join(words, " ")
}

// world makes some UNIVERSAL places, and relates entities of an owner to them,
// with a fact of each layer. It gives their names.
func (b *bench) world(ctx context.Context, owner string, names []string) ([]string, error) {
	var public, own acervo.UpsertParams
	own.NoActivation = true
	var places []string
	for i, name := range names {
		place := fmt.Sprintf("%s Puerto %d", b.worldPrefix(), i)
		places = append(places, place)
		public.Entities = append(public.Entities, acervo.Entity{Name: place, Type: "Lugar"})
		public.Facts = append(public.Facts, acervo.Fact{Entity: place, Text: fmt.Sprintf("tiene la estación número %d", i)})
		own.Relations = append(own.Relations, acervo.Relation{From: name, To: place, Type: "RELACIONADO_CON"})
		own.Facts = append(own.Facts, acervo.Fact{Entity: place, Text: fmt.Sprintf("ahí compramos la primera vez, hace %d años", i)})
	}
	if _, err := b.client.World().UpsertEntities(ctx, public); err != nil {
		return nil, err
	}
	_, err := b.client.Memory(owner).UpsertEntities(ctx, own)
	return places, err
}

// conversation is what an owner with a generated graph talks about.
type conversation struct {
	b      *bench
	d      data
	owner  string
	places []string
}

// talk loads a graph and makes some places.
func (b *bench) talk(ctx context.Context, owner string, d data) (*conversation, error) {
	if err := (loadTuning{}).load(ctx, b, owner, d); err != nil {
		return nil, err
	}
	var names []string
	for i := range 20 {
		names = append(names, d.label(i*7%d.entities))
	}
	places, err := b.world(ctx, owner, names)
	return &conversation{b: b, d: d, owner: owner, places: places}, err
}

// message names two entities and a place, others each time.
func (c *conversation) message(n int) string {
	return message(c.d.label(n*31%c.d.entities), c.d.label(n*57%c.d.entities), c.places[n%len(c.places)])
}

func (c *conversation) ours(session string) side {
	return func(ctx context.Context, n int, _ *recorder) error {
		_, err := oursTurn(ctx, c.b, c.owner, session, c.message(n))
		return err
	}
}

func (c *conversation) baseline(session string) side {
	return func(ctx context.Context, n int, _ *recorder) error {
		_, err := baselineTurn(ctx, c.b, c.owner, session, c.message(n))
		return err
	}
}

// same checks that both ways to do a turn say and leave the same.
func (c *conversation) same(ctx context.Context) error {
	for n := 1; n <= 5; n++ {
		want, err := baselineTurn(ctx, c.b, c.owner, "same-baseline", c.message(n))
		if err != nil {
			return fmt.Errorf("baseline: %w", err)
		}
		got, err := oursTurn(ctx, c.b, c.owner, "same-ours", c.message(n))
		if err != nil {
			return fmt.Errorf("ours: %w", err)
		}
		if fmt.Sprint(want) != fmt.Sprint(got) {
			return fmt.Errorf("turn %d gives\n%v\nfor the baseline and\n%v", n, want, got)
		}
		if len(got.mentioned) < 3 || len(strings.Fields(c.message(n))) < 45 {
			return fmt.Errorf("the message %q mentions %v", c.message(n), got.mentioned)
		}
	}
	return nil
}

func turn() scenario {
	return scenario{
		name: "turn", about: "one turn with a message of 50 words that names three entities", target: target{ratio: 1.3},
		setup: func(ctx context.Context, b *bench) (*sides, error) {
			c, err := b.talk(ctx, b.owner("turn"), data{entities: b.entities})
			if err != nil {
				return nil, err
			}
			return &sides{baseline: c.baseline("baseline"), ours: c.ours("ours"), same: c.same}, nil
		},
	}
}
