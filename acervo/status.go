package acervo

import (
	"context"
	"fmt"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/layers"
)

// StatusResult describes the server, the schema and what an owner sees.
type StatusResult struct {
	// Version and Edition are the server's, for example "5.26.30" and "community".
	Version  string             `json:"version"`
	Edition  string             `json:"edition"`
	Database string             `json:"database"`
	Schema   []AppliedMigration `json:"schema"`
	// Counts are how many entities there are of each layer, type and status.
	Counts []Count `json:"counts"`
	// Facts counts the current facts, Sessions the owner's sessions.
	Facts    int64 `json:"facts"`
	Sessions int64 `json:"sessions"`
}

// Count is how many entities there are of a kind.
type Count struct {
	Layer  layers.Layer  `json:"layer"`
	Type   string        `json:"type"`
	Status layers.Status `json:"status"`
	Nodes  int64         `json:"nodes"`
}

// Status describes the server and counts what the owner sees: it reads every
// entity of theirs and of the UNIVERSAL layer.
func (m *Memory) Status(ctx context.Context) (*StatusResult, error) {
	result, err := m.status(ctx)
	if err != nil {
		return nil, fmt.Errorf("status: %w", err)
	}
	return result, nil
}

func (m *Memory) status(ctx context.Context) (*StatusResult, error) {
	if err := joinFaults(m.checkNow()); err != nil {
		return nil, err
	}
	schema, err := m.client.CheckSchema(ctx)
	if err != nil {
		return nil, err
	}
	result := &StatusResult{}
	err = m.client.read(ctx, cypher.StatusCounts.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.SchemaServer, nil)
		if err != nil {
			return err
		}
		server := records[0].AsMap()
		result = &StatusResult{
			Version: stringOf(server["version"]), Edition: stringOf(server["edition"]), Database: m.client.opts.Database,
			Schema: schema.Applied, Counts: []Count{},
		}
		spaces := []string{layers.WorldOwner}
		if !m.world {
			spaces = append([]string{m.owner}, spaces...)
		}
		for _, space := range spaces {
			records, err := r.run(ctx, cypher.StatusCounts, map[string]any{"space": space})
			if err != nil {
				return err
			}
			answer := records[0].AsMap()
			for _, c := range mapsOf(answer["counts"]) {
				result.Counts = append(result.Counts, Count{
					Layer: layers.Layer(stringOf(c["layer"])), Type: stringOf(c["type"]), Status: layers.Status(stringOf(c["status"])), Nodes: intOf(c["nodes"]),
				})
			}
			result.Facts += intOf(answer["facts"])
			result.Sessions += intOf(answer["sessions"])
		}
		return nil
	})
	return result, err
}
