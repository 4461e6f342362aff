package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const secretKey = "sk-very-secret"

// endpoint is a local stub: it answers with vectors that tell their texts apart.
func endpoint(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

// client is a client of a stub whose waits are noted, not waited.
func client(t *testing.T, cfg Config) (*Client, *[]time.Duration) {
	t.Helper()
	if cfg.Model == "" {
		cfg.Model = "m"
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	waits := &[]time.Duration{}
	c.sleep = func(ctx context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return ctx.Err()
	}
	return c, waits
}

// answer writes vectors of the texts' lengths, the last first.
func answer(t *testing.T, w http.ResponseWriter, r *http.Request) request {
	t.Helper()
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		t.Error(err)
	}
	var data []string
	for i := len(req.Input) - 1; i >= 0; i-- {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,0.5]}`, i, len(req.Input[i])))
	}
	fmt.Fprintf(w, `{"object":"list","data":[%s],"usage":{"total_tokens":1}}`, strings.Join(data, ","))
	return req
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	var sizes []int
	url := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer "+secretKey || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		req := answer(t, w, r)
		sizes = append(sizes, len(req.Input))
		if req.Model != "small" || req.Dimensions != 2 {
			t.Errorf("%+v", req)
		}
	})
	c, _ := client(t, Config{BaseURL: url + "/v1/", Model: "small", Key: secretKey, Dimensions: 2, Batch: 2})
	vectors, err := c.Embed(t.Context(), []string{"a", "bb", "ccc", "\"\x00ñ", "日本"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{{1, 0.5}, {2, 0.5}, {3, 0.5}, {4, 0.5}, {6, 0.5}}, vectors); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{2, 2, 1}, sizes); diff != "" {
		t.Errorf("batches:\n%s", diff)
	}
	if vectors, err := c.Embed(t.Context(), nil); err != nil || len(vectors) != 0 || len(sizes) != 3 {
		t.Errorf("no texts: %v, %v", vectors, err)
	}
	if c.Model() != "small" {
		t.Error(c.Model())
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		statuses []int // then 200
		after    string
		tries    int32
		waits    int // how many, of the endpoint's own length if it gives one
		err      bool
	}{
		{"one after the other", []int{429, 500, 503}, "", 4, 3, false},
		{"the endpoint says when", []int{429}, "7", 2, 1, false},
		{"it asks for too much", []int{429}, "3600", 1, 0, true},
		{"a time that is over", []int{503}, "Wed, 21 Oct 2015 07:28:00 GMT", 2, 1, false},
		{"never better", []int{503, 503, 503, 503, 503, 503}, "", 5, 4, true},
		{"refused", []int{401}, "", 1, 0, true},
		{"not found", []int{404}, "", 1, 0, true},
		{"elsewhere", []int{307}, "", 1, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			url := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
				if n := int(calls.Add(1)); n <= len(tt.statuses) {
					w.Header().Set("Retry-After", tt.after)
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(tt.statuses[n-1])
					fmt.Fprintf(w, `{"error":{"message":"bad key %s,\n\u001b[31mreally","type":"x"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
					return
				}
				answer(t, w, r)
			})
			c, waits := client(t, Config{BaseURL: url, Key: secretKey})
			_, err := c.Embed(t.Context(), []string{"a"})
			if (err != nil) != tt.err || calls.Load() != tt.tries || len(*waits) != tt.waits {
				t.Errorf("%d calls, waits %v, %v", calls.Load(), *waits, err)
			}
			for i, w := range *waits {
				if tt.after == "7" && w != 7*time.Second || w < firstWait/2 || w > firstWait/2+firstWait<<i && tt.after == "" {
					t.Errorf("wait %d is %s", i, w)
				}
			}
			var status *StatusError
			if tt.err && (!errors.As(err, &status) || status.Status != tt.statuses[0] || !strings.Contains(err.Error(), "bad key [key], [31mreally")) {
				t.Errorf("%v", err)
			}
			if err != nil && strings.Contains(err.Error(), secretKey) {
				t.Errorf("the key is in %q", err)
			}
		})
	}
}

func TestLostConnection(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	url := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			panic(http.ErrAbortHandler) // the connection breaks
		}
		answer(t, w, r)
	})
	c, waits := client(t, Config{BaseURL: url})
	if _, err := c.Embed(t.Context(), []string{"a"}); err != nil || len(*waits) != 1 {
		t.Errorf("%v, waits %v", err, *waits)
	}
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	c, waits = client(t, Config{BaseURL: s.URL, Tries: 2})
	if _, err := c.Embed(t.Context(), []string{"a"}); err == nil || len(*waits) != 1 {
		t.Errorf("nobody there: %v, waits %v", err, *waits)
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	url := endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-done:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(done) })
	c, waits := client(t, Config{BaseURL: url, Timeout: 30 * time.Millisecond, Tries: 2})
	if _, err := c.Embed(t.Context(), []string{"a"}); err == nil || errors.Is(err, context.Canceled) || len(*waits) != 1 {
		t.Errorf("%v, waits %v", err, *waits)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	c, waits = client(t, Config{BaseURL: url})
	if _, err := c.Embed(ctx, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) || len(*waits) != 0 {
		t.Errorf("%v, waits %v", err, *waits)
	}
}

func TestBadAnswers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"data":[{"index":0,"embedding":[1,2]}]}`:                                   "1 vectors for 2 texts",
		`{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`:     "which vector",
		`{"data":[{"index":0,"embedding":[1,2]},{"index":2,"embedding":[1,2]}]}`:     "which vector",
		`{"data":[{"embedding":[1,2]},{"embedding":[1,2]}]}`:                         "which vector",
		`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}`:       "1 dimensions, not 2",
		`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`:           "0 dimensions",
		`{"data":[{"index":0,"embedding":[1e300,2]},{"index":1,"embedding":[1,2]}]}`: "can't be read",
		`{"data":[{"index":0,"embedding":"AACAPw=="}]}`:                              "can't be read",
		`not json`: "can't be read",
		``:         "can't be read",
	} {
		c, _ := client(t, Config{BaseURL: endpoint(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })})
		if vectors, err := c.Embed(t.Context(), []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", body, vectors, err)
		}
	}
	c, _ := client(t, Config{Dimensions: 3, BaseURL: endpoint(t, func(w http.ResponseWriter, r *http.Request) { answer(t, w, r) })})
	if _, err := c.Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "2 dimensions, not 3") {
		t.Errorf("other dimensions than asked for: %v", err)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{
		{}, {BaseURL: "http://h/v1"}, {Model: "m"}, {BaseURL: "ftp://h", Model: "m"}, {BaseURL: "http://", Model: "m"}, {BaseURL: "h/v1", Model: "m"},
		{BaseURL: "http://user:" + secretKey + "@h/v1", Model: "m"}, {BaseURL: "http://h/v1?key=" + secretKey, Model: "m"}, {BaseURL: "http://h/\x00" + secretKey, Model: "m"},
		{BaseURL: "http://h", Model: "m", Dimensions: 4097}, {BaseURL: "http://h", Model: "m", Batch: -1}, {BaseURL: "http://h", Model: "m", Tries: -1},
		{BaseURL: "http://h", Model: "m", Timeout: -1}, {BaseURL: "http://h", Model: "m", MaxWait: -1},
	} {
		if _, err := New(cfg); err == nil || strings.Contains(err.Error(), secretKey) {
			t.Errorf("%v: %v", cfg, err)
		}
	}
	c, _ := client(t, Config{BaseURL: "http://h/v1", Key: secretKey})
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", c, c, c), fmt.Sprintf("%v %+v %#v %s", Config{Key: secretKey}, Config{Key: secretKey}, Config{Key: secretKey}, &Config{Key: secretKey})} {
		if strings.Contains(text, secretKey) {
			t.Errorf("the key is in %s", text)
		}
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, name := range []string{"URL", "MODEL", "KEY", "DIMENSIONS"} {
		t.Setenv("ACERVO_EMBED_"+name, "")
	}
	if _, err := FromEnvironment(); !errors.Is(err, ErrNotConfigured) {
		t.Errorf("nothing: %v", err)
	}
	t.Setenv("ACERVO_EMBED_URL", endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+secretKey {
			t.Error(r.Header)
		}
		answer(t, w, r)
	}))
	if _, err := FromEnvironment(); err == nil || errors.Is(err, ErrNotConfigured) {
		t.Errorf("no model: %v", err)
	}
	t.Setenv("ACERVO_EMBED_MODEL", "m")
	t.Setenv("ACERVO_EMBED_KEY", secretKey)
	t.Setenv("ACERVO_EMBED_DIMENSIONS", "two")
	if _, err := FromEnvironment(); err == nil {
		t.Error("two is a number")
	}
	t.Setenv("ACERVO_EMBED_DIMENSIONS", "2")
	c, err := FromEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed(t.Context(), []string{"a"}); err != nil {
		t.Error(err)
	}
}
