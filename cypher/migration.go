package cypher

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
)

// Migration is one numbered step of the schema.
type Migration struct {
	// Name is the file's name without its extension, for example "0001_schema".
	Name string
	// Checksum is the SHA-256 of the file, in hexadecimal.
	Checksum string
	// Statements are run one after the other, each in a transaction of its own,
	// since Neo4j allows no schema change beside a write. Each may be run again.
	Statements []string
}

// Migrations returns the steps of the schema in the order in which they apply.
func Migrations() []Migration {
	names, err := fs.Glob(files, "migrations/*.cypher") // sorted by name
	if err != nil {
		panic(err)
	}
	migrations := make([]Migration, 0, len(names))
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(text)
		m := Migration{
			Name:     strings.TrimSuffix(path.Base(name), ".cypher"),
			Checksum: hex.EncodeToString(sum[:]),
		}
		for s := range strings.SplitSeq(string(text), ";") {
			if s = withoutComments(s); s != "" {
				m.Statements = append(m.Statements, s)
			}
		}
		migrations = append(migrations, m)
	}
	return migrations
}

// withoutComments drops the lines that are comments. No statement of a
// migration holds a semicolon or a comment within a line.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}
