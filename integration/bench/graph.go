package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ownedNodes are the labels whose nodes belong to an owner, with what lets the
// planner use the index that begins with the owner.
var ownedNodes = map[string]string{
	"AcervoEntity":    "n.id IS NOT NULL",
	"AcervoFact":      "n.about IS NOT NULL AND n.created_at IS NOT NULL",
	"AcervoAlias":     "n.id IS NOT NULL AND n.entity IS NOT NULL",
	"AcervoReference": "n.id IS NOT NULL",
	"AcervoEnded":     "n.key IS NOT NULL",
	"AcervoSession":   "n.id IS NOT NULL",
}

// graph lists all that an owner has: each node with its labels and properties,
// each relationship with its properties and both its ends, sorted.
func (b *bench) graph(ctx context.Context, owner string) ([]string, error) {
	var lines []string
	for label, where := range ownedNodes {
		records, err := b.write(ctx, fmt.Sprintf(`MATCH (n:%s) WHERE n.owner = $owner AND %s
			RETURN labels(n) AS labels, properties(n) AS held,
			       COLLECT { MATCH (n)-[r]->(m) WHERE coalesce(r.owner, n.owner) = $owner RETURN {type: type(r), held: properties(r), to: properties(m)} } AS out`, label, where), map[string]any{"owner": owner})
		if err != nil {
			return nil, err
		}
		for _, record := range records {
			m := record.AsMap()
			slices.SortFunc(m["labels"].([]any), func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			for _, out := range m["out"].([]any) {
				lines = append(lines, text(map[string]any{"from": m["held"], "out": out}))
			}
			delete(m, "out")
			lines = append(lines, text(m))
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// text writes values of the driver so that those of different kinds differ.
func text(v any) string {
	line, err := json.Marshal(plain(v))
	if err != nil {
		panic(err) // plain leaves nothing that JSON can't say
	}
	return string(line)
}

func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = plain(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = plain(e)
		}
		return out
	case time.Time:
		return "time " + v.Format(time.RFC3339Nano) + " " + v.Location().String()
	case float64:
		return fmt.Sprint("float ", v)
	}
	return v
}

// differ says how two graphs differ, or nil.
func differ(baseline, ours []string) error {
	if len(ours) == 0 {
		return fmt.Errorf("nothing was written")
	}
	only := func(a, b []string) []string {
		var list []string
		for _, line := range a {
			if !slices.Contains(b, line) && len(list) < 3 {
				list = append(list, line)
			}
		}
		return list
	}
	if slices.Equal(baseline, ours) {
		return nil
	}
	return fmt.Errorf("the graphs differ: %d and %d lines; only in the baseline's:\n  %s\nonly in ours:\n  %s", len(baseline), len(ours),
		strings.Join(only(baseline, ours), "\n  "), strings.Join(only(ours, baseline), "\n  "))
}

// written runs work for an owner who has nothing, at a fixed time, gives what it
// wrote and removes it.
func (b *bench) written(ctx context.Context, owner string, work func() error) ([]string, error) {
	b.freeze(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	defer b.freeze(time.Time{})
	if err := work(); err != nil {
		return nil, err
	}
	lines, err := b.graph(ctx, owner)
	if err != nil {
		return nil, err
	}
	return lines, b.forget(ctx, owner)
}

// sameGraph checks that two ways to write something write the same.
func (b *bench) sameGraph(ctx context.Context, owner string, baseline, ours func() error) error {
	want, err := b.written(ctx, owner, baseline)
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	got, err := b.written(ctx, owner, ours)
	if err != nil {
		return fmt.Errorf("ours: %w", err)
	}
	return differ(want, got)
}
