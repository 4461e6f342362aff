package integration

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/integration/provision"
)

// certified makes a certificate of this machine's loopback address, with its key,
// and that of the authority which signed it, all as PEM.
func certified(t testing.TB) (certificate, key, authority string) {
	t.Helper()
	template := func(name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		}
	}
	signed := func(template, parent *x509.Certificate, public *rsa.PublicKey, by *rsa.PrivateKey) string {
		t.Helper()
		der, err := x509.CreateCertificate(rand.Reader, template, parent, public, by)
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	var keys [2]*rsa.PrivateKey
	for i := range keys {
		var err error
		if keys[i], err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			t.Fatal(err)
		}
	}
	root := template("Acervo test authority")
	root.IsCA, root.KeyUsage = true, x509.KeyUsageCertSign
	leaf := template("127.0.0.1")
	leaf.KeyUsage, leaf.ExtKeyUsage = x509.KeyUsageDigitalSignature|x509.KeyUsageKeyEncipherment, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	leaf.DNSNames, leaf.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}
	der, err := x509.MarshalPKCS8PrivateKey(keys[1])
	if err != nil {
		t.Fatal(err)
	}
	return signed(leaf, root, &keys[1].PublicKey, keys[0]),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		signed(root, root, &keys[0].PublicKey, keys[0])
}

// TestTLS reaches a server whose certificate is of an authority that only this test
// knows, by each scheme.
func TestTLS(t *testing.T) {
	certificate, key, authority := certified(t)
	s := ownServer(t, provision.Options{
		Files: map[string]string{"certificates/bolt/public.crt": certificate, "certificates/bolt/private.key": key},
		Config: map[string]string{
			"server.bolt.tls_level": "OPTIONAL", "dbms.ssl.policy.bolt.enabled": "true",
			"dbms.ssl.policy.bolt.base_directory": "certificates/bolt", "dbms.ssl.policy.bolt.client_auth": "NONE",
		},
	})
	migrated(t, acervo.New(driverOf(t, s), nil))
	scheme, address, _ := strings.Cut(s.URI, "://")
	schemes := []string{"bolt"}
	if scheme == "neo4j" { // else what it says of itself can't be reached
		schemes = append(schemes, "neo4j")
	}
	trusted := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(trusted, []byte(authority), 0o600); err != nil {
		t.Fatal(err)
	}
	// program runs the program, which trusts what SSL_CERT_FILE says.
	program := func(uri string, more ...string) (string, int) {
		t.Helper()
		cmd := processOn(t, s, "types", "--uri", uri)
		cmd.Env = append(append(cmd.Env, "ACERVO_LOG=", "SSL_CERT_DIR=/nonexistent"), more...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	open := func(uri string) error {
		c, err := acervo.Open(t.Context(), acervo.Config{URI: uri, Username: s.Username, Password: s.Password})
		if err != nil {
			return err
		}
		defer c.Close(t.Context())
		_, err = c.World().Status(t.Context())
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(authority))
	for _, scheme := range schemes {
		if err := open(scheme + "+ssc://" + address); err != nil {
			t.Errorf("%s+ssc: %v", scheme, err)
		}
		strict := scheme + "+s://" + address
		if err := open(strict); !errors.Is(err, acervo.ErrUnavailable) || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
			t.Errorf("%s of an authority that isn't trusted: %v", strict, err)
		}
		if out, code := program(strict); code != 4 || !strings.Contains(out, "certificate signed by unknown authority") {
			t.Errorf("%s, not trusted: %d, %s", strict, code, out)
		}
		if out, code := program(strict, "SSL_CERT_FILE="+trusted); code != 0 || !strings.Contains(out, "Persona") {
			t.Errorf("%s, trusted: %d, %s", strict, code, out)
		}
		driver, err := neo4j.NewDriverWithContext(strict, neo4j.BasicAuth(s.Username, s.Password, ""), func(c *config.Config) { c.TlsConfig = &tls.Config{RootCAs: roots} })
		if err != nil {
			t.Fatal(err)
		}
		defer driver.Close(context.Background())
		if _, err := acervo.New(driver, nil).World().Status(t.Context()); err != nil {
			t.Errorf("%s with a driver that trusts: %v", strict, err)
		}
	}
	// A server without TLS.
	_, without, _ := strings.Cut(testServer(t).URI, "://")
	if err := open("bolt+s://" + without); !errors.Is(err, acervo.ErrUnavailable) {
		t.Errorf("a server without TLS: %v", err)
	} else {
		t.Log(err)
	}
}
