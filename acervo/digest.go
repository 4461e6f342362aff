package acervo

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/acervo-graph/acervo/cypher"
)

// ownerDigest stands for an owner in the full-text index, which would take the
// owner's own name apart. Digits are one word to it, whatever its language. Two
// owners may have one digest, so the owner is compared too where it is used.
func ownerDigest(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return strconv.FormatUint(binary.BigEndian.Uint64(sum[:]), 10)
}

// digested gives what an owner's entity, alias or fact holds with the digest of the
// owner, and without one if it is a fact that isn't current.
func digested(h held, owner string) held {
	if h["valid_to"] != nil {
		return without(h, "owner_digest")
	}
	with := without(h)
	with["owner_digest"] = ownerDigest(owner)
	return with
}

// searchMigration is the migration to full-text search, before which digests are
// filled in.
const searchMigration = "0003_search"

// digestPage is how many nodes a transaction gives their owner's digest.
const digestPage = 5000

// fillDigests gives what is stored the digests of its owners, in transactions of a
// bounded size. It may be interrupted and done again.
func (c *Client) fillDigests(ctx context.Context) error {
	for _, s := range []struct {
		statement cypher.Statement
		parts     int // of a position
	}{{cypher.SearchDigestEntities, 2}, {cypher.SearchDigestAliases, 3}, {cypher.SearchDigestFacts, 1}} {
		digests, after := map[string]string{}, make([]string, s.parts)
		for after != nil {
			var position, unknown []string
			if err := c.write(ctx, s.statement.Name, func(r runner) error {
				records, err := r.run(ctx, s.statement, map[string]any{"after": after, "limit": int64(digestPage), "digests": digests})
				position, unknown = nil, nil
				if err != nil || len(records) == 0 {
					return err
				}
				answer := records[0].AsMap()
				position, unknown = stringsOf(answer["position"]), stringsOf(answer["unknown"])
				return nil
			}); err != nil {
				return err
			}
			if len(unknown) == 0 {
				after = position
			}
			if len(digests) > digestPage {
				clear(digests)
			}
			for _, owner := range unknown {
				digests[owner] = ownerDigest(owner)
			}
		}
	}
	return nil
}
