package layers

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/acervo-graph/acervo/ontology"
)

const (
	// WorldOwner is the owner of everything UNIVERSAL. Nobody else can be called so.
	WorldOwner = "world"
	// MaxOwner is the length in bytes of UTF-8 that the id of an owner or of a
	// session may have.
	MaxOwner = 2048
	// MaxSource is the length in bytes of UTF-8 that a source may have.
	MaxSource = 512
)

// CheckOwner returns nil if an owner can be called so: any valid UTF-8 of at
// most [MaxOwner] bytes without NUL that shows something and isn't "world", also
// not with space around it. The error is an [*Error].
func CheckOwner(owner string) error {
	rule := check(owner, MaxOwner)
	if rule == "" && strings.TrimSpace(owner) == WorldOwner {
		rule = "is reserved"
	}
	return refuse("owner", owner, rule)
}

// CheckSession returns nil if a session can be called so: any valid UTF-8 of at
// most [MaxOwner] bytes without NUL that shows something. The error is an
// [*Error].
func CheckSession(id string) error {
	return refuse("session", id, check(id, MaxOwner))
}

// CheckSource returns nil if a layer admits knowledge from a source: UNIVERSAL
// from "world" only, PERSONAL from any valid UTF-8 of at most [MaxSource] bytes
// without NUL that shows something. The error is an [*Error].
func (l Layer) CheckSource(source string) error {
	rule := check(source, MaxSource)
	if rule == "" && l == Universal && source != SourceWorld {
		rule = "is not " + SourceWorld + ", as UNIVERSAL knowledge needs"
	}
	return refuse("source", source, rule)
}

// CheckConfidence returns nil for a number from 0 to 1. The error is an [*Error].
func CheckConfidence(c float64) error {
	if c >= 0 && c <= 1 { // false for NaN
		return nil
	}
	return refuse("confidence", strconv.FormatFloat(c, 'g', -1, 64), "is not from 0 to 1")
}

// check returns the rule that a text breaks, or "". One of nothing but format
// characters, such as a zero-width space, counts as empty.
func check(s string, limit int) string {
	rule := ontology.CheckText(s, limit)
	if rule == "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }) {
		rule = "is empty"
	}
	return rule
}
