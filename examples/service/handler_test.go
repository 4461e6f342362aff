package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/acervo-graph/acervo/acervo"
)

const adas = "adas-token-0123456789abcdef012345678"

// TestStatus fails with each kind of error; what isn't the caller's fault isn't told.
func TestStatus(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{acervo.ErrInvalid, 400, "invalid"},
		{&acervo.LimitError{Kind: "type"}, 400, "invalid"},
		{&acervo.DocumentError{Rule: "is no JSON"}, 400, "invalid"},
		{&acervo.NotFoundError{Names: []string{"Ada"}}, 404, "not_found"},
		{&acervo.AmbiguousError{}, 409, "conflict"},
		{&acervo.ImmutableError{Entity: "ada"}, 403, "immutable"},
		{&http.MaxBytesError{Limit: 1}, 413, "too_long"},
		{acervo.ErrTimeout, 504, "timeout"},
		{context.DeadlineExceeded, 504, "timeout"},
		{&acervo.DatabaseError{Kind: acervo.ErrUnavailable, Err: fmt.Errorf("10.0.0.1")}, 503, "unavailable"},
		{&acervo.SchemaError{Missing: []string{"10.0.0.1"}}, 503, "unavailable"},
		{&acervo.DatabaseError{Kind: acervo.ErrForbidden, Err: fmt.Errorf("10.0.0.1")}, 500, "internal"},
		{fmt.Errorf("10.0.0.1"), 500, "internal"},
	} {
		w := httptest.NewRecorder()
		fail(w, httptest.NewRequest("GET", "/", nil), fmt.Errorf("wrapped: %w", test.err))
		body := w.Body.String()
		if w.Code != test.status || !strings.Contains(body, `{"error":{"code":"`+test.code+`",`) || strings.Contains(body, "10.0.0.1") {
			t.Errorf("%v: %d, %s", test.err, w.Code, body)
		}
	}
}

// TestTokens refuses tokens that are none, and requests that bear another.
func TestTokens(t *testing.T) {
	t.Parallel()
	for _, tokens := range []map[string]string{nil, {"": "ada"}, {"short": "ada"}, {adas: ""}} {
		if _, err := newHandler(acervo.New(nil, nil), tokens); err == nil {
			t.Errorf("%v is taken", tokens)
		}
	}
	handler, err := newHandler(acervo.New(nil, nil), map[string]string{adas: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]int{
		"": 401, adas: 401, "Bearer": 401, "Bearer ": 401, "Bearer x": 401, "Basic " + adas: 401, "Bearer " + adas[1:]: 401, "Bearer " + adas + " ": 401,
		"Bearer " + adas: 404, "bearer " + adas: 404,
	} {
		r, w := httptest.NewRequest("GET", "/nothing", nil), httptest.NewRecorder()
		if header != "" {
			r.Header.Set("Authorization", header)
		}
		handler.ServeHTTP(w, r)
		if w.Code != want || (want == 401) != (w.Header().Get("WWW-Authenticate") != "") {
			t.Errorf("%q: %d, %s", header, w.Code, w.Body)
		}
	}
}
