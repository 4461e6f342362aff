package cypher

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Access says what a statement does to the graph.
type Access string

const (
	// Read statements hold no writing clause and may be routed to readers.
	Read Access = "read"
	// Write statements change the graph.
	Write Access = "write"
)

// Field is a parameter or a result of a statement, as its header declares it.
type Field struct {
	// Name is the parameter's name without the dollar sign, or the result's.
	Name string
	// Type is the Cypher type, for example LIST<MAP>.
	Type string
}

// Statement is one Cypher statement with what its header says of it.
type Statement struct {
	// Name is the file's path without its extension, for example "entity/upsert".
	// It is sent as transaction metadata, so that query.log shows it.
	Name string
	// Text is the statement itself, without its header.
	Text string
	// Access is what the statement does to the graph.
	Access Access
	// Params are the parameters that the text uses.
	Params []Field
	// Returns are the columns of the result.
	Returns []Field
	// Indexes are the indexes that its plan uses.
	Indexes []string
	// Plan holds the operators that are allowed in its plan though they are
	// costly elsewhere, each with the reason.
	Plan map[string]string
	// Hits is how many database accesses the statement takes at the most, where
	// that doesn't depend on the size of the graph. 0: it isn't said.
	Hits int64
}

// Template is a statement in which one relationship type varies.
type Template struct {
	Statement
}

// placeholder is what stands for the varying type in the text of a template.
const placeholder = "`TYPE`"

// includes is what a line starts with that stands for a fragment.
const includes = "// include: "

//go:embed */*.cypher
var files embed.FS

// load reads one statement file. The files are part of the program, so a fault
// in one is a fault of the program: it panics.
func load(name string) Statement {
	text, err := files.ReadFile(name + ".cypher")
	if err != nil {
		panic(err)
	}
	s, err := parse(name, string(text))
	if err != nil {
		panic(err)
	}
	return s
}

func loadTemplate(name string) Template {
	s := load(name)
	if !strings.Contains(s.Text, placeholder) {
		panic(fmt.Sprintf("cypher: %s has no %s to fill in", name, placeholder))
	}
	return Template{s}
}

// parse splits a file into its header, the comment block that it starts with,
// and its text.
func parse(name, file string) (Statement, error) {
	s := Statement{Name: name, Plan: map[string]string{}}
	rest := file
	for strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, includes) {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "//")), ":")
		if !ok || strings.Contains(key, " ") {
			continue // prose
		}
		fields := strings.Fields(value)
		switch key {
		case "access":
			s.Access = Access(strings.TrimSpace(value))
		case "param", "returns":
			if len(fields) < 2 {
				return s, fmt.Errorf("cypher: %s: header %q names no type", name, line)
			}
			f := Field{Name: fields[0], Type: fields[1]}
			if key == "param" {
				s.Params = append(s.Params, f)
			} else {
				s.Returns = append(s.Returns, f)
			}
		case "index":
			s.Indexes = append(s.Indexes, fields...)
		case "hits":
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil || n <= 0 {
				return s, fmt.Errorf("cypher: %s: header %q isn't a number of database accesses", name, line)
			}
			s.Hits = n
		case "plan":
			if len(fields) < 2 {
				return s, fmt.Errorf("cypher: %s: header %q gives no reason", name, line)
			}
			s.Plan[fields[0]] = strings.Join(fields[1:], " ")
		}
	}
	if s.Access != Read && s.Access != Write {
		return s, fmt.Errorf("cypher: %s: access is %q, not read or write", name, s.Access)
	}
	text, err := expand(rest)
	if err != nil {
		return s, fmt.Errorf("cypher: %s: %w", name, err)
	}
	s.Text = strings.TrimSpace(text)
	return s, nil
}

// expand puts the fragments in place of the lines that include them, also of those
// in fragments.
func expand(text string) (string, error) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), includes)
		if !ok {
			b.WriteString(line)
			continue
		}
		fragment, err := files.ReadFile(path.Join("fragments", name+".cypher"))
		if err != nil {
			return "", err
		}
		expanded, err := expand(string(fragment))
		if err != nil {
			return "", err
		}
		b.WriteString(expanded)
	}
	return b.String(), nil
}

// All returns every statement by name, in alphabetical order, templates with
// their placeholder. It is there for checks of the statements themselves.
func All() []Statement {
	names, err := fs.Glob(files, "*/*.cypher") // sorted
	if err != nil {
		panic(err)
	}
	var all []Statement
	for _, name := range names {
		if dir := path.Dir(name); dir != "migrations" && dir != "fragments" {
			all = append(all, load(strings.TrimSuffix(name, ".cypher")))
		}
	}
	return all
}
