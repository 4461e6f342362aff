package ontology_test

import (
	"fmt"

	"github.com/acervo-graph/acervo/ontology"
)

func ExampleID() {
	for _, name := range []string{"Río Negro", "C++", ".NET", "Peña", "北京"} {
		id, err := ontology.ID(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(id)
	}
	_, err := ontology.ID("?!")
	fmt.Println(err)
	// Output:
	// rio_negro
	// c_plus_plus
	// dot_net
	// peña
	// 北京
	// name "?!" has no letter or digit
}

func ExampleOntology_Type() {
	o := ontology.Builtin()
	for _, name := range []string{"organización", "person", "Superhero"} {
		t, ok := o.Type(name)
		fmt.Printf("%q %v\n", t.Name, ok)
	}
	// Output:
	// "Organizacion" true
	// "Persona" true
	// "" false
}

func ExampleLongest() {
	stored := map[string]bool{"new_york": true, "york": true, "c_plus_plus": true}
	grams := ontology.Grams("Is C++ taught in New York?", 4)
	fmt.Println(ontology.Longest(grams, func(id string) bool { return stored[id] }))
	// Output: [c_plus_plus new_york]
}
