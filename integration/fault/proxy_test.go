package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
	"github.com/rs/zerolog"
)

// proxy stands between clients and the server.
type proxy struct{ *toxiproxy.Proxy }

func newProxy(t *testing.T, upstream string) proxy {
	t.Helper()
	p := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), t.Name(), "127.0.0.1:0", upstream)
	if err := p.Start(); err != nil {
		t.Error(err)
	}
	t.Cleanup(p.Stop)
	return proxy{p}
}

// uri is where clients find the proxy. bolt, since the server would send those of
// neo4j past it; and the driver has a data race in its routing table where a
// cancelled call cuts a connection of neo4j.
func (p proxy) uri() string { return "bolt://" + p.Listen }

// add adds a toxic in one direction, upstream or downstream.
func (p proxy) add(t *testing.T, kind, direction string, attributes map[string]int) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"name": kind + direction, "type": kind, "stream": direction, "attributes": attributes})
	if err != nil {
		t.Error(err)
	}
	if _, err := p.Toxics.AddToxicJson(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
}

// heal takes out every toxic.
func (p proxy) heal(t *testing.T) {
	t.Helper()
	p.Toxics.ResetToxics(t.Context())
	asked.Store(0)
}

// cut closes every connection, and those who connect meanwhile find nobody.
func (p proxy) cut(t *testing.T, pause time.Duration) {
	t.Helper()
	p.Stop()
	time.Sleep(pause)
	if err := p.Start(); err != nil {
		t.Error(err)
	}
}

// Messages of Bolt, each in a chunk of its own with its length before it.
var (
	commitMessage = []byte{0, 2, 0xb0, 0x12, 0, 0}
	pullMessage   = []byte{0xb1, 0x3f}
)

// asked is 1 from when the message went by whose answer is to be lost; lost counts
// the answers that were.
var asked, lost atomic.Int64

// listen is a toxic that waits for a message to the server and lets everything by.
type listen struct {
	// Pull: of a result. Default: of a commit.
	Pull int `json:"pull"`
}

func (l *listen) Pipe(stub *toxics.ToxicStub) {
	message := commitMessage
	if l.Pull == 1 {
		message = pullMessage
	}
	pass(stub, func(c *stream.StreamChunk) bool {
		if bytes.Contains(c.Data, message) {
			asked.Store(1)
		}
		return true
	})
}

// deafen is a toxic that loses the server's answers once one was asked for, and the
// connection with them.
type deafen struct{}

func (*deafen) Pipe(stub *toxics.ToxicStub) {
	pass(stub, func(*stream.StreamChunk) bool {
		if asked.Load() == 0 {
			return true
		}
		lost.Add(1)
		return false
	})
}

// pass hands on what keep keeps; at the first that it doesn't, the connection ends.
func pass(stub *toxics.ToxicStub, keep func(*stream.StreamChunk) bool) {
	for {
		select {
		case <-stub.Interrupt:
			return
		case c := <-stub.Input:
			if c == nil || !keep(c) {
				stub.Close()
				return
			}
			stub.Output <- c
		}
	}
}

func init() {
	toxics.Register("listen", &listen{})
	toxics.Register("deafen", &deafen{})
}

// disturbance is what happens to the connections while a call is under way.
type disturbance struct {
	kind      string
	direction string
	wait      time.Duration // before it begins
	last      time.Duration
	amount    int
}

var kinds = []string{"none", "latency", "reset_peer", "cut", "timeout", "limit_data", "commit", "pull", "commit", "pull", "deadline"}

// disturb draws a disturbance.
func disturb(r *rand.Rand) disturbance {
	return disturbance{
		kind: kinds[r.IntN(len(kinds))], direction: []string{"upstream", "downstream"}[r.IntN(2)],
		wait: time.Duration(r.IntN(15)) * time.Millisecond, last: time.Duration(50+r.IntN(400)) * time.Millisecond, amount: r.IntN(100),
	}
}

func (d disturbance) String() string {
	return fmt.Sprintf("%s %s after %s for %s (%d)", d.kind, d.direction, d.wait, d.last, d.amount)
}

// begin begins a disturbance; what it returns waits for its end, and reports whether
// an answer was lost that had been asked for.
func (p proxy) begin(t *testing.T, d disturbance) (end func() bool) {
	t.Helper()
	before, over, done := lost.Load(), make(chan struct{}), make(chan struct{})
	if d.kind == "commit" || d.kind == "pull" { // before the call, or the message would be missed
		p.add(t, "deafen", "downstream", nil)
		p.add(t, "listen", "upstream", map[string]int{"pull": map[bool]int{true: 1}[d.kind == "pull"]})
	}
	go func() {
		defer close(done)
		switch d.kind {
		case "none", "deadline":
			return
		case "commit", "pull": // one answer is lost; what comes after finds the server again
			for lost.Load() == before {
				select {
				case <-over:
					p.heal(t)
					return
				case <-time.After(5 * time.Millisecond):
				}
			}
			p.heal(t)
			return
		}
		time.Sleep(d.wait)
		switch d.kind {
		case "latency":
			p.add(t, d.kind, d.direction, map[string]int{"latency": d.amount, "jitter": d.amount / 2})
		case "reset_peer":
			p.add(t, d.kind, d.direction, map[string]int{"timeout": d.amount / 10})
		case "timeout":
			p.add(t, d.kind, d.direction, nil)
		case "limit_data":
			p.add(t, d.kind, d.direction, map[string]int{"bytes": 20 * d.amount})
		case "cut":
			p.cut(t, d.last)
			return
		}
		time.Sleep(d.last)
		p.heal(t)
	}()
	return func() bool {
		close(over)
		<-done
		return lost.Load() > before
	}
}
