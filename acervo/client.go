package acervo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"
	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
	"github.com/acervo-graph/acervo/recall"
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
	// Embedder makes the vectors of [Client.Reembed] and [Memory.Search]. It gets what
	// owners said. Default: none; everything but vectors works without one.
	Embedder Embedder
	// DatabaseFor says where the memory of an owner is kept, so that owners can be
	// spread over several databases or servers. It is called by each call of
	// [Client.Memory] and [Client.ForOwner], from several goroutines at once, and has
	// to give the same answer for the same owner for ever: an owner who is sent
	// elsewhere finds an empty memory there. It shouldn't do I/O. Default: every
	// owner is in the client's own database.
	DatabaseFor func(owner string) Database
	// TracerProvider gets a span for each operation, and one for each statement of it,
	// by OpenTelemetry's conventions for databases. They name the operation, the
	// database, the server and the class of an error, and hold nothing that owners
	// said. Default: no spans.
	TracerProvider trace.TracerProvider
	// MeterProvider gets the metrics: db.client.operation.duration, a histogram in
	// seconds; acervo.client.retries, which counts further attempts; and
	// acervo.client.active_operations, how many are under way. Default: no metrics.
	MeterProvider metric.MeterProvider
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
	// MaxPoolSize is how many connections to each server may be open, idle ones
	// included, from 1. Each call that is under way takes one; those that find none
	// wait. The pools of all processes together should stay below the server's
	// server.bolt.thread_pool_max_size, 400 unless configured. Default 100.
	MaxPoolSize int
	// AcquireTimeout bounds how long a call waits for a connection of the pool, the
	// opening of a new one included; a deadline of the call's context that comes
	// earlier wins. Default 1 minute.
	AcquireTimeout time.Duration
	// MaxConnectionLifetime is how old a connection may be when a call takes it; an
	// older one is closed and replaced. Let it be below the limits of what stands
	// between, such as load balancers and firewalls; too short a life means opening
	// connections all the time. Default 1 hour.
	MaxConnectionLifetime time.Duration
	// LivenessCheckAfter is how long a connection may have been idle to be taken
	// without a test, which costs one round trip. A connection that something between
	// has closed is replaced then; on one that was dropped without a word, the call
	// fails after AcquireTimeout. Without a test, it fails and is tried again, or waits
	// until its deadline. Default: no test.
	LivenessCheckAfter time.Duration
	// Options tune the client. Default: those of the zero value.
	Options *Options
}

// check reports the settings of the connection pool that can't be used. The
// driver would take some of them for "no limit", which hides a slip.
func (cfg Config) check() []*FieldError {
	var faults []*FieldError
	if cfg.MaxPoolSize < 0 {
		faults = append(faults, &FieldError{Index: -1, Field: "max_pool_size", Value: strconv.Itoa(cfg.MaxPoolSize), Rule: "is negative"})
	}
	for _, d := range []struct {
		field string
		value time.Duration
	}{
		{"connect_timeout", cfg.ConnectTimeout},
		{"acquire_timeout", cfg.AcquireTimeout},
		{"max_connection_lifetime", cfg.MaxConnectionLifetime},
		{"liveness_check_after", cfg.LivenessCheckAfter},
	} {
		if d.value < 0 {
			faults = append(faults, &FieldError{Index: -1, Field: d.field, Value: d.value.String(), Rule: "is negative"})
		}
	}
	return faults
}

// apply sets what is given; the rest keeps the driver's defaults, which are those
// that Config documents.
func (cfg Config) apply(c *config.Config) {
	set := func(to *time.Duration, given time.Duration) {
		if given > 0 {
			*to = given
		}
	}
	set(&c.SocketConnectTimeout, cfg.ConnectTimeout)
	set(&c.ConnectionAcquisitionTimeout, cfg.AcquireTimeout)
	set(&c.MaxConnectionLifetime, cfg.MaxConnectionLifetime)
	set(&c.ConnectionLivenessCheckTimeout, cfg.LivenessCheckAfter)
	if cfg.MaxPoolSize > 0 {
		c.MaxConnectionPoolSize = cfg.MaxPoolSize
	}
}

// Client runs Acervo's operations on one database, and, with
// [Options.DatabaseFor], those of each owner on the owner's. It is safe for
// concurrent use.
type Client struct {
	driver    neo4j.DriverWithContext
	owned     bool // Close closes the driver
	bookmarks neo4j.BookmarkManager
	opts      Options
	log       zerolog.Logger
	telemetry *telemetry
	root      *Client // the client that DatabaseFor was given to; itself, for that one

	mu       sync.Mutex
	prepared bool               // the server and its schema were checked
	alone    bool               // the server is one by itself, which sees at once what was written
	ontology *ontology.Ontology // as last read; nil: not yet
	messages *recall.Reader     // of the ontology as it was when it was last needed

	placesMu sync.Mutex
	places   map[Database]*Client // those of the root's DatabaseFor, made when first asked for
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
	c.root = c
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
	c.telemetry = newTelemetry(&c.opts, driver)
	return c
}

// Open makes a driver, connects and checks the server. It fails with
// ErrUnavailable if the server doesn't answer, ErrForbidden if it refuses the
// user or the password, ErrUnsupported if it is older than Neo4j 5.26 and
// ErrInvalid if the URI or a setting can't be used. The caller has to close the
// client.
func Open(ctx context.Context, cfg Config) (*Client, error) {
	if err := joinFaults(cfg.check()); err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
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
		cfg.apply(c)
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

// Close closes the driver if [Open] made it. The driver given to [New] is left to
// its owner, and so are those of [Options.DatabaseFor].
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
// memory as ErrInvalid. The memory is in the database of [Options.DatabaseFor].
func (c *Client) Memory(owner string) *Memory {
	return &Memory{client: c.ForOwner(owner), owner: owner, session: DefaultSession}
}

// World returns a memory without an owner: it reads and writes UNIVERSAL
// knowledge only, and has no sessions. Calls that need one fail with ErrInvalid.
// It is the world of this client's own database; see [Client.ForOwner] for those
// of others.
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
func inUTC(t time.Time) time.Time { return t.In(utc) }

var utc = time.FixedZone("Offset", 0)
