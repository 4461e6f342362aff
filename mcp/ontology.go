package mcp

import (
	"context"
	"fmt"

	"github.com/acervo-graph/acervo/acervo"
	"github.com/acervo-graph/acervo/layers"
	"github.com/acervo-graph/acervo/ontology"
)

type registerTypeInput struct {
	Name         string   `json:"name" jsonschema:"the type's name, in the singular"`
	Attributes   []string `json:"attributes,omitempty" jsonschema:"names of the attributes that such an entity usually has"`
	LayerDefault string   `json:"layer_default,omitempty" jsonschema:"where such entities usually belong: PERSONAL, to the user, or UNIVERSAL, to the world"`
}

func (s *service) addRegisterType() {
	add(s, tool[registerTypeInput, acervo.RegisterTypeResult]{
		name: "register_type", title: "Register a type", effect: adds, idempotent: true,
		description: "Makes a type of entities known, so that it tells things of one name apart. Types are shared by all users of the database. " +
			"It is seldom needed, as remember registers types by itself; look at ontology first.",
		example: registerTypeInput{Name: "Vehiculo", Attributes: []string{"marca", "matricula"}},
		schema:  func(f fields) { f.layer("layer_default") },
		run: func(ctx context.Context, _ call, in registerTypeInput) (*acervo.RegisterTypeResult, string, error) {
			r, err := s.client.RegisterType(ctx, acervo.RegisterTypeParams{Name: in.Name, Attributes: in.Attributes, LayerDefault: layers.Layer(in.LayerDefault)})
			if err != nil {
				return nil, "", err
			}
			return r, fmt.Sprintf("The type is %s: %s.", newOr(r.Created, "known"), typeText(r.Type)), nil
		},
	})
}

type registerRelationInput struct {
	Name         string `json:"name" jsonschema:"the relation's name, like REPORTS_TO: it is read from the first entity to the second"`
	SingleValued *bool  `json:"single_valued,omitempty" jsonschema:"true if there is one at a time, as with where somebody lives: a new one then ends the earlier one; left out, it stays as it is"`
}

func (s *service) addRegisterRelation() {
	add(s, tool[registerRelationInput, acervo.RegisterRelationResult]{
		name: "register_relation", title: "Register a relation", effect: adds, idempotent: true,
		description: "Makes a relation known, and says whether there is one at a time. Relations are shared by all users of the database. " +
			"It is seldom needed, as remember registers relations by itself; look at ontology first.",
		example: registerRelationInput{Name: "REPORTS_TO"},
		run: func(ctx context.Context, _ call, in registerRelationInput) (*acervo.RegisterRelationResult, string, error) {
			r, err := s.client.RegisterRelation(ctx, acervo.RegisterRelationParams{Name: in.Name, SingleValued: in.SingleValued})
			if err != nil {
				return nil, "", err
			}
			return r, fmt.Sprintf("The relation is %s: %s.", newOr(r.Created, "known"), relationText(r.Relation)), nil
		},
	})
}

// vocabulary is what the ontology holds.
type vocabulary struct {
	Types     []ontology.Type     `json:"types"`
	Relations []ontology.Relation `json:"relations"`
}

func (s *service) addOntology() {
	add(s, tool[struct{}, vocabulary]{
		name: "ontology", title: "List types and relations",
		description: "Lists the types that entities can have, with their attributes, and the relations between them. Look here before making up a type or a relation.",
		run: func(ctx context.Context, _ call, _ struct{}) (*vocabulary, string, error) {
			v, err := s.vocabulary(ctx)
			if err != nil {
				return nil, "", err
			}
			var l lines
			l.add("Types:")
			for _, t := range v.Types {
				l.add("- %s", typeText(t))
			}
			l.add("Relations:")
			for _, r := range v.Relations {
				l.add("- %s", relationText(r))
			}
			return v, l.text(), nil
		},
	})
}

func (s *service) vocabulary(ctx context.Context) (*vocabulary, error) {
	types, err := s.client.Types(ctx)
	if err != nil {
		return nil, err
	}
	relations, err := s.client.RelationNames(ctx)
	if err != nil {
		return nil, err
	}
	return &vocabulary{Types: types, Relations: relations}, nil
}

func typeText(t ontology.Type) string {
	text := oneLine(t.Name)
	if len(t.Attributes) > 0 {
		text += " (" + names(t.Attributes, oneLine) + ")"
	}
	return text
}

func relationText(r ontology.Relation) string {
	text := oneLine(r.Name)
	if r.SingleValued {
		text += " (one at a time)"
	}
	return text
}
