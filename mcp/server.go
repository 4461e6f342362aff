package mcp

import (
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"github.com/acervo-graph/acervo/acervo"
)

// Options tune a server. The zero value works.
type Options struct {
	// Session is the owner's session that is served. Default
	// [acervo.DefaultSession].
	Session string
	// ReadOnly leaves out every tool that changes something, also the session.
	// Default: all tools.
	ReadOnly bool
	// Query adds the tools query and query_schema, by which a model reads with Cypher
	// of its own: every owner's memory and whatever else the client's user may read.
	// It is for owners who may see all that. Default: neither is there.
	Query bool
	// CallTimeout bounds how long one call may take. Default 1 minute.
	CallTimeout time.Duration
	// Version is the version that clients are told. Default "unknown".
	Version string
	// Logger gets an event for each call, at debug level, without what was said,
	// and one for each failure that a model can't mend. Default: nothing is logged.
	Logger *zerolog.Logger
}

// service is what the tools of one server share.
type service struct {
	client *acervo.Client // of the owner's database
	memory *acervo.Memory
	opts   Options
	log    zerolog.Logger
	server *sdk.Server
	// examples are right arguments of each tool, as JSON.
	examples map[string]string
}

// NewServer makes a server for the memory of one owner, which does no I/O before
// it is called. An owner that isn't allowed is reported by each call. Options may
// be nil. The server can serve any number of connections at once, over each
// transport of the SDK, and be given further tools.
func NewServer(client *acervo.Client, owner string, opts *Options) *sdk.Server {
	s := &service{client: client.ForOwner(owner), memory: client.Memory(owner), examples: map[string]string{}}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Session != "" {
		s.memory = s.memory.WithSession(s.opts.Session)
	}
	if s.opts.CallTimeout <= 0 {
		s.opts.CallTimeout = time.Minute
	}
	if s.opts.Version == "" {
		s.opts.Version = "unknown"
	}
	s.log = orNop(s.opts.Logger)
	s.server = sdk.NewServer(
		&sdk.Implementation{Name: "acervo", Title: "Acervo memory", Version: s.opts.Version},
		&sdk.ServerOptions{Instructions: s.instructions(), Logger: slog.New(zerolog.NewSlogHandler(s.log)), Capabilities: &sdk.ServerCapabilities{}},
	)
	s.server.AddReceivingMiddleware(s.guard)
	s.addRemember()
	s.addTurn()
	s.addContext()
	s.addNode()
	s.addSearch()
	s.addPending()
	s.addCorrectFact()
	s.addRetractFact()
	s.addEndRelation()
	s.addForget()
	s.addMerge()
	s.addRegisterType()
	s.addRegisterRelation()
	s.addOntology()
	if s.opts.Query {
		s.addQuery()
		s.addQuerySchema()
	}
	s.addResources()
	s.addPrompt()
	return s.server
}

// orNop is a logger, or one that logs nothing.
func orNop(logger *zerolog.Logger) zerolog.Logger {
	if logger == nil {
		return zerolog.Nop()
	}
	return *logger
}
