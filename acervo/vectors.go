package acervo

import (
	"cmp"
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
)

// What a search by vectors looks at.
const (
	// vectorWindow is how many entities, those nearest to a text, a search ranks.
	vectorWindow = 200
	// comparedVectors is of how many entities of a space each vector is compared. Of a
	// space that has more, the index is asked.
	comparedVectors = 5000
	// The index knows no owners: it is asked for more and more of all, until enough of
	// them are of the space.
	firstAsked, moreAsked, lastAsked = 400, 5, 10_000
)

// indexState is what the database says of the vector index.
type indexState struct {
	there, online bool
	dimensions    int
}

func vectorIndex(ctx context.Context, r runner) (indexState, error) {
	records, err := r.run(ctx, cypher.SchemaVectors, nil)
	if err != nil || len(records) == 0 {
		return indexState{}, err
	}
	answer := records[0].AsMap()
	return indexState{true, stringOf(answer["state"]) == "ONLINE", int(intOf(answer["dimensions"]))}, nil
}

func (c *Client) readVectorIndex(ctx context.Context) (state indexState, err error) {
	err = c.read(ctx, cypher.SchemaVectors.Name, func(r runner) (err error) {
		state, err = vectorIndex(ctx, r)
		return err
	})
	return state, err
}

// ensureVectorIndex makes the vector index where there is none, and waits for it.
func (c *Client) ensureVectorIndex(ctx context.Context, dimensions int, replace bool) error {
	state, err := c.readVectorIndex(ctx)
	if err != nil {
		return err
	}
	create, drop := cypher.VectorIndex(dimensions)
	statements := []string{create}
	if state.there && state.dimensions != dimensions {
		if !replace {
			return &VectorIndexError{Stored: state.dimensions, Dimensions: dimensions}
		}
		statements = []string{drop, create}
	} else if state.online {
		return nil
	}
	if err := c.alter(ctx, "vectors/index", statements); err != nil {
		return err
	}
	if err := c.awaitIndexes(ctx); err != nil {
		return err
	}
	// Somebody else may have been first, with other dimensions.
	if state, err = c.readVectorIndex(ctx); err == nil && state.dimensions != dimensions {
		err = &VectorIndexError{Stored: state.dimensions, Dimensions: dimensions}
	}
	return err
}

// nearest finds what the memory sees that is nearest to a vector: keys, the nearest
// first. Others' vectors hide nothing: up to comparedVectors of a space are compared
// one by one, and where the index finds too few of a larger space, so are its first.
func (m *Memory) nearest(ctx context.Context, r runner, model string, vector []float32) ([]string, error) {
	spaces := []string{layers.WorldOwner}
	if !m.world {
		spaces = []string{m.owner, layers.WorldOwner}
	}
	values := map[string]any{"model": model, "dimensions": int64(len(vector)), "vector": vector, "limit": int64(vectorWindow)}
	found := map[string]float64{}
	add := func(space, id string, score float64) { found[string(layers.KeyOf(layerOf(space), id))] = score }
	compare := func(spaces []string, force bool) (larger []string, err error) {
		values["spaces"], values["compared"], values["force"] = spaces, int64(comparedVectors), force
		records, err := r.run(ctx, cypher.VectorExact, values)
		for _, record := range records {
			answer := record.AsMap()
			space := stringOf(answer["space"])
			for _, near := range mapsOf(answer["near"]) {
				add(space, stringOf(near["id"]), floatOf(near["score"]))
			}
			if boolOf(answer["more"]) {
				larger = append(larger, space)
			}
		}
		return larger, err
	}
	larger, err := compare(spaces, false)
	if err != nil {
		return nil, err
	}
	if len(larger) > 0 {
		if larger, err = m.nearestByIndex(ctx, r, values, larger, add); err != nil {
			return nil, err
		}
	}
	if len(larger) > 0 {
		if _, err := compare(larger, true); err != nil {
			return nil, err
		}
	}
	keys := make([]string, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(found[b], found[a]), cmp.Compare(a, b))
	})
	return keys[:min(len(keys), vectorWindow)], nil
}

// nearestByIndex asks the index about spaces, and gives those of which it found too few.
func (m *Memory) nearestByIndex(ctx context.Context, r runner, values map[string]any, spaces []string, add func(space, id string, score float64)) ([]string, error) {
	state, err := vectorIndex(ctx, r)
	if err != nil || !state.online || int64(state.dimensions) != values["dimensions"] {
		return spaces, err
	}
	var few []string
	for _, space := range spaces {
		values["space"] = space
		for asked := firstAsked; ; asked *= moreAsked {
			values["asked"] = int64(asked)
			var records []*neo4j.Record
			if records, err = r.run(ctx, cypher.VectorNearest, values); err != nil {
				return nil, err
			}
			if len(records) < vectorWindow && asked < lastAsked {
				continue
			}
			for _, record := range records {
				answer := record.AsMap()
				add(space, stringOf(answer["id"]), floatOf(answer["score"]))
			}
			if len(records) < vectorWindow {
				few = append(few, space)
			}
			break
		}
	}
	return few, nil
}

func layerOf(space string) layers.Layer {
	if space == layers.WorldOwner {
		return layers.Universal
	}
	return layers.Personal
}
