package provision

import (
	"context"
	"sync"
)

// Shared is one server for many tests: the first that asks starts it.
type Shared struct {
	Options Options

	once   sync.Once
	server *Server
	err    error
}

// Server gives the server, or why it couldn't be started.
func (s *Shared) Server() (*Server, error) {
	s.once.Do(func() { s.server, s.err = Start(context.Background(), s.Options) })
	return s.server, s.err
}

// Stop stops the server, if it was started. Nobody may ask for it at the same time.
func (s *Shared) Stop() error {
	if s.server == nil {
		return nil
	}
	return s.server.Stop(context.Background())
}
