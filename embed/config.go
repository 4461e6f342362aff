package embed

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

// Config says which endpoint makes the vectors, and how it is called.
type Config struct {
	// BaseURL is the address before "/embeddings", for example
	// "https://api.openai.com/v1": http or https, without user, query and fragment.
	// Required.
	BaseURL string
	// Model is the endpoint's name of the model. Required.
	Model string
	// Key is sent as a bearer token. Default: none is sent.
	Key string
	// Dimensions asks the model for vectors of so many dimensions, from 1 to 4,096, which
	// not every model can. Default: the model's own number.
	Dimensions int
	// Batch is how many texts one request holds, from 1 to 2,048. Default 64.
	Batch int
	// Timeout bounds each request. Default 1 minute.
	Timeout time.Duration
	// Tries is how often a request is sent at the most, from 1: after the statuses 408,
	// 429 and 5xx, and where there is no answer. Default 5.
	Tries int
	// MaxWait bounds the wait between two tries. A longer one, asked for by the endpoint
	// with Retry-After, ends the call. Default 1 minute.
	MaxWait time.Duration
	// Transport sends the requests. Default [http.DefaultTransport].
	Transport http.RoundTripper
}

// String gives the settings without the key.
func (c Config) String() string {
	return fmt.Sprintf("%s, model %s", c.BaseURL, c.Model)
}

// GoString is String, so that no way of printing has the key.
func (c Config) GoString() string { return c.String() }

// ErrNotConfigured is returned by [FromEnvironment] when the environment names no
// embedder.
var ErrNotConfigured = errors.New("no embedder is configured: ACERVO_EMBED_URL and ACERVO_EMBED_MODEL name one")

// FromEnvironment returns a client with the settings of ACERVO_EMBED_URL,
// ACERVO_EMBED_MODEL, ACERVO_EMBED_KEY and ACERVO_EMBED_DIMENSIONS; those that are
// empty are as if they weren't there. It fails with ErrNotConfigured if there is neither
// an URL nor a model.
func FromEnvironment() (*Client, error) {
	cfg := Config{BaseURL: os.Getenv("ACERVO_EMBED_URL"), Model: os.Getenv("ACERVO_EMBED_MODEL"), Key: os.Getenv("ACERVO_EMBED_KEY")}
	if cfg.BaseURL == "" && cfg.Model == "" {
		return nil, ErrNotConfigured
	}
	if d := os.Getenv("ACERVO_EMBED_DIMENSIONS"); d != "" {
		n, err := strconv.Atoi(d)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("embed: ACERVO_EMBED_DIMENSIONS %q is no number of dimensions", d)
		}
		cfg.Dimensions = n
	}
	return New(cfg)
}

// check fills in defaults and says what can't be used.
func (c *Config) check() error {
	u, err := url.Parse(c.BaseURL)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.User != nil, u.RawQuery != "", u.Fragment != "":
		// The text isn't repeated: it may hold a key.
		return errors.New("embed: the URL has to be like https://host/v1, without user, query and fragment")
	case c.Model == "":
		return errors.New("embed: the model is empty")
	}
	for _, n := range []struct {
		name           string
		value          *int
		otherwise, max int
	}{{"dimensions", &c.Dimensions, 0, 4096}, {"batch", &c.Batch, 64, 2048}, {"tries", &c.Tries, 5, 100}} {
		if *n.value < 0 || *n.value > n.max {
			return fmt.Errorf("embed: %s %d isn't from 1 to %d", n.name, *n.value, n.max)
		}
		if *n.value == 0 {
			*n.value = n.otherwise
		}
	}
	for _, d := range []struct {
		name  string
		value *time.Duration
	}{{"timeout", &c.Timeout}, {"wait", &c.MaxWait}} {
		if *d.value < 0 {
			return fmt.Errorf("embed: %s %s is negative", d.name, *d.value)
		}
		if *d.value == 0 {
			*d.value = time.Minute
		}
	}
	return nil
}
