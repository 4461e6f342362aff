package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acervo-graph/acervo/acervo"
)

const (
	ontologyURI = "acervo://ontology"
	nodePrefix  = "acervo://node/"
	jsonType    = "application/json"
)

func (s *service) addResources() {
	s.server.AddResource(&sdk.Resource{
		URI: ontologyURI, Name: "ontology", Title: "Types and relations", MIMEType: jsonType,
		Description: "The types that entities can have, with their attributes, and the relations between them.",
	}, s.read(func(ctx context.Context, _ string) (any, error) { return s.vocabulary(ctx) }))
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: nodePrefix + "{+name}", Name: "node", Title: "An entity", MIMEType: jsonType,
		Description: "What is known about the entities of a name: attributes, facts, and neighbours with the relations to them.",
	}, s.read(func(ctx context.Context, uri string) (any, error) {
		name, err := url.PathUnescape(strings.TrimPrefix(uri, nodePrefix))
		if err != nil {
			return nil, &acervo.FieldError{Index: -1, Field: "uri", Value: shortened(uri), Rule: "has an escape that is wrong"}
		}
		return s.node(ctx, nodeInput{Name: name})
	}))
}

// read makes a resource of what is read for an address.
func (s *service) read(of func(ctx context.Context, uri string) (any, error)) sdk.ResourceHandler {
	return func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := request.Params.URI
		value, err := of(ctx, uri)
		if errors.Is(err, acervo.ErrNotFound) {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		if err != nil {
			code := int64(jsonrpc.CodeInternalError)
			if errors.Is(err, acervo.ErrInvalid) {
				code = jsonrpc.CodeInvalidParams
			}
			return nil, &jsonrpc.Error{Code: code, Message: s.mended("resources/read", err).Error()}
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: jsonType, Text: string(text)}}}, nil
	}
}
