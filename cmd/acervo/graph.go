package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/cmd/acervo/graph"
	"github.com/acervo-graph/acervo/layers"
)

func (a *app) graph() *cobra.Command {
	var out string
	var limit, depth int
	var ref acervo.EntityRef
	cmd := &cobra.Command{
		Use: "graph [NAME]", Short: "Draw the owner's memory, or what is around one entity, as an HTML page", Args: cobra.MaximumNArgs(1),
		Long: `Writes one HTML page that needs no network: the entities of the owner, hot and
warm ones first, and the UNIVERSAL ones that they are related to; with NAME, what
is around that entity. Without an owner, the UNIVERSAL layer. The page searches,
and shows facts with their sources at a click.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return &usageError{fmt.Errorf("--out is needed: the file to write")}
			}
			if limit < 1 || limit > 5000 || depth < 1 || depth > 5 {
				return &usageError{fmt.Errorf("--max-nodes is from 1 to 5000, --depth from 1 to 5")}
			}
			return a.shared(cmd.Context(), func(m *acervo.Memory) error {
				d := drawing{m: m, limit: limit, place: map[layers.Key]int{}, edges: map[graph.Edge]bool{}, left: map[layers.Key]bool{}, data: graph.Data{Owner: m.Owner(), Nodes: []graph.Node{}, Edges: []graph.Edge{}}}
				var err error
				if d.data.Title = "Memory of " + m.Owner(); len(args) == 1 || ref.ID != "" {
					ref.Name = strings.Join(args, "")
					d.data.Title = cmp.Or(ref.Name, ref.ID) + ", memory of " + m.Owner()
					err = d.around(cmd.Context(), ref, depth)
				} else {
					err = d.all(cmd.Context())
				}
				if err == nil {
					err = whole(out, private, func(w io.Writer) error { return graph.Write(w, d.data) })
				}
				if err != nil {
					return err
				}
				r := struct {
					File    string `json:"file"`
					Nodes   int    `json:"nodes"`
					Edges   int    `json:"edges"`
					Omitted int    `json:"omitted"`
				}{out, len(d.data.Nodes), len(d.data.Edges), d.data.Omitted}
				return a.print(r, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%s: %d entities, %d relations\n", out, r.Nodes, r.Edges)
					if r.Omitted != 0 {
						fmt.Fprintln(w, "some entities are left out; the page says so")
					}
					return err
				})
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the file to write")
	cmd.Flags().IntVar(&limit, "max-nodes", 2000, "how many entities the page shows at the most")
	cmd.Flags().IntVar(&depth, "depth", 2, "how many steps from NAME")
	entityFlags(cmd, &ref)
	return cmd
}

// drawing collects what a page shows.
type drawing struct {
	m     *acervo.Memory
	limit int
	data  graph.Data
	place map[layers.Key]int
	edges map[graph.Edge]bool
	left  map[layers.Key]bool // what there was no room for
}

// add adds an entity, or says that the page is full.
func (d *drawing) add(n acervo.Node) bool {
	if _, there := d.place[n.Key()]; there {
		return true
	}
	if len(d.data.Nodes) == d.limit {
		d.left[n.Key()] = true
		if d.data.Omitted >= 0 {
			d.data.Omitted = len(d.left)
		}
		return false
	}
	d.place[n.Key()] = len(d.data.Nodes)
	d.data.Nodes = append(d.data.Nodes, graph.NodeOf(n))
	return true
}

func (d *drawing) edge(from layers.Key, typ string, to layers.Key, layer layers.Layer) {
	_, a := d.place[from]
	_, b := d.place[to]
	e := graph.Edge{From: string(from), To: string(to), Type: typ, Layer: string(layer)}
	if !a || !b || d.edges[e] {
		return
	}
	d.edges[e] = true
	d.data.Edges = append(d.data.Edges, e)
}

// all draws what is hot, what is warm, and then everything else while there is
// room, with the UNIVERSAL entities that it is related to.
func (d *drawing) all(ctx context.Context) error {
	layer := layers.Personal
	if d.m.Owner() == layers.WorldOwner {
		layer = layers.Universal
	}
	for _, params := range []acervo.NodesParams{{Activation: layers.Hot}, {Activation: layers.Warm}, {Layer: layer}} {
		if layer == layers.Universal && params.Activation != "" {
			continue // only owners have sessions
		}
		if err := d.nodes(ctx, params); err != nil {
			return err
		}
	}
	params := acervo.RelationsParams{Limit: 1000}
	for {
		page, err := d.m.Relations(ctx, params)
		if err != nil {
			return err
		}
		for _, r := range page.Relations {
			if r.Layer == layers.Personal {
				if err := errors.Join(d.reach(ctx, r.From, r.To), d.reach(ctx, r.To, r.From)); err != nil {
					return err
				}
			}
			d.edge(r.From.Key(), r.Type, r.To.Key(), r.Layer)
		}
		if params.After = page.Next; params.After == "" {
			return nil
		}
	}
}

func (d *drawing) nodes(ctx context.Context, params acervo.NodesParams) error {
	params.Limit = 500
	for {
		page, err := d.m.Nodes(ctx, params)
		if err != nil {
			return err
		}
		for _, n := range page.Nodes {
			d.add(n)
		}
		if params.After = page.Next; params.After == "" {
			return nil
		}
		if d.data.Omitted > 0 { // there are more than were counted
			d.data.Omitted = -1
			return nil
		}
	}
}

// reach adds a UNIVERSAL entity that an entity of the page is related to.
func (d *drawing) reach(ctx context.Context, near, far acervo.Neighbor) error {
	_, drawn := d.place[near.Key()]
	if _, there := d.place[far.Key()]; !drawn || there || far.Layer != layers.Universal {
		return nil
	}
	return d.one(ctx, far)
}

// one adds an entity that a relation leads to.
func (d *drawing) one(ctx context.Context, n acervo.Neighbor) error {
	r, err := d.m.Node(ctx, acervo.NodeParams{ID: n.ID, MaxFacts: 20, MaxRelations: 1})
	if err != nil {
		return err
	}
	for _, node := range r.Nodes {
		if node.Key() == n.Key() {
			d.add(node)
		}
	}
	return nil
}

// around draws an entity, its neighbors, theirs, and so on.
func (d *drawing) around(ctx context.Context, ref acervo.EntityRef, depth int) error {
	start, err := d.m.Neighbors(ctx, acervo.NeighborsParams{Name: ref.Name, ID: ref.ID, Type: ref.Type, Layer: ref.Layer, Limit: 1})
	if err != nil {
		return err
	}
	if err := d.one(ctx, start.Node); err != nil {
		return err
	}
	type step struct {
		from layers.Key
		acervo.NodeRelation
	}
	level := []acervo.Neighbor{start.Node}
	var steps []step
	for range depth {
		var next []acervo.Neighbor
		for _, n := range level {
			r, err := d.m.Neighbors(ctx, acervo.NeighborsParams{ID: n.ID, Layer: n.Layer, Limit: 200})
			if err != nil {
				return err
			}
			if r.Next != "" {
				d.data.Omitted = -1
			}
			for _, rel := range r.Relations {
				steps = append(steps, step{n.Key(), rel})
				if _, there := d.place[rel.Neighbor.Key()]; there {
					continue
				}
				if err := d.one(ctx, rel.Neighbor); err != nil {
					return err
				}
				if _, there := d.place[rel.Neighbor.Key()]; there {
					next = append(next, rel.Neighbor)
				}
			}
		}
		level = next
	}
	for _, s := range steps {
		if s.Outgoing {
			d.edge(s.from, s.Type, s.Neighbor.Key(), s.Layer)
		} else {
			d.edge(s.Neighbor.Key(), s.Type, s.from, s.Layer)
		}
	}
	return nil
}
