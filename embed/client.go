package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// maxAnswer is how many bytes an answer may have.
const maxAnswer = 256 << 20

// firstWait is how long the first wait between two tries is on average.
const firstWait = 500 * time.Millisecond

// Client makes vectors by one endpoint. It is safe for concurrent use.
type Client struct {
	cfg       Config // without the key
	url       string
	http      *http.Client
	authorize func(h http.Header) // a function, which is never printed
	redact    func(text string) string
	sleep     func(ctx context.Context, d time.Duration) error
}

// StatusError is returned when the endpoint refuses a request.
type StatusError struct {
	// Status is the HTTP status, for example 401.
	Status int
	// Message is the endpoint's own, shortened, without the key.
	Message string
}

// Error gives the status and the message.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the endpoint answers %d %s", e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// New returns a client. It does no I/O.
func New(cfg Config) (*Client, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	key := cfg.Key
	cfg.Key = ""
	return &Client{
		cfg: cfg, url: strings.TrimRight(cfg.BaseURL, "/") + "/embeddings",
		http: &http.Client{
			Transport: cfg.Transport, Timeout: cfg.Timeout,
			// The key and the texts go where they were meant to go.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		authorize: func(h http.Header) {
			if key != "" {
				h.Set("Authorization", "Bearer "+key)
			}
		},
		redact: func(text string) string {
			if key == "" {
				return text
			}
			return strings.ReplaceAll(text, key, "[key]")
		},
		sleep: func(ctx context.Context, d time.Duration) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(d):
				return nil
			}
		},
	}, nil
}

// Model returns the name of the model.
func (c *Client) Model() string { return c.cfg.Model }

// Embed gives one vector for each text, in their order, all of the same number of
// dimensions. It sends them in batches, one after the other, and fails as a whole: with
// a [*StatusError] if the endpoint refuses one, and else with what is wrong with the
// connection or the answer.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	dimensions := c.cfg.Dimensions
	for batch := range slices.Chunk(texts, c.cfg.Batch) {
		body, err := json.Marshal(request{Model: c.cfg.Model, Input: batch, Dimensions: c.cfg.Dimensions})
		if err != nil {
			return nil, err
		}
		answer, err := c.patiently(ctx, body)
		if err != nil {
			return nil, err
		}
		made, err := decode(answer, len(batch), dimensions)
		if err != nil {
			return nil, err
		}
		dimensions = len(made[0])
		vectors = append(vectors, made...)
	}
	return vectors, nil
}

type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// decode reads the vectors of an answer in the order of their texts.
func decode(answer []byte, texts, dimensions int) ([][]float32, error) {
	var response struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &response); err != nil {
		return nil, fmt.Errorf("the endpoint's answer can't be read: %w", err)
	}
	if len(response.Data) != texts {
		return nil, fmt.Errorf("the endpoint gives %d vectors for %d texts", len(response.Data), texts)
	}
	vectors := make([][]float32, texts)
	for _, d := range response.Data {
		if d.Index == nil || *d.Index < 0 || *d.Index >= texts || vectors[*d.Index] != nil {
			return nil, errors.New("the endpoint doesn't say which vector belongs to which text")
		}
		if dimensions == 0 {
			dimensions = len(d.Embedding)
		}
		if len(d.Embedding) != dimensions || dimensions == 0 {
			return nil, fmt.Errorf("the endpoint gives a vector of %d dimensions, not %d", len(d.Embedding), dimensions)
		}
		vectors[*d.Index] = d.Embedding
	}
	return vectors, nil
}

// patiently sends a request, and again after a while if that may help.
func (c *Client) patiently(ctx context.Context, body []byte) ([]byte, error) {
	for try := 1; ; try++ {
		answer, after, err := c.send(ctx, body)
		switch {
		case err == nil:
			return answer, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case after < 0 || try == c.cfg.Tries:
			return nil, err
		case after > c.cfg.MaxWait:
			return nil, fmt.Errorf("%w; it asks to wait %s, longer than %s", err, after.Round(time.Second), c.cfg.MaxWait)
		}
		if after == 0 {
			// Twice as long with each try, by chance, so that many don't come back at once.
			after = firstWait/2 + rand.N(min(firstWait<<min(try-1, 20), c.cfg.MaxWait))
		}
		if err := c.sleep(ctx, min(after, c.cfg.MaxWait)); err != nil {
			return nil, err
		}
	}
}

// never says that it is no use to send a request again.
const never = time.Duration(-1)

// send sends a request once. After an error it says how long to wait before the next
// try: 0 leaves it to the caller.
func (c *Client) send(ctx context.Context, body []byte) ([]byte, time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, never, err
	}
	req.Header.Set("Content-Type", "application/json")
	c.authorize(req.Header)
	response, err := c.http.Do(req)
	if err != nil {
		return nil, 0, c.lost(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, retryAfter(response), &StatusError{Status: response.StatusCode, Message: c.message(answer)}
	case err != nil:
		return nil, 0, c.lost(err)
	case len(answer) > maxAnswer:
		return nil, never, fmt.Errorf("the endpoint's answer has more than %d bytes", maxAnswer)
	}
	return answer, 0, nil
}

// lost is an error of the connection, without the key.
func (c *Client) lost(err error) error {
	if text := err.Error(); c.redact(text) != text {
		return errors.New(c.redact(text))
	}
	return err
}

// retryAfter says how long to wait after a status: as long as the endpoint asks for.
func retryAfter(r *http.Response) time.Duration {
	if r.StatusCode != http.StatusTooManyRequests && r.StatusCode != http.StatusRequestTimeout && r.StatusCode < 500 {
		return never
	}
	header := r.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(header); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// message is what the endpoint says of an error, as one short line.
func (c *Client) message(answer []byte) string {
	const limit = 300
	var known struct {
		Error json.RawMessage `json:"error"`
	}
	text := string(answer)
	if json.Unmarshal(answer, &known) == nil && len(known.Error) > 0 {
		var said struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(known.Error, &said) == nil && said.Message != "" {
			text = said.Message
		} else if json.Unmarshal(known.Error, &text) != nil {
			text = string(known.Error)
		}
	}
	text = c.redact(text) // before it is cut, or a part of the key might stay
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if text = strings.Join(strings.Fields(text), " "); len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
