package main

import (
	"context"
	"fmt"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

// sharing says whose memory each of several goroutines works on, and which
// places it speaks of.
type sharing struct {
	oneOwner  bool // else one each
	universal bool // the places are UNIVERSAL, shared by all; else the owner's own
}

// crew is some goroutines at work.
type crew struct {
	b      *bench
	name   string
	size   int
	calls  int // of each
	share  sharing
	places []string
}

const sharedPlaces = 20

func (b *bench) crew(ctx context.Context, name string, size int, share sharing) (*crew, error) {
	c := &crew{b: b, name: name, size: size, calls: max(2, b.calls/size), share: share}
	var places acervo.UpsertParams
	for i := range sharedPlaces {
		place := fmt.Sprintf("Lugar comun %d", i)
		if share.universal {
			place = b.worldPrefix() + place
		}
		c.places = append(c.places, place)
		places.Entities = append(places.Entities, acervo.Entity{Name: place, Type: "Lugar"})
	}
	if share.universal {
		_, err := b.client.World().UpsertEntities(ctx, places)
		return c, err
	}
	places.NoActivation = true
	for i := range size {
		if _, err := c.memory(i).UpsertEntities(ctx, places); err != nil {
			return nil, err
		}
		if share.oneOwner {
			break
		}
	}
	return c, nil
}

// memory is that of one of the goroutines. Each has a session of its own.
func (c *crew) memory(i int) *acervo.Memory {
	owner := fmt.Sprint(c.name, "-", i)
	if c.share.oneOwner {
		owner = c.name
	}
	return c.b.client.Memory(c.b.owner(owner)).WithSession(fmt.Sprint("s", i))
}

// work lets all of them work: each learns something of a place, and then does a
// turn that names it.
func (c *crew) work(ctx context.Context, n int, r *recorder) error {
	team, ctx := atOnce(ctx, c.size)
	for i := range c.size {
		m := c.memory(i)
		team.do(func() error {
			for call := range c.calls {
				if err := c.call(ctx, m, n, i, call, r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return team.wait()
}

func (c *crew) call(ctx context.Context, m *acervo.Memory, n, i, call int, r *recorder) error {
	place := c.places[(i+7*call)%len(c.places)]
	person := fmt.Sprintf("Vecina %d %d %d", n, i, call)
	start := time.Now()
	_, err := m.UpsertEntities(ctx, acervo.UpsertParams{
		Entities:  []acervo.Entity{{Name: person, Type: "Persona"}},
		Relations: []acervo.Relation{{From: person, To: place, Type: "RELACIONADO_CON"}},
		Facts:     []acervo.Fact{{Entity: place, Text: fmt.Sprintf("ahí trabaja la vecina %d %d %d", n, i, call)}},
	})
	if err != nil {
		return err
	}
	if _, err := m.Turn(ctx, acervo.TurnParams{Message: message(person, place)}); err != nil {
		return err
	}
	r.note(time.Since(start))
	return nil
}

// check counts what all calls left.
func (c *crew) check(ctx context.Context, n int) error {
	if err := c.work(ctx, n, &recorder{}); err != nil {
		return err
	}
	owners := map[string]bool{}
	for i := range c.size {
		owners[c.memory(i).Owner()] = true
	}
	var relations, facts int64
	for owner := range owners {
		records, err := c.b.write(ctx, `MATCH (e:AcervoEntity) WHERE e.owner = $owner AND e.id STARTS WITH $id
			RETURN COUNT { MATCH (e)-[r:RELACIONADO_CON]->() WHERE r.owner = $owner RETURN r } AS relations`,
			map[string]any{"owner": owner, "id": fmt.Sprintf("vecina_%d_", n)})
		if err != nil {
			return err
		}
		for _, record := range records {
			relations += record.Values[0].(int64)
		}
		records, err = c.b.write(ctx, `MATCH (f:AcervoFact) WHERE f.owner = $owner AND f.about IS NOT NULL AND f.created_at IS NOT NULL AND f.text CONTAINS $text
			RETURN count(f)`, map[string]any{"owner": owner, "text": fmt.Sprintf("vecina %d ", n)})
		if err != nil {
			return err
		}
		facts += records[0].Values[0].(int64)
	}
	if want := int64(c.size * c.calls); relations != want || facts != want {
		return fmt.Errorf("%d calls left %d relations and %d facts", want, relations, facts)
	}
	return nil
}

// concurrent compares goroutines that share something with as many that share
// nothing.
func concurrent(name, about string, size int, share sharing) scenario {
	name = fmt.Sprintf("%s-%d", name, size)
	return scenario{
		name: name, about: fmt.Sprintf(about, size), target: target{ratio: 0.8, atLeast: true, p99: 3},
		setup: func(ctx context.Context, b *bench) (*sides, error) {
			apart, err := b.crew(ctx, name+"-apart", size, sharing{})
			if err != nil {
				return nil, err
			}
			together, err := b.crew(ctx, name+"-together", size, share)
			if err != nil {
				return nil, err
			}
			return &sides{
				baseline: apart.work, ours: together.work, calls: 1, items: apart.size * apart.calls,
				same: func(ctx context.Context) error {
					if err := apart.check(ctx, 0); err != nil {
						return fmt.Errorf("apart: %w", err)
					}
					return together.check(ctx, 0)
				},
			}, nil
		},
	}
}

func concurrencyScenarios() []scenario {
	var all []scenario
	for _, size := range []int{1, 4, 16, 64} {
		all = append(all,
			concurrent("one-owner", "%d sessions of one owner, each with upserts and turns, to as many owners", size, sharing{oneOwner: true}),
			concurrent("shared-places", "%d owners who speak of 20 UNIVERSAL entities, to as many with places of their own", size, sharing{universal: true}))
	}
	return all
}
