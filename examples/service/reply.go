package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"

	"github.com/acervo-graph/acervo/acervo"
)

// errorBody is what the body of an answer that isn't 200 has as "error".
type errorBody struct {
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Faults  []fault `json:"faults,omitempty"`
}

// fault is one fault of a document.
type fault struct {
	Item  string `json:"item,omitempty"`
	Index int    `json:"index"`
	Field string `json:"field"`
	Rule  string `json:"rule"`
}

func invalid(field, rule string) error {
	return &acervo.ValidationError{Faults: []*acervo.FieldError{{Index: -1, Field: field, Rule: rule}}}
}

// fail answers with an error. What the caller can mend is told; of the rest the log
// has the reason, as it may hold addresses.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	status, code := statusOf(err)
	body := errorBody{Code: code, Message: err.Error()}
	if status >= http.StatusInternalServerError {
		log.Printf("%s %s: %v", r.Method, r.URL.Path, err)
		body.Message = "the memory can't do this now"
	}
	var faults *acervo.ValidationError
	if errors.As(err, &faults) {
		for _, f := range faults.Faults {
			body.Faults = append(body.Faults, fault{f.Item, f.Index, f.Field, f.Rule})
		}
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	reply(w, status, body)
}

// statusOf gives the status of an error, and its name.
func statusOf(err error) (int, string) {
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return http.StatusRequestEntityTooLarge, "too_long"
	case errors.Is(err, acervo.ErrInvalid), errors.Is(err, acervo.ErrLimit):
		return http.StatusBadRequest, "invalid"
	case errors.Is(err, acervo.ErrNotFound), errors.Is(err, errNoRoute):
		return http.StatusNotFound, "not_found"
	case errors.Is(err, acervo.ErrConflict):
		return http.StatusConflict, "conflict"
	case errors.Is(err, acervo.ErrImmutable):
		return http.StatusForbidden, "immutable"
	case errors.Is(err, acervo.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, "timeout"
	case errors.Is(err, acervo.ErrUnavailable), errors.Is(err, acervo.ErrSchemaOutdated):
		return http.StatusServiceUnavailable, "unavailable"
	}
	return http.StatusInternalServerError, "internal"
}

// reply writes a result, or an error, as JSON.
func reply(w http.ResponseWriter, status int, body any) {
	if e, ok := body.(errorBody); ok {
		body = map[string]errorBody{"error": e}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Print(err) // the client has gone
	}
}
