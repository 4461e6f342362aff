// Command chat is a chat that remembers. For each message it takes a turn, gives the
// context to a language model, and stores what the model finds worth remembering.
//
//	go run ./integration/server with -- go run ./examples/chat
//
// starts a Neo4j, if NEO4J_URI names none, and plays a conversation with a model that
// is a script and answers with what the memory gave it. To talk with a real model,
// name an endpoint that speaks OpenAI's chat completions, as llama.cpp, Ollama and
// vLLM do:
//
//	export OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3 OPENAI_API_KEY=
//
// ACERVO_OWNER is the name of who talks, ada if it isn't set.
package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/acervo-graph/acervo/acervo"
)

func main() {
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chat:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer) error {
	client, err := acervo.Open(ctx, acervo.Config{
		URI: os.Getenv("NEO4J_URI"), Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD"),
	})
	if err != nil {
		return err
	}
	defer client.Close(ctx)
	if _, err := client.Migrate(ctx); err != nil {
		return err
	}
	owner := cmp.Or(os.Getenv("ACERVO_OWNER"), "ada")
	c := &chat{memory: client.Memory(owner).WithSession("chat"), out: out}
	if url := os.Getenv("OPENAI_BASE_URL"); url != "" {
		c.model = newEndpoint(url, os.Getenv("OPENAI_MODEL"), os.Getenv("OPENAI_API_KEY"), owner)
		return talk(ctx, c, in)
	}
	model, err := newScripted()
	if err != nil {
		return err
	}
	c.model = model
	return play(ctx, c, model)
}

// talk takes a turn for each line, until the input ends. A turn that fails is told,
// and the next one may do better: nothing of it is half done.
func talk(ctx context.Context, c *chat, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for fmt.Fprint(c.out, "> "); lines.Scan(); fmt.Fprint(c.out, "> ") {
		if err := c.turn(ctx, lines.Text()); err != nil {
			fmt.Fprintln(os.Stderr, "chat:", err)
		}
	}
	fmt.Fprintln(c.out)
	return lines.Err()
}

// play takes the turns of a script.
func play(ctx context.Context, c *chat, s scripted) error {
	for _, line := range s {
		fmt.Fprintln(c.out, ">", line.Message)
		if err := c.turn(ctx, line.Message); err != nil {
			return err
		}
	}
	return nil
}
