package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/acervo-graph/acervo/acervo"
)

// Token lets who bears it use the memory of one owner.
type Token struct {
	// Token is the secret, 32 to 512 characters that a header of HTTP takes for a
	// token: letters, digits and -._~+/, and = at the end. It should be random.
	Token string `json:"token"`
	// Owner is whose memory it opens.
	Owner string `json:"owner"`
	// Session is the session of the owner. Default: that of the options.
	Session string `json:"session,omitempty"`
	// ReadOnly leaves out every tool that changes something, also where the options
	// don't. Default: as the options say.
	ReadOnly bool `json:"read_only,omitempty"`
}

// maxTokens is how many bytes a file of tokens may have.
const maxTokens = 1 << 20

// bearer is what a token looks like, see RFC 6750, section 2.1.
var bearer = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// ReadTokens reads a file of tokens, a JSON array of objects with the keys token,
// owner, session and read_only. It fails with [acervo.ErrInvalid] if others than the
// file's owner may read or write it, and if it isn't such an array; a fault of a
// token is reported by [NewHandler].
func ReadTokens(path string) ([]Token, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	invalid := func(format string, args ...any) error {
		return fmt.Errorf("tokens: %s %s: %w", path, fmt.Sprintf(format, args...), acervo.ErrInvalid)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, invalid("has mode %04o, so that others can read or write it; it has to be 0600 or 0400", mode)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxTokens+1))
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	if len(text) > maxTokens {
		return nil, invalid("is longer than %d bytes", maxTokens)
	}
	if err := acervo.CheckJSON(text); err != nil {
		return nil, fmt.Errorf("tokens: %s: %w", path, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var tokens []Token
	if err := d.Decode(&tokens); err != nil {
		return nil, invalid("is no list of tokens like [{\"owner\": \"ada\", \"token\": \"…\"}]: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, invalid("goes on after the list of tokens")
	}
	return tokens, nil
}

// check says what is wrong with a list of tokens, without telling one.
func check(client *acervo.Client, tokens []Token) error {
	faults := &acervo.ValidationError{}
	fault := func(i int, field, rule string) {
		faults.Faults = append(faults.Faults, &acervo.FieldError{Item: "token", Index: i, Field: field, Rule: rule})
	}
	if len(tokens) == 0 {
		fault(-1, "tokens", "are none, so that nobody could use the server")
	}
	seen := map[string]bool{}
	for i, t := range tokens {
		if rule := checkBearer(t.Token); rule != "" {
			fault(i, "token", rule)
		} else if seen[t.Token] {
			fault(i, "token", "is one of another owner or session, too")
		}
		seen[t.Token] = true
		if t.Owner == "" {
			fault(i, "owner", "is empty")
			continue
		}
		memory := client.Memory(t.Owner)
		if t.Session != "" {
			memory = memory.WithSession(t.Session)
		}
		var found *acervo.ValidationError
		if errors.As(memory.Check(acervo.UpsertParams{}), &found) {
			for _, f := range found.Faults {
				fault(i, f.Field, f.Rule)
			}
		}
	}
	if len(faults.Faults) == 0 {
		return nil
	}
	return faults
}

// checkBearer gives the rule that a secret breaks, "" if it is a good one.
func checkBearer(token string) string {
	const least, most = 32, 512
	switch {
	case len(token) < least || len(token) > most:
		return fmt.Sprintf("has not %d to %d characters", least, most)
	case !bearer.MatchString(token):
		return "has other characters than letters, digits and -._~+/"
	}
	return ""
}

// verifier tells which token a request bears. It takes as long for a wrong token as
// for a right one.
func verifier(tokens []Token) auth.TokenVerifier {
	sums := make([][sha256.Size]byte, len(tokens))
	for i, t := range tokens {
		sums[i] = sha256.Sum256([]byte(t.Token))
	}
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		sum, found := sha256.Sum256([]byte(token)), -1
		for i := range sums {
			found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], sums[i][:]), i, found)
		}
		if found < 0 {
			return nil, auth.ErrInvalidToken
		}
		// The SDK ties a session to the user that made it: a token is one, so that the
		// session isn't another token's, be it of the same owner.
		return &auth.TokenInfo{UserID: strconv.Itoa(found)}, nil
	}
}

// bearerOf is the token that a verified request bears, as its place in the list.
func bearerOf(r *http.Request) (int, bool) {
	info := auth.TokenInfoFromContext(r.Context())
	if info == nil {
		return 0, false
	}
	i, err := strconv.Atoi(info.UserID)
	return i, err == nil
}
