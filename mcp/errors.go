package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acervo-graph/acervo/acervo"
)

// callError is what a model is told about a call that failed.
type callError struct {
	text string
	err  error
}

func (e *callError) Error() string { return e.text }
func (e *callError) Unwrap() error { return e.err }

// serverFailed is what a model is told of a fault of the server itself.
const serverFailed = "The server failed. Whoever runs it finds the reason in its log."

// shownFaults is how many faults of one call are told.
const shownFaults = 20

// mended makes of an error one that says how to mend the call, or, where the call
// isn't to blame, what is. What the server or the driver said is logged and not
// told, as it may hold addresses.
func (s *service) mended(tool string, err error) error {
	var (
		faults *acervo.ValidationError
		fault  *acervo.FieldError
		wrong  *acervo.DocumentError
		many   *acervo.AmbiguousError
		schema *acervo.SchemaError
		query  *acervo.QueryRefusedError
		server *acervo.DatabaseError
	)
	told := func(format string, args ...any) error { return &callError{fmt.Sprintf(format, args...), err} }
	blamed := func(format string, args ...any) error {
		s.log.Error().Str("tool", tool).Err(err).Msg("call failed")
		return told(format, args...)
	}
	switch {
	case errors.As(err, &faults):
		return told("Nothing was changed. Mend this and call %s again:\n%s%s", tool, describe(faults.Faults), s.example(tool))
	case errors.As(err, &fault):
		return told("Nothing was changed. Mend this and call %s again:\n%s%s", tool, describe([]*acervo.FieldError{fault}), s.example(tool))
	case errors.As(err, &wrong):
		return told("Nothing was changed. Mend this and call %s again:\n- %s%s", tool, wrongPlace(wrong), s.example(tool))
	case errors.As(err, &many):
		var l lines
		l.add("Nothing was changed: the name finds several entities. Call %s again with the id of the one that is meant, not the name:", tool)
		for _, c := range many.Candidates {
			l.add("- id %s: %s (%s, %s)", c.ID, oneLine(c.Label), oneLine(c.Type), c.Layer)
		}
		return told("%s", l.text())
	case errors.Is(err, acervo.ErrNotFound):
		return told("%s. Names match but for case and accents, and facts but for punctuation, too: look at the entity with the tool node for what is stored, or try another name or alias.", reason(err))
	case errors.As(err, &schema):
		return blamed("The memory's database isn't ready: whoever runs this server has to run `acervo migrate`, with the release of this server. Calling again doesn't help until then.")
	case errors.As(err, &query):
		return told("The statement was not run: %s. Only statements that read the graph are; ask for the same in another way.", query.Reason)
	case errors.Is(err, acervo.ErrTimeout):
		return told("The statement takes too long: begin it at a node with an index, or ask for less.")
	case errors.Is(err, acervo.ErrInvalid), errors.Is(err, acervo.ErrLimit):
		return told("Nothing was changed: %s.", reason(err))
	case errors.Is(err, acervo.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return blamed("The memory's database can't be reached now. The call itself may be right: send the same call again later. Go on without the memory until then, and say so if it matters.")
	case errors.Is(err, context.Canceled):
		return told("The call was cancelled.")
	case errors.Is(err, acervo.ErrForbidden), errors.Is(err, acervo.ErrUnsupported):
		return blamed("The memory's database refuses this server: whoever runs it has to look at its log. Calling again doesn't help.")
	case errors.As(err, &server):
		return blamed("The memory's database refused the call. Whoever runs this server finds the reason in its log.")
	case errors.Is(err, acervo.ErrConflict), errors.Is(err, acervo.ErrImmutable):
		return told("Nothing was changed: %s.", reason(err))
	}
	return blamed(serverFailed)
}

// example shows right arguments.
func (s *service) example(tool string) string {
	if e := s.examples[tool]; e != "" {
		return "\nArguments that are right, for example: " + e
	}
	return ""
}

// describe says what is wrong, each fault with its place as the arguments have it.
func describe(faults []*acervo.FieldError) string {
	var l lines
	for i, f := range faults {
		if i == shownFaults {
			l.add("- and %d more", len(faults)-shownFaults)
			break
		}
		at := f.Field
		if f.Item != "" && f.Index >= 0 {
			at = fmt.Sprintf("%s[%d].%s", plural(f.Item), f.Index, f.Field)
		}
		if f.Value != "" {
			at += fmt.Sprintf(" %q", f.Value)
		}
		l.add("- %s %s", at, f.Rule)
	}
	return l.text()
}

// wrongPlace says where the text of the arguments is wrong.
func wrongPlace(e *acervo.DocumentError) string {
	if e.Item == "" {
		return "the arguments: " + e.Rule
	}
	return fmt.Sprintf("%s[%d]: %s", plural(e.Item), e.Index, e.Rule)
}

// plural is the list that an item is in.
func plural(item string) string {
	if item == "entity" {
		return "entities"
	}
	return item + "s"
}

// reason is what an error of acervo says, without the name of the call.
func reason(err error) string {
	text := err.Error()
	if _, after, ok := strings.Cut(text, ": "); ok {
		text = after
	}
	return strings.TrimSuffix(text, ": "+acervo.ErrNotFound.Error())
}
