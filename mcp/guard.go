package mcp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acervo-graph/acervo/acervo"
)

// guard is around each request: it bounds its time, checks the text of arguments
// and keeps the server up when one panics.
func (s *service) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
		start := time.Now()
		tool, isCall := request.(*sdk.CallToolRequest)
		name := ""
		if isCall {
			name = tool.Params.Name
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, s.opts.CallTimeout)
			defer cancel()
		}
		defer func() {
			if p := recover(); p != nil {
				s.log.Error().Str("method", method).Str("tool", name).Str("panic", fmt.Sprint(p)).Str("stack", string(debug.Stack())).Msg("panicked")
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server failed; its log says why"}
				if isCall {
					result, err = failed(&callError{text: serverFailed}), nil
				}
			}
			s.log.Debug().Str("method", method).Str("tool", name).Dur("ms", time.Since(start)).Bool("failed", err != nil || isFailed(result)).Msg("request")
		}()
		if isCall {
			if err := acervo.CheckJSON(tool.Params.Arguments); err != nil {
				return failed(s.mended(name, err)), nil
			}
		}
		if resource, ok := request.(*sdk.ReadResourceRequest); ok {
			return plainly(ctx, method, resource, next)
		}
		result, err = next(ctx, method, request)
		if r, ok := result.(*sdk.CallToolResult); ok && err == nil && r.IsError {
			s.explain(name, r)
		}
		return result, err
	}
}

// plainly reads a resource whose address may have letters of any script, and blanks,
// as they are: the SDK knows addresses only where such are escaped.
func plainly(ctx context.Context, method string, request *sdk.ReadResourceRequest, next sdk.MethodHandler) (sdk.Result, error) {
	given := request.Params.URI
	var escaped strings.Builder
	for _, b := range []byte(given) {
		if b <= ' ' || b >= 0x7f || strings.IndexByte("\"<>\\^`{|}", b) >= 0 {
			fmt.Fprintf(&escaped, "%%%02X", b)
		} else {
			escaped.WriteByte(b)
		}
	}
	request.Params.URI = escaped.String()
	result, err := next(ctx, method, request)
	if r, ok := result.(*sdk.ReadResourceResult); ok && r != nil {
		for _, c := range r.Contents {
			c.URI = given
		}
	}
	return result, err
}

// explain says how to mend arguments that the SDK has found to break the schema.
func (s *service) explain(tool string, r *sdk.CallToolResult) {
	var ours *callError
	err := r.GetError()
	if err == nil || errors.As(err, &ours) {
		return
	}
	text := strings.TrimPrefix(err.Error(), `validating "arguments": `)
	text = fmt.Sprintf("Nothing was changed. Mend the arguments and call %s again:\n- %s%s", tool, shortened(text), s.example(tool))
	r.Content = failed(&callError{text, err}).Content
}

// shortened bounds what is told of arguments, which may be huge.
func shortened(text string) string {
	const most = 600
	runes := []rune(text[:min(len(text), 4*most)])
	if len(runes) <= most && len(text) <= 4*most {
		return text
	}
	return strings.ToValidUTF8(string(runes[:min(len(runes), most)]), "") + "…"
}

// failed is the result of a call that failed.
func failed(err error) *sdk.CallToolResult {
	r := &sdk.CallToolResult{}
	r.SetError(err)
	return r
}

func isFailed(result sdk.Result) bool {
	r, ok := result.(*sdk.CallToolResult)
	return ok && r != nil && r.IsError
}
