package acervo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acervo-graph/acervo/ontology"
)

// What the text of an entity is made of at the most.
const (
	embedText    = 2000 // bytes, some 500 tokens, which is what small models take
	embedFacts   = 20
	embedAliases = 10
	embedValue   = 200 // bytes of an attribute
)

// textOf is the short text of an entity that its vector is made of: label and type,
// aliases, attributes in their order, then current facts, newest first. What doesn't
// fit whole is left out.
func textOf(n Node, facts []string) string {
	var b strings.Builder
	line := func(text string) {
		if text = oneLine(text); b.Len()+len(text)+1 <= embedText {
			b.WriteString(text + "\n")
		}
	}
	name := shortenTo(n.Label, embedText/2)
	if n.Type != ontology.Unknown {
		name += " (" + n.Type + ")"
	}
	line(name)
	if aliases := n.Aliases[:min(len(n.Aliases), embedAliases)]; len(aliases) > 0 {
		line(strings.Join(aliases, ", "))
	}
	for _, key := range slices.Sorted(maps.Keys(n.Attributes)) {
		line(key + ": " + shortenTo(attributeText(n.Attributes[key]), embedValue))
	}
	for _, fact := range facts {
		line(fact)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// attributeText gives the value of an attribute as a text.
func attributeText(v any) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			texts[i] = attributeText(v[i])
		}
		return strings.Join(texts, ", ")
	}
	return fmt.Sprint(v)
}

// shortenTo cuts a text to whole characters of at most so many bytes.
func shortenTo(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}

// textDigest tells texts apart. It is stored with a vector.
func textDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
