package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/acervo-graph/acervo/acervo"
)

const (
	maxBody        = 1 << 20 // bytes of a request
	requestTimeout = time.Minute
)

// newHandler makes the service of a client, which all requests share, for
// the owners of tokens.
func newHandler(client *acervo.Client, tokens map[string]string) (http.Handler, error) {
	owners, err := newOwners(tokens)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	handle := func(pattern string, work func(r *http.Request, m *acervo.Memory) (any, error)) {
		mux.Handle(pattern, owners.authenticated(func(w http.ResponseWriter, r *http.Request, owner string) {
			ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
			defer cancel()
			r = r.WithContext(ctx)
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			result, err := work(r, client.Memory(owner))
			if err != nil {
				fail(w, r, err)
				return
			}
			reply(w, http.StatusOK, result)
		}))
	}
	handle("POST /remember", remember)
	handle("POST /turn", turn)
	handle("GET /search", search)
	handle("DELETE /memory", forget)
	handle("/", func(*http.Request, *acervo.Memory) (any, error) { return nil, errNoRoute })
	return mux, nil
}

// remember stores one document, all of it or nothing.
func remember(r *http.Request, m *acervo.Memory) (any, error) {
	var documents []acervo.Document
	for d, err := range acervo.DecodeDocuments(r.Body) {
		if err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	if len(documents) != 1 {
		return nil, invalid("body", fmt.Sprintf("has %d documents, not one", len(documents)))
	}
	if d := documents[0]; d.Owner != "" || d.Params.Layer != "" {
		return nil, invalid("owner and layer", "are left out here: whose memory it is, the token says")
	}
	return m.UpsertEntities(r.Context(), documents[0].Params)
}

// turn takes a turn in a session of the user.
func turn(r *http.Request, m *acervo.Memory) (any, error) {
	var in struct {
		Message string `json:"message"`
		Session string `json:"session"`
		TurnID  string `json:"turn_id"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return nil, fmt.Errorf("%w: %w", invalid("body", "isn't like {\"message\": \"…\"}"), err)
	}
	if in.Session != "" {
		m = m.WithSession(in.Session)
	}
	return m.Turn(r.Context(), acervo.TurnParams{Message: in.Message, TurnID: in.TurnID})
}

// search finds entities by words.
func search(r *http.Request, m *acervo.Memory) (any, error) {
	params := acervo.SearchParams{Text: r.FormValue("q")}
	for name, to := range map[string]*int{"limit": &params.Limit, "offset": &params.Offset} {
		if text := r.FormValue(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				return nil, invalid(name, "is no number")
			}
			*to = n
		}
	}
	return m.Search(r.Context(), params)
}

// forget removes everything of the user. It can be called again if it was cut off.
func forget(r *http.Request, m *acervo.Memory) (any, error) {
	return m.Forget(r.Context(), acervo.ForgetParams{})
}

var errNoRoute = errors.New("there is nothing here: POST /remember, POST /turn, GET /search, DELETE /memory")
