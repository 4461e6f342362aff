package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/acervo"
)

// measurement is how often each call is measured, after as many calls that warm
// up the server, and how large the owner's memory is.
const (
	measured = 500
	known    = 1_000
)

// bench measures on one server.
type bench struct {
	client *acervo.Client
	driver neo4j.DriverWithContext
	out    io.Writer // gets a Markdown table of each measurement
	random *rand.Rand
}

func connect(ctx context.Context, uri, user, password string, out io.Writer) (*bench, error) {
	auth := neo4j.NoAuth()
	if user != "" || password != "" {
		auth = neo4j.BasicAuth(user, password, "")
	}
	driver, err := neo4j.NewDriverWithContext(uri, auth)
	if err != nil {
		return nil, err
	}
	b := &bench{client: acervo.New(driver, nil), driver: driver, out: out, random: rand.New(rand.NewPCG(1, 2))}
	if _, err := b.client.Migrate(ctx); err != nil {
		return nil, errors.Join(err, driver.Close(ctx))
	}
	return b, nil
}

// costs measures what a turn, an upsert and a read cost the server, with an owner
// of its own whom it forgets afterwards. The time of the processor is that of the
// server's whole process, its garbage collection and compilers included; nobody
// else may use the server meanwhile.
func (b *bench) costs(ctx context.Context, w Workload) (c Costs, err error) {
	m := b.client.Memory(fmt.Sprintf("scaling-%d", time.Now().UnixNano()))
	defer func() {
		_, forgot := m.Forget(ctx, acervo.ForgetParams{})
		err = errors.Join(err, forgot)
	}()
	for _, p := range []acervo.UpsertParams{{Entities: entities(0, known)}, {Relations: relations(b.random, known, 2*known)}, {Facts: facts(b.random, known, 2*known)}} {
		p.NoActivation = true
		if _, err := m.UpsertEntities(ctx, p); err != nil {
			return c, err
		}
	}
	fmt.Fprintf(b.out, "An owner of %d entities, %d calls of each kind, one after the other:\n\n", known, measured)
	fmt.Fprintln(b.out, "| call | median ms | p95 ms | server's CPU ms |\n|---|---|---|---|")
	next := known
	for _, call := range []struct {
		name string
		cost *float64
		run  func(i int) error
	}{
		{"turn", &c.TurnMS, func(i int) error {
			message := fmt.Sprintf("¿Cómo va %s, y qué sabe %s de eso?", name(b.random.IntN(known)), name(b.random.IntN(known)))
			_, err := m.Turn(ctx, acervo.TurnParams{Message: message})
			return err
		}},
		{fmt.Sprintf("upsert of %.1f entities, %.1f relations, %.1f facts", w.Entities, w.Relations, w.Facts), &c.UpsertMS, func(i int) error {
			p := acervo.UpsertParams{
				Entities:  entities(next, whole(w.Entities, i)),
				Relations: relations(b.random, known, whole(w.Relations, i)),
				Facts:     facts(b.random, known, whole(w.Facts, i)),
			}
			next += len(p.Entities)
			_, err := m.UpsertEntities(ctx, p)
			return err
		}},
		{"read (Node by name)", &c.ReadMS, func(i int) error {
			_, err := m.Node(ctx, acervo.NodeParams{Name: name(b.random.IntN(known))})
			return err
		}},
	} {
		var took []time.Duration
		var before time.Duration
		for i := range 2 * measured {
			if i == measured {
				if before, err = b.processor(ctx); err != nil {
					return c, err
				}
			}
			start := time.Now()
			if err := call.run(i); err != nil {
				return c, fmt.Errorf("%s: %w", call.name, err)
			}
			if i >= measured {
				took = append(took, time.Since(start))
			}
		}
		after, err := b.processor(ctx)
		if err != nil {
			return c, err
		}
		*call.cost = ms(after-before) / measured
		slices.Sort(took)
		fmt.Fprintf(b.out, "| %s | %.1f | %.1f | %.1f |\n", call.name, ms(took[len(took)/2]), ms(took[len(took)*95/100]), *call.cost)
	}
	fmt.Fprintln(b.out)
	return c, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// whole makes whole numbers of an average: 0.3 is 1 in three of ten calls.
func whole(average float64, i int) int {
	return int(average*float64(i+1)) - int(average*float64(i))
}

// processor is the processor time that the server's process has used.
func (b *bench) processor(ctx context.Context) (time.Duration, error) {
	rows, err := b.query(ctx, "CALL dbms.queryJmx('java.lang:type=OperatingSystem') YIELD attributes RETURN attributes.ProcessCpuTime.value")
	if err != nil {
		return 0, fmt.Errorf("the server doesn't tell its processor time; give the costs by flags: %w", err)
	}
	used, ok := rows[0].Values[0].(int64)
	if !ok {
		return 0, errors.New("the server doesn't tell its processor time; give the costs by flags")
	}
	return time.Duration(used), nil
}

func (b *bench) query(ctx context.Context, text string) ([]*neo4j.Record, error) {
	result, err := neo4j.ExecuteQuery(ctx, b.driver, text, nil, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	if err != nil {
		return nil, err
	}
	return result.Records, nil
}

// What is stored: names of three words, two attributes, facts of some 60
// characters, relations of five types.

var words = []string{"Proyecto", "Taller", "Lago", "Norte", "Faro", "Puente", "Molino", "Bosque", "Puerto", "Sierra", "Jardin", "Camino"}

func name(i int) string {
	return fmt.Sprintf("%s %s %d", words[i%len(words)], words[i/len(words)%len(words)], i)
}

func entities(from, n int) []acervo.Entity {
	list := make([]acervo.Entity, n)
	for i := range list {
		list[i] = acervo.Entity{Name: name(from + i), Type: "Proyecto", Attributes: map[string]any{"estado": "activo", "stack": "Go, Neo4j"}}
	}
	return list
}

var relationTypes = []string{"PART_OF", "USA_TECNOLOGIA", "RELACIONADO_CON", "TIENE_MODULO", "PERTENECE_A"}

func relations(random *rand.Rand, among, n int) []acervo.Relation {
	list := make([]acervo.Relation, n)
	for i := range list {
		from := random.IntN(among)
		list[i] = acervo.Relation{From: name(from), To: name((from + 1 + random.IntN(among-1)) % among), Type: relationTypes[random.IntN(len(relationTypes))]}
	}
	return list
}

func facts(random *rand.Rand, among, n int) []acervo.Fact {
	list := make([]acervo.Fact, n)
	for i := range list {
		list[i] = acervo.Fact{
			Entity: name(random.IntN(among)), Source: "user",
			Text: fmt.Sprintf("El pedido %d se entrega por %s antes del dia %d del mes", random.IntN(1e9), words[random.IntN(len(words))], random.IntN(31)),
		}
	}
	return list
}
