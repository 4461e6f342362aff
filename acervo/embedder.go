package acervo

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Embedder makes vectors of texts, whose distance says how near their meanings are.
// Package embed has one for endpoints that speak as OpenAI's does. It has to be safe
// for concurrent use.
type Embedder interface {
	// Model names what makes the vectors, up to 256 bytes. Vectors of different models
	// are never compared.
	Model() string
	// Embed gives one vector for each text, in their order, all of the same number of
	// dimensions, from 1 to 4,096.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// ErrEmbedder is returned when the embedder fails or gives what can't be used; see
// [EmbedderError].
var ErrEmbedder = errors.New("embedder failed")

// EmbedderError is returned when an embedder fails, or what it gives can't be used.
type EmbedderError struct {
	// Model is the embedder's model.
	Model string
	// Err is the embedder's error, or what is wrong with its vectors.
	Err error
}

// Error names the model and what is wrong.
func (e *EmbedderError) Error() string { return fmt.Sprintf("embedder %q: %v", e.Model, e.Err) }

// Is reports that the error is ErrEmbedder.
func (e *EmbedderError) Is(target error) bool { return target == ErrEmbedder }

// Unwrap returns the error behind it.
func (e *EmbedderError) Unwrap() error { return e.Err }

// VectorIndexError is returned when an embedder's vectors don't fit the vector index.
type VectorIndexError struct {
	// Stored is how many dimensions the index has, Dimensions how many the vectors have.
	Stored, Dimensions int
}

// Error says what to do.
func (e *VectorIndexError) Error() string {
	return fmt.Sprintf("the vectors have %d dimensions and the vector index has %d: use the model that it was made for, or replace every vector with Client.Reembed and All, or `acervo reembed --all` without an owner", e.Dimensions, e.Stored)
}

// Is reports that the error is ErrConflict.
func (e *VectorIndexError) Is(target error) bool { return target == ErrConflict }

const (
	maxDimensions = 4096 // of a vector index of Neo4j 5.26
	maxModel      = 256
)

// embed makes vectors of texts and checks them. dimensions is how many they have to
// have; 0: as many as the first has.
func (c *Client) embed(ctx context.Context, texts []string, dimensions int) ([][]float32, error) {
	e := c.opts.Embedder
	vectors, err := e.Embed(ctx, texts)
	if err == nil {
		err = checkVectors(vectors, len(texts), dimensions)
	}
	switch {
	case err == nil:
		return vectors, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, &EmbedderError{Model: e.Model(), Err: err}
}

// checkVectors says what is wrong with vectors of a number of texts.
func checkVectors(vectors [][]float32, texts, dimensions int) error {
	if len(vectors) != texts {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), texts)
	}
	for i, v := range vectors {
		if dimensions == 0 {
			dimensions = len(v)
		}
		switch {
		case len(v) != dimensions:
			return fmt.Errorf("vector %d has %d dimensions, not %d", i, len(v), dimensions)
		case len(v) == 0 || len(v) > maxDimensions:
			return fmt.Errorf("vector %d has %d dimensions, not from 1 to %d", i, len(v), maxDimensions)
		}
		// The index takes no vector without a length, or one that isn't a finite
		// number in single precision.
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if norm := math.Sqrt(sum); !(norm > math.SmallestNonzeroFloat32) || norm > math.MaxFloat32 {
			return fmt.Errorf("vector %d has no direction: it is zero or not finite", i)
		}
	}
	return nil
}
