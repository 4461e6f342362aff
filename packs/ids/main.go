// Command ids prints the id of each name on standard input, a line for a line,
// and an empty one for a name that has none. The scripts that build packs use it,
// so that ids are those of the library.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/acervo-graph/acervo/ontology"
)

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	for in.Scan() {
		id, _ := ontology.ID(in.Text())
		fmt.Fprintln(out, id)
	}
	if err := out.Flush(); err != nil || in.Err() != nil {
		fmt.Fprintln(os.Stderr, err, in.Err())
		os.Exit(1)
	}
}
