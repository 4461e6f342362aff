package layers

import "strings"

// Status tells how much is known about a node. It is stored on the node.
type Status string

// The statuses.
const (
	// Complete is the status of a node that lacks nothing.
	Complete Status = "complete"
	// Incomplete is the status of a node whose pending fields name what is missing.
	Incomplete Status = "incomplete"
	// PendingVerification is the status of a node that awaits being verified.
	PendingVerification Status = "pending_verification"
)

// StatusOf returns the status of a layer's new node whose type is known.
// UNIVERSAL knowledge awaits being verified unless the call vouches that it is
// from the world.
func (l Layer) StatusOf(vouched bool) Status {
	if l == Universal && !vouched {
		return PendingVerification
	}
	return Complete
}

// ParseStatus returns the status of a name, in any case. The error is an
// [*Error], also for an empty name.
func ParseStatus(s string) (Status, error) {
	switch status := Status(strings.ToLower(s)); status {
	case Complete, Incomplete, PendingVerification:
		return status, nil
	}
	return "", refuse("status", s, "is none of complete, incomplete, pending_verification")
}

// Activation tells how recently an owner's session used a node. It belongs to
// the session, not to the node.
type Activation string

// The activations.
const (
	// Hot is the activation of a node used in this turn.
	Hot Activation = "hot"
	// Warm is the activation of a node used in the turn before.
	Warm Activation = "warm"
	// Cold is the activation of every other node.
	Cold Activation = "cold"
)

// ParseActivation returns the activation of a name, in any case. The error is
// an [*Error], also for an empty name.
func ParseActivation(s string) (Activation, error) {
	switch a := Activation(strings.ToLower(s)); a {
	case Hot, Warm, Cold:
		return a, nil
	}
	return "", refuse("activation", s, "is none of hot, warm, cold")
}
