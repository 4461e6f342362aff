package acervo

import (
	"context"
	"fmt"

	"github.com/acervo-graph/acervo/cypher"
	"github.com/acervo-graph/acervo/ontology"
)

// ReembedParams says which vectors are made.
type ReembedParams struct {
	// All makes every vector anew, also those that are as they should be. With
	// [Client.Reembed] it replaces a vector index of other dimensions.
	All bool
	// Batch is how many entities one call of the embedder and one transaction take, at
	// most 1,000. Default 100.
	Batch int
	// Progress is called after each batch with what was done so far.
	Progress func(ReembedResult)
}

// ReembedResult counts what was done.
type ReembedResult struct {
	// Model is the embedder's.
	Model string `json:"model"`
	// Dimensions is how many the vectors have; 0 if none was made.
	Dimensions int `json:"dimensions,omitempty"`
	// Entities were looked at, Embedded of them got a vector; the others had one of the
	// same text and model, or were removed meanwhile.
	Entities int64 `json:"entities"`
	Embedded int64 `json:"embedded"`
}

// Reembed makes the vectors of all entities of this client's own database, that
// [Memory.Search] compares with a text: those that are missing, and those whose text
// or model is another one by now. The text of an entity is its label, type, aliases
// and attributes and its newest current facts, up to 2,000 bytes; that of a UNIVERSAL
// one has UNIVERSAL facts alone. It is sent to the embedder.
//
// It works in transactions of a bounded size, none of which is open while the embedder
// works. If it is interrupted, the same call goes on where it ended; with All, it
// begins anew. What is written meanwhile may be left for the next call. Until then, a
// vector is that of the text as it was.
//
// The first call makes the vector index, and needs the right to change the schema for
// it. It fails with ErrInvalid without [Options.Embedder], with an [*EmbedderError] if
// the embedder fails, and, before anything is written, with a [*VectorIndexError] if
// the index has other dimensions: All replaces the index. Until that has ended, searches
// by vectors find what has been embedded by then.
func (c *Client) Reembed(ctx context.Context, params ReembedParams) (*ReembedResult, error) {
	result, err := c.reembed(ctx, params, "", nil)
	if err != nil {
		return nil, fmt.Errorf("reembed: %w", err)
	}
	return result, nil
}

// Reembed is [Client.Reembed] of the owner's own entities, or, for [Client.World], of
// the UNIVERSAL ones. It never replaces the vector index, which holds others' too.
func (m *Memory) Reembed(ctx context.Context, params ReembedParams) (*ReembedResult, error) {
	result, err := m.client.reembed(ctx, params, m.owner, m.checkWrite())
	if err != nil {
		return nil, fmt.Errorf("reembed: %w", err)
	}
	return result, nil
}

// reembed makes the vectors of one space; "" stands for all.
func (c *Client) reembed(ctx context.Context, params ReembedParams, space string, faults []*FieldError) (*ReembedResult, error) {
	if params.Batch = orDefault(params.Batch, 100); params.Batch > 1000 {
		faults = append(faults, &FieldError{Index: -1, Field: "batch", Value: fmt.Sprint(params.Batch), Rule: "is more than 1000"})
	}
	if err := joinFaults(append(faults, c.checkEmbedder()...)); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	index, err := c.readVectorIndex(ctx)
	if err != nil {
		return nil, err
	}
	e := embedding{c: c, params: params, replace: params.All && space == "", indexed: index.dimensions, result: &ReembedResult{Model: c.opts.Embedder.Model()}}
	if space != "" {
		if err := e.space(ctx, space); err != nil {
			return nil, err
		}
		return e.result, e.flush(ctx)
	}
	for {
		next, err := c.nextSpace(ctx, space)
		switch {
		case err != nil:
			return nil, err
		case next == "":
			return e.result, e.flush(ctx)
		}
		space = next
		if err := e.space(ctx, space); err != nil {
			return nil, err
		}
	}
}

// checkEmbedder says what is wrong with the embedder.
func (c *Client) checkEmbedder() []*FieldError {
	if c.opts.Embedder == nil {
		return []*FieldError{{Index: -1, Field: "embedder", Rule: "is missing: vectors need Options.Embedder, or ACERVO_EMBED_URL and ACERVO_EMBED_MODEL"}}
	}
	if rule := ontology.CheckText(c.opts.Embedder.Model(), maxModel); rule != "" {
		return []*FieldError{{Index: -1, Field: "embedder.model", Value: ontology.Shorten(c.opts.Embedder.Model()), Rule: rule}}
	}
	return nil
}

// nextSpace gives the owner, or world, that comes after another one; "" is the end.
func (c *Client) nextSpace(ctx context.Context, after string) (next string, err error) {
	err = c.read(ctx, cypher.VectorOwner.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.VectorOwner, map[string]any{"after": after})
		if next = ""; err != nil || len(records) == 0 {
			return err
		}
		next, err = value[string](records[0], "owner")
		return err
	})
	return next, err
}

// embedding is a run of Reembed.
type embedding struct {
	c       *Client
	params  ReembedParams
	replace bool // the index, if it has other dimensions
	indexed int  // its dimensions as they were; 0: there was none
	result  *ReembedResult
	batch   []toEmbed // of several owners, where each has few
}

// toEmbed is an entity that needs a vector.
type toEmbed struct {
	space, id, text, digest string
}

// embedPage is how many entities one read gets.
const embedPage = 500

// space embeds what a space lacks.
func (e *embedding) space(ctx context.Context, space string) error {
	for after := ""; ; {
		page, err := e.page(ctx, space, after)
		if err != nil {
			return err
		}
		for _, entity := range page {
			after = entity.id
			e.result.Entities++
			if entity.text == "" {
				continue // it has its vector
			}
			if e.batch = append(e.batch, entity); len(e.batch) == e.params.Batch {
				if err := e.flush(ctx); err != nil {
					return err
				}
			}
		}
		if len(page) < embedPage {
			return nil
		}
	}
}

// page reads entities, with the texts of those that need a vector.
func (e *embedding) page(ctx context.Context, space, after string) (page []toEmbed, err error) {
	err = e.c.read(ctx, cypher.VectorTexts.Name, func(r runner) error {
		page = page[:0]
		records, err := r.run(ctx, cypher.VectorTexts, map[string]any{
			"space": space, "after": after, "limit": int64(embedPage), "facts": int64(embedFacts),
		})
		for _, record := range records {
			answer := record.AsMap()
			n := decodeNode(answer, 0, 0)
			entity := toEmbed{space: space, id: n.ID, text: textOf(n, stringsOf(answer["texts"]))}
			entity.digest = textDigest(entity.text)
			made := answer["digest"] == entity.digest && answer["model"] == e.result.Model && answer["dimensions"] == int64(e.indexed)
			if made && !e.params.All {
				entity.text = ""
			}
			page = append(page, entity)
		}
		return err
	})
	return page, err
}

// flush embeds and stores what was gathered.
func (e *embedding) flush(ctx context.Context) error {
	if len(e.batch) == 0 {
		return nil
	}
	texts := make([]string, len(e.batch))
	for i, entity := range e.batch {
		texts[i] = entity.text
	}
	vectors, err := e.c.embed(ctx, texts, e.result.Dimensions)
	if err != nil {
		return err
	}
	if e.result.Dimensions == 0 {
		if err := e.c.ensureVectorIndex(ctx, len(vectors[0]), e.replace); err != nil {
			return err
		}
		e.result.Dimensions = len(vectors[0])
	}
	rows := make([]map[string]any, len(e.batch))
	for i, entity := range e.batch {
		rows[i] = map[string]any{"owner": entity.space, "id": entity.id, "digest": entity.digest, "embedding": vectors[i]}
	}
	var stored int64
	if err := e.c.write(ctx, cypher.VectorStore.Name, func(r runner) error {
		records, err := r.run(ctx, cypher.VectorStore, map[string]any{
			"model": e.result.Model, "dimensions": int64(e.result.Dimensions), "rows": rows, "now": e.c.now(),
		})
		if err != nil {
			return err
		}
		stored, err = value[int64](records[0], "stored")
		return err
	}); err != nil {
		return err
	}
	e.result.Embedded += stored
	e.batch = e.batch[:0]
	if e.params.Progress != nil {
		e.params.Progress(*e.result)
	}
	return ctx.Err()
}
