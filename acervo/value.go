package acervo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// value reads one column of a record.
func value[T neo4j.RecordValue](record *neo4j.Record, column string) (T, error) {
	v, null, err := neo4j.GetRecordValue[T](record, column)
	if err == nil && null {
		err = fmt.Errorf("column %s is null", column)
	}
	return v, err
}

// The following read what a statement of this package returned. What is absent
// or of another type is the zero value.

func stringOf(v any) string      { s, _ := v.(string); return s }
func intOf(v any) int64          { n, _ := v.(int64); return n }
func boolOf(v any) bool          { b, _ := v.(bool); return b }
func floatOf(v any) float64      { f, _ := v.(float64); return f }
func timeOf(v any) time.Time     { t, _ := v.(time.Time); return t.UTC() }
func mapOf(v any) map[string]any { m, _ := v.(map[string]any); return m }

// optionalTime is timeOf for what may be absent.
func optionalTime(v any) *time.Time {
	t, ok := v.(time.Time)
	if !ok {
		return nil
	}
	t = t.UTC()
	return &t
}

func stringsOf(v any) []string {
	list, _ := v.([]any)
	strs := make([]string, len(list))
	for i, s := range list {
		strs[i] = stringOf(s)
	}
	return strs
}

func mapsOf(v any) []map[string]any {
	list, _ := v.([]any)
	maps := make([]map[string]any, len(list))
	for i, m := range list {
		maps[i] = mapOf(m)
	}
	return maps
}

func listsOf(v any) [][]any {
	list, _ := v.([]any)
	lists := make([][]any, len(list))
	for i, l := range list {
		lists[i], _ = l.([]any)
	}
	return lists
}

// orNull is the string as a parameter, null if it is empty.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// containsAll reports whether every string of some is in all.
func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// idsOf cuts the layer off each key.
func idsOf(keys []string) []string {
	ids := make([]string, len(keys))
	for i, k := range keys {
		_, ids[i], _ = strings.Cut(k, ":")
	}
	return ids
}
