package acervo

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/log"
	"github.com/rs/zerolog"
)

// driverLog passes the driver's own log on, at debug level but for errors and
// warnings. It holds no parameters; the driver logs none.
type driverLog struct{ zerolog.Logger }

var _ log.Logger = driverLog{}

func (l driverLog) Error(name, id string, err error) {
	l.Logger.Debug().Str("component", name).Str("id", id).Err(err).Msg("driver")
}

func (l driverLog) Warnf(name, id, msg string, args ...any) {
	l.Logger.Warn().Str("component", name).Str("id", id).Msgf("driver: "+msg, args...)
}

func (l driverLog) Infof(name, id, msg string, args ...any) {
	l.Logger.Debug().Str("component", name).Str("id", id).Msgf("driver: "+msg, args...)
}

func (l driverLog) Debugf(name, id, msg string, args ...any) {
	l.Logger.Trace().Str("component", name).Str("id", id).Msgf("driver: "+msg, args...)
}
