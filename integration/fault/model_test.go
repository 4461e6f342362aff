package fault

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// state is what one owner's memory holds: the model of what is in the graph.
type state struct {
	entities  map[string]entity // by id
	facts     map[string]string // text → id of what it is about
	relations map[[2]string]bool
	aliases   map[string]string // id → id of the entity
	sessions  map[string]session
}

type entity struct {
	label   string
	age     int
	aliases []string
}

type session struct {
	turn      int
	hot, warm map[string]bool
}

func newState() *state {
	return &state{map[string]entity{}, map[string]string{}, map[[2]string]bool{}, map[string]string{}, map[string]session{}}
}

func (s *state) clone() *state {
	c := &state{maps.Clone(s.entities), maps.Clone(s.facts), maps.Clone(s.relations), maps.Clone(s.aliases), map[string]session{}}
	for id, v := range s.sessions {
		c.sessions[id] = session{v.turn, maps.Clone(v.hot), maps.Clone(v.warm)}
	}
	return c
}

// resolve gives the id under which a name's entity is, or would be, stored.
func (s *state) resolve(name string) string {
	id := strings.ToLower(name)
	if _, own := s.entities[id]; own {
		return id
	}
	if kept, ok := s.aliases[id]; ok {
		return kept
	}
	return id
}

func (s *state) has(name string) bool { _, ok := s.entities[s.resolve(name)]; return ok }

// upsert is the upsert of calls.upsert.
func (s *state) upsert(c call) {
	a, b := s.resolve(c.a), s.resolve(c.b)
	for id, name := range map[string]string{a: c.a, b: c.b} {
		e, ok := s.entities[id]
		if !ok {
			e.label = name
		}
		e.age = c.number
		s.entities[id] = e
	}
	s.facts[c.fact()] = a
	if a != b {
		s.relations[[2]string{a, b}] = true
	}
	t := s.session(c.session)
	for _, id := range []string{a, b} {
		t.hot[id] = true
		delete(t.warm, id)
	}
	s.sessions[c.session] = t
}

func (s *state) session(id string) session {
	t, ok := s.sessions[id]
	if !ok {
		t = session{hot: map[string]bool{}, warm: map[string]bool{}}
	}
	return t
}

func (s *state) turn(c call) {
	t, named := s.session(c.session), map[string]bool{}
	for _, name := range []string{c.a, c.b} {
		if s.has(name) {
			named[s.resolve(name)] = true
		}
	}
	warm := map[string]bool{}
	for id := range t.hot {
		if !named[id] {
			warm[id] = true
		}
	}
	s.sessions[c.session] = session{t.turn + 1, named, warm}
}

func (s *state) merge(c call) {
	keep, absorb := s.resolve(c.a), s.resolve(c.b)
	for text, about := range s.facts {
		if about == absorb {
			s.facts[text] = keep
		}
	}
	renamed := func(id string) string {
		if id == absorb {
			return keep
		}
		return id
	}
	relations := map[[2]string]bool{}
	for r := range s.relations {
		if moved := [2]string{renamed(r[0]), renamed(r[1])}; moved[0] != moved[1] {
			relations[moved] = true
		}
	}
	s.relations = relations
	for id, kept := range s.aliases {
		s.aliases[id] = renamed(kept)
	}
	s.aliases[absorb] = keep
	for id, t := range s.sessions {
		hot, warm := map[string]bool{}, map[string]bool{}
		for key := range t.hot {
			hot[renamed(key)] = true
		}
		for key := range t.warm {
			if !hot[renamed(key)] {
				warm[renamed(key)] = true
			}
		}
		s.sessions[id] = session{t.turn, hot, warm}
	}
	e, old := s.entities[keep], s.entities[absorb]
	e.aliases = slices.Concat(e.aliases, old.aliases, []string{old.label})
	s.entities[keep] = e
	delete(s.entities, absorb)
}

func (s *state) remove(c call) {
	id := s.resolve(c.a)
	delete(s.entities, id)
	maps.DeleteFunc(s.facts, func(_, about string) bool { return about == id })
	maps.DeleteFunc(s.relations, func(r [2]string, _ bool) bool { return r[0] == id || r[1] == id })
	maps.DeleteFunc(s.aliases, func(_, kept string) bool { return kept == id })
	for _, t := range s.sessions {
		delete(t.hot, id)
		delete(t.warm, id)
	}
}

// lines are what the graph has to hold, one line a node or relationship.
func (s *state) lines(owner string) []string {
	var lines []string
	add := func(format string, args ...any) {
		lines = append(lines, owner+" "+fmt.Sprintf(format, args...))
	}
	for id, e := range s.entities {
		add("entity %s %s Persona complete %d %q", id, e.label, e.age, sorted(e.aliases))
	}
	for text, about := range s.facts {
		add("fact p:%s %s", about, text)
		add("%s HAS_FACT %s", about, text)
	}
	for r := range s.relations {
		add("%s GUSTA_DE %s", r[0], r[1])
	}
	for id, kept := range s.aliases {
		add("alias %s p:%s", id, kept)
	}
	for id, t := range s.sessions {
		add("session %s turn %d hot %q warm %q", id, t.turn, keys(t.hot), keys(t.warm))
	}
	slices.Sort(lines)
	return lines
}

func keys(ids map[string]bool) []string {
	out := []string{}
	for id := range ids {
		out = append(out, "p:"+id)
	}
	slices.Sort(out)
	return out
}

func sorted(list []string) []string {
	out := slices.Concat([]string{}, list)
	slices.Sort(out)
	return out
}

// graph reads everything that is in the database as lines of the model, of all
// owners if none is given.
func (w *watcher) graph(t *testing.T, owner string) []string {
	t.Helper()
	var lines []string
	for _, record := range w.query(t, `
		MATCH (n) WHERE $owner = '' OR n.owner = $owner
		RETURN [l IN labels(n) WHERE l STARTS WITH 'Acervo'][0] AS label, properties(n) AS p`, map[string]any{"owner": owner}) {
		label, _ := record.Values[0].(string)
		p, _ := record.Values[1].(map[string]any)
		switch label {
		case "AcervoSchema":
		case "AcervoType", "AcervoRelation":
			if p["origin"] != "builtin" {
				lines = append(lines, fmt.Sprint(label, " ", p["name"]))
			}
		case "AcervoEntity":
			lines = append(lines, fmt.Sprintf("%v entity %v %v %v %v %v %q", p["owner"], p["id"], p["label"], p["type"], p["status"], p["edad"], texts(p["aliases"])))
		case "AcervoFact":
			lines = append(lines, fmt.Sprintf("%v fact %v %v", p["owner"], p["about"], p["text"]))
		case "AcervoAlias":
			lines = append(lines, fmt.Sprintf("%v alias %v %v", p["owner"], p["id"], p["entity"]))
		case "AcervoSession":
			lines = append(lines, fmt.Sprintf("%v session %v turn %v hot %q warm %q", p["owner"], p["id"], p["turn"], texts(p["hot"]), texts(p["warm"])))
		default:
			lines = append(lines, fmt.Sprint("what nobody stored: ", label, p))
		}
	}
	for _, record := range w.query(t, `
		MATCH (a)-[r]->(b) WHERE $owner = '' OR a.owner = $owner
		RETURN a.owner + ' ' + a.id + ' ' + type(r) + ' ' + coalesce(b.text, b.id)`, map[string]any{"owner": owner}) {
		lines = append(lines, fmt.Sprint(record.Values[0]))
	}
	slices.Sort(lines)
	return lines
}

// texts is a list of strings of a node, in order; of a list that isn't one, nil.
func texts(v any) []string {
	list, _ := v.([]any)
	out := []string{}
	for _, item := range list {
		out = append(out, fmt.Sprint(item))
	}
	slices.Sort(out)
	return out
}
