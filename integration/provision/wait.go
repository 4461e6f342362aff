package provision

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
)

// startTimeout is how long a server may take until it answers.
const startTimeout = 3 * time.Minute

// ask runs one query over Bolt.
func (s *Server) ask(ctx context.Context) error {
	auth := neo4j.NoAuth()
	if s.Username != "" {
		auth = neo4j.BasicAuth(s.Username, s.Password, "")
	}
	driver, err := neo4j.NewDriverWithContext(s.URI, auth, func(c *config.Config) {
		c.SocketConnectTimeout = 2 * time.Second
		c.MaxTransactionRetryTime = time.Second
	})
	if err != nil {
		return err
	}
	defer driver.Close(ctx)
	_, err = neo4j.ExecuteQuery(ctx, driver, "RETURN 1", nil, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	return err
}

// refused reports whether the server answers and doesn't take the password,
// which waiting won't change.
func refused(err error) bool {
	var answer *neo4j.Neo4jError
	return errors.As(err, &answer) && answer.Code == "Neo.ClientError.Security.Unauthorized"
}

// wait asks until the server answers, its process ends, or the time is over.
func (s *Server) wait(ctx context.Context, progress io.Writer, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	start, said := time.Now(), time.Now()
	for {
		err := s.ask(ctx)
		if err == nil {
			return nil
		}
		if refused(err) {
			return fmt.Errorf("the server at %s doesn't take the password; a store keeps the one that it was made with: set NEO4J_PASSWORD to that, or remove the store: %w", s.URI, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no answer at %s after %s: %w", s.URI, time.Since(start).Round(time.Second), err)
		case <-ended:
			return fmt.Errorf("the server ended before it answered")
		case <-time.After(300 * time.Millisecond):
		}
		if time.Since(said) > 5*time.Second {
			said = time.Now()
			fmt.Fprintf(progress, "  still starting (%s)\n", time.Since(start).Round(time.Second))
		}
	}
}
