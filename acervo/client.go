package acervo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"
	"github.com/rs/zerolog"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

// Options tune a client. The zero value works.
type Options struct {
	// Database is the name of the database. Default "neo4j".
	Database string
	// Logger gets one event a statement at debug level: its name, time, counters
	// and attempt; at trace level with its parameters, which hold what owners
	// said. Default: nothing is logged.
	Logger *zerolog.Logger
	// Clock gives the time of writes. Default [time.Now].
	Clock func() time.Time
	// MaxBatch is how many entities, relations or facts one call may hold, each.
	// Default 10,000.
	MaxBatch int
	// MaxRegistered is how many types, relations and attribute names may be
	// registered automatically, each. Default 1,000 ([ontology.DefaultLimit]).
	MaxRegistered int
	// CountTokens counts the tokens of a text for the budget of a context.
	// Default [EstimateTokens].
	CountTokens func(text string) int
}

// Config says how [Open] connects.
type Config struct {
	// URI is the server's address, for example "neo4j://localhost:7687"; the
	// schemes are those of the driver (neo4j, neo4j+s, neo4j+ssc, bolt, …).
	// Default "neo4j://localhost:7687".
	URI string
	// Username and Password authenticate. Without both there is no authentication.
	Username, Password string
	// ConnectTimeout bounds how long opening a connection may take. Default 5 seconds.
	ConnectTimeout time.Duration
	// Options tune the client. Default: those of the zero value.
	Options *Options
}

// Client runs Acervo's operations on one database. It is safe for concurrent use.
type Client struct {
	driver    neo4j.DriverWithContext
	owned     bool // Close closes the driver
	bookmarks neo4j.BookmarkManager
	opts      Options
	log       zerolog.Logger

	mu       sync.Mutex
	prepared bool               // the server and its schema were checked
	ontology *ontology.Ontology // as last read; nil: not yet
}

// New returns a client on a driver that the caller keeps owning. It does no
// I/O: the server's version and the schema are checked by the first call.
// Options may be nil.
func New(driver neo4j.DriverWithContext, opts *Options) *Client {
	c := &Client{
		driver:    driver,
		bookmarks: neo4j.NewBookmarkManager(neo4j.BookmarkManagerConfig{}),
		log:       zerolog.Nop(),
	}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.Logger != nil {
		c.log = *c.opts.Logger
	}
	if c.opts.Database == "" {
		c.opts.Database = "neo4j"
	}
	if c.opts.Clock == nil {
		c.opts.Clock = time.Now
	}
	if c.opts.MaxBatch <= 0 {
		c.opts.MaxBatch = 10_000
	}
	if c.opts.MaxRegistered <= 0 {
		c.opts.MaxRegistered = ontology.DefaultLimit
	}
	if c.opts.CountTokens == nil {
		c.opts.CountTokens = EstimateTokens
	}
	return c
}

// Open makes a driver, connects and checks the server. It fails with
// ErrUnavailable if the server doesn't answer, ErrForbidden if it refuses the
// user or the password, ErrUnsupported if it is older than Neo4j 5.26 and
// ErrInvalid if the URI can't be used. The caller has to close the client.
func Open(ctx context.Context, cfg Config) (*Client, error) {
	if cfg.URI == "" {
		cfg.URI = "neo4j://localhost:7687"
	}
	auth := neo4j.NoAuth()
	if cfg.Username != "" || cfg.Password != "" {
		auth = neo4j.BasicAuth(cfg.Username, cfg.Password, "")
	}
	logger := zerolog.Nop()
	if cfg.Options != nil && cfg.Options.Logger != nil {
		logger = *cfg.Options.Logger
	}
	driver, err := neo4j.NewDriverWithContext(cfg.URI, auth, func(c *config.Config) {
		c.Log = driverLog{logger}
		c.UserAgent = "acervo"
		c.TelemetryDisabled = true
		// IF NOT EXISTS and the like inform on every use; only warnings matter.
		c.NotificationsMinSeverity = notifications.WarningLevel
		c.SocketConnectTimeout = 5 * time.Second
		if cfg.ConnectTimeout > 0 {
			c.SocketConnectTimeout = cfg.ConnectTimeout
		}
	})
	if err != nil {
		// The driver's own text may repeat the address, which may hold a password.
		return nil, &FieldError{Index: -1, Field: "uri", Rule: "can't be used: it has to be like neo4j://host:7687, without user, password or path"}
	}
	c := New(driver, cfg.Options)
	c.owned = true
	if err := c.checkServer(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open: %w", err), driver.Close(ctx))
	}
	return c, nil
}

// Close closes the driver if [Open] made it; the driver given to [New] is left
// to its owner.
func (c *Client) Close(ctx context.Context) error {
	if !c.owned {
		return nil
	}
	return classify(ctx, c.driver.Close(ctx))
}

// DefaultSession is the session that a [Memory] uses unless told otherwise.
const DefaultSession = "default"

// Memory returns the memory of one owner, in the session [DefaultSession]. An
// owner that isn't allowed (empty, "world") is reported by each call of the
// memory as ErrInvalid.
func (c *Client) Memory(owner string) *Memory {
	return &Memory{client: c, owner: owner, session: DefaultSession}
}

// World returns a memory without an owner: it reads and writes UNIVERSAL
// knowledge only, and has no sessions. Calls that need one fail with ErrInvalid.
func (c *Client) World() *Memory {
	return &Memory{client: c, owner: layers.WorldOwner, world: true}
}

// Memory is what one owner knows: the UNIVERSAL layer and their own PERSONAL
// one. It is safe for concurrent use and cheap to make.
type Memory struct {
	client  *Client
	owner   string
	world   bool
	session string
	at      time.Time // zero: now
}

// WithSession returns the same memory in another session. Each session has a
// turn counter and hot and warm entities of its own.
func (m *Memory) WithSession(id string) *Memory {
	other := *m
	other.session = id
	return &other
}

// AsOf returns a view for reading what the memory held as current at a time:
// facts that had been stated and not yet corrected or retracted, and relations
// that had not ended, by their valid_from (from which on) and valid_to (until,
// exclusive). Labels, types and attributes have no history and are those of now.
// Calls that write, and those that know no other time than now (Status,
// Duplicates, Export), fail with ErrInvalid.
func (m *Memory) AsOf(t time.Time) *Memory {
	other := *m
	other.at = inUTC(t)
	return &other
}

// asOf is the time of the view as a parameter, null for now.
func (m *Memory) asOf() any {
	if m.at.IsZero() {
		return nil
	}
	return m.at
}

// Owner returns the owner, "world" for [Client.World].
func (m *Memory) Owner() string { return m.owner }

// Session returns the id of the session.
func (m *Memory) Session() string { return m.session }

// now gives the time of a write: UTC as an offset, since a zone's name would be
// stored with each value and would need a time zone database to be read.
func (c *Client) now() time.Time { return inUTC(c.opts.Clock()) }

// inUTC is t as the driver sends it with an offset of 0. The driver takes the
// zone's name "Offset" for that.
func inUTC(t time.Time) time.Time { return t.In(time.FixedZone("Offset", 0)) }
