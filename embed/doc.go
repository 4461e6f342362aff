// Package embed makes vectors of texts by any endpoint that speaks as OpenAI's
// embeddings endpoint does: OpenAI itself, and servers of local models such as Ollama,
// llama.cpp, vLLM and LM Studio.
//
//	embedder, err := embed.New(embed.Config{BaseURL: "http://localhost:11434/v1", Model: "nomic-embed-text"})
//	client, err := acervo.Open(ctx, acervo.Config{…, Options: &acervo.Options{Embedder: embedder}})
//
// It sends texts in batches, tries again what may succeed later, and never has the key
// in an error.
package embed
