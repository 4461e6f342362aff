package acervo

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/ontology"
)

// QueryRefusedError is returned when [Client.Query] doesn't run a statement.
type QueryRefusedError struct {
	// Reason says what of the statement isn't allowed.
	Reason string
}

// Error gives the reason.
func (e *QueryRefusedError) Error() string { return "refused: " + e.Reason }

// Is reports that the error is ErrForbidden.
func (e *QueryRefusedError) Is(target error) bool { return target == ErrForbidden }

func refused(format string, args ...any) error {
	return &QueryRefusedError{Reason: fmt.Sprintf(format, args...)}
}

// QueryProcedures names the procedures that a statement of [Client.Query] may call.
func QueryProcedures() []string {
	return []string{
		"db.index.fulltext.awaitEventuallyConsistentIndexRefresh", "db.index.fulltext.listAvailableAnalyzers", "db.index.fulltext.queryNodes", "db.index.fulltext.queryRelationships",
		"db.index.vector.queryNodes", "db.index.vector.queryRelationships",
		"db.labels", "db.propertyKeys", "db.relationshipTypes",
		"db.schema.nodeTypeProperties", "db.schema.relTypeProperties", "db.schema.visualization",
	}
}

// readingOperators are the operators of plans that only read the graph, as the
// server names them, without what follows in parentheses; see
// https://neo4j.com/docs/cypher-manual/current/planning-and-tuning/operators/. One
// that another release brings is refused until it is here.
var readingOperators = strings.Fields(`
	AllNodesScan AntiConditionalApply AntiSemiApply Apply Argument ArgumentTracker BidirectionalRepeat CacheProperties CartesianProduct
	ConditionalApply DirectedAllRelationshipsScan DirectedRelationshipByElementIdSeek DirectedRelationshipByIdSeek
	DirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan DirectedRelationshipIndexScan DirectedRelationshipIndexSeek
	DirectedRelationshipIndexSeekByRange DirectedRelationshipTypeScan DirectedRelationshipUniqueIndexSeek
	DirectedRelationshipUniqueIndexSeekByRange DirectedRelationshipVectorIndexSearch DirectedUnionRelationshipTypesScan Distinct
	DynamicDirectedRelationshipTypeLookup DynamicLabelNodeLookup DynamicUndirectedRelationshipTypeLookup Eager EagerAggregation EmptyResult
	EmptyRow ExhaustiveLimit Expand Filter IntersectionNodeByLabelsScan LetAntiSemiApply LetSelectOrAntiSemiApply LetSelectOrSemiApply
	LetSemiApply Limit MultiNodeIndexSeek NodeByElementIdSeek NodeByIdSeek NodeByLabelScan NodeCountFromCountStore NodeHashJoin
	NodeIndexContainsScan NodeIndexEndsWithScan NodeIndexScan NodeIndexSeek NodeIndexSeekByRange NodeLeftOuterHashJoin
	NodeRightOuterHashJoin NodeUniqueIndexSeek NodeUniqueIndexSeekByRange NodeVectorIndexSearch NonFuseable NonPipelined NullifyMetadata
	Optional OptionalExpand OrderedAggregation OrderedDistinct OrderedUnion PartialSort PartialTop PartitionedAllNodesScan
	PartitionedDirectedAllRelationshipsScan PartitionedDirectedRelationshipIndexScan PartitionedDirectedRelationshipIndexSeek
	PartitionedDirectedRelationshipIndexSeekByRange PartitionedDirectedRelationshipTypeScan PartitionedDirectedUnionRelationshipTypesScan
	PartitionedIntersectionNodeByLabelsScan PartitionedNodeByLabelScan PartitionedNodeIndexScan PartitionedNodeIndexSeek
	PartitionedNodeIndexSeekByRange PartitionedSubtractionNodeByLabelsScan PartitionedUndirectedAllRelationshipsScan
	PartitionedUndirectedRelationshipIndexScan PartitionedUndirectedRelationshipIndexSeek PartitionedUndirectedRelationshipIndexSeekByRange
	PartitionedUndirectedRelationshipTypeScan PartitionedUndirectedUnionRelationshipTypesScan PartitionedUnionNodeByLabelsScan
	PartitionedUnwind PathPropagatingBFS PreserveOrder ProcedureCall ProduceResults ProjectEndpoints Projection
	RelationshipCountFromCountStore RemoteBatchProperties RemoteBatchPropertiesWithFilter Repeat RollUpApply SelectOrAntiSemiApply
	SelectOrSemiApply SemiApply ShortestPath Skip Sort StatefulShortestPath SubtractionNodeByLabelsScan Top Top1WithTies TriadicBuild
	TriadicFilter TriadicSelection UndirectedAllRelationshipsScan UndirectedRelationshipByElementIdSeek UndirectedRelationshipByIdSeek
	UndirectedRelationshipIndexContainsScan UndirectedRelationshipIndexEndsWithScan UndirectedRelationshipIndexScan
	UndirectedRelationshipIndexSeek UndirectedRelationshipIndexSeekByRange UndirectedRelationshipTypeScan
	UndirectedRelationshipUniqueIndexSeek UndirectedRelationshipUniqueIndexSeekByRange UndirectedRelationshipVectorIndexSearch
	UndirectedUnionRelationshipTypesScan Union UnionNodeByLabelsScan Unwind ValueHashJoin ValueMergeJoin VarLengthExpand`)

var (
	// drawnOperator finds the operators in the table in which the server draws a
	// plan: the driver's own tree of a plan repeats the last child of an operator
	// in the place of the others. A text with a line break in it can add lines
	// that look like operators, and hide none.
	drawnOperator = regexp.MustCompile(`(?m)^\|[ |]*\+([^\s(@|+-][^\s(@|]*)`)
	// drawnProcedure finds the procedures that are called there.
	drawnProcedure = regexp.MustCompile(`(?m)^\|[ |]*\+ProcedureCall[^|]*\| *\d+ \| ([^\s(|]+)\(`)
)

// judgePlan refuses what the server doesn't plan as a statement that reads the
// graph and nothing else.
func judgePlan(summary neo4j.ResultSummary) error {
	if summary.StatementType() != neo4j.StatementTypeReadOnly {
		return refused("the server plans it as a statement that writes, changes the schema or administers")
	}
	plan := summary.Plan()
	if plan == nil {
		return refused("the server gives no plan for it")
	}
	drawn, _ := plan.Arguments()["string-representation"].(string)
	operators := drawnOperator.FindAllStringSubmatch(drawn, -1)
	if len(operators) == 0 {
		return refused("the server draws no plan for it")
	}
	calls := 0
	for _, o := range operators {
		if !slices.Contains(readingOperators, o[1]) {
			return refused("its plan has %s, which isn't among the operators that do nothing but read the graph", ontology.Shorten(o[1]))
		}
		if o[1] == "ProcedureCall" {
			calls++
		}
	}
	procedures := drawnProcedure.FindAllStringSubmatch(drawn, -1)
	for _, p := range procedures {
		if !slices.Contains(QueryProcedures(), p[1]) {
			return refused("it calls the procedure %s, which isn't among those that are allowed", ontology.Shorten(p[1]))
		}
	}
	if len(procedures) < calls {
		return refused("its plan doesn't tell which procedures it calls")
	}
	return nil
}

// judgeText refuses what a plan doesn't show, without looking at what strings and
// comments hold. It may refuse a text that only looks like it; one that is passed as
// a parameter is never looked at.
//
//   - Functions are no operators, and some are called while the server plans. So
//     one that doesn't come with Neo4j is refused by its name: every part of it is in
//     the text.
//   - A plan doesn't say that it is for another database, so USE is refused.
//   - The plan of COLLECT { … }, COUNT { … } and EXISTS { … } is hidden where they
//     stand within another expression. What doesn't write and is no reading of the
//     graph is refused in a text with one of them: LOAD CSV, SHOW, TERMINATE, and CALL
//     of other procedures than the allowed ones.
func judgeText(text string, functions []string) error {
	// Cypher 5 decodes \uXXXX before it reads, Cypher 25 doesn't, so with one of them
	// nobody can tell what is a string.
	texts := []string{stripped(text)}
	if strings.Contains(text, `\u`) {
		texts = []string{text, decodeEscapes(text)}
	}
	for _, t := range texts {
		lower := strings.ToLower(t)
		for _, name := range functions {
			if containsParts(lower, strings.Split(strings.ToLower(name), ".")) {
				return refused("it names the function %s, which doesn't come with Neo4j itself", ontology.Shorten(name))
			}
		}
		if leadingUse.MatchString(t) {
			return refused("it says with USE which database it is for; that is the client's")
		}
		if !subqueryExpression.MatchString(t) {
			continue
		}
		for from := 0; ; { // a word may be looked at as what follows another one
			at := hiding.FindStringSubmatchIndex(t[from:])
			if at == nil {
				break
			}
			word, end := t[from+at[2]:from+at[3]], from+at[3]
			if err := judgeHidden(word, t[end:]); err != nil {
				return err
			}
			from = end
		}
	}
	return nil
}

// quoted finds comments, strings and names in backticks, in the order in which
// they begin, as the lexer of Cypher does; see
// https://neo4j.com/docs/cypher-manual/current/syntax/parsing/ and
// https://neo4j.com/docs/cypher-manual/current/syntax/naming/.
var quoted = regexp.MustCompile("(?s)/\\*.*?\\*/|//[^\r\n]*|'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")

// stripped leaves of strings the quotes and of comments a space.
func stripped(text string) string {
	return quoted.ReplaceAllStringFunc(text, func(q string) string {
		switch q[0] {
		case '/':
			return " "
		case '`':
			return q
		}
		return "''"
	})
}

func containsParts(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

const (
	space   = `[\s\p{Z}\p{C}]`
	comment = `/\*.*?\*/|//[^\n]*\n|//[^\r]*\r`
)

var (
	// leadingUse finds USE behind nothing but words, options and comments.
	leadingUse         = regexp.MustCompile(`(?is)^(?:` + space + `|` + comment + `|[\w=.]+)*\buse(?:` + space + "|[`/])")
	subqueryExpression = regexp.MustCompile(`(?is)(?:collect|count|exists|value)(?:` + space + `|` + comment + `)*\{`)
	// hiding finds the words that what a plan hides could begin with: no parts of
	// another word and no names behind a dot, a colon or a dollar sign.
	hiding = regexp.MustCompile(`(?i)(?:^|[^\pL_.:$])(call|load|show|terminate)(?:` + space + "|[^\\pL\\pN_]|$)")
	// called finds the name of a procedure behind CALL.
	called  = regexp.MustCompile(`^([\pL_][\pL\pN_.]*)` + space + `*\(`)
	escaped = regexp.MustCompile(`\\u+[0-9a-fA-F]{4}`)
)

// judgeHidden refuses what a word of a text and what follows it could be.
func judgeHidden(word, after string) error {
	const where = "beside a subquery within an expression, of which the plan doesn't show everything"
	word = strings.ToUpper(word)
	after = strings.TrimLeftFunc(after, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.C) })
	next, _ := utf8.DecodeRuneInString(after)
	name := called.FindStringSubmatch(after)
	switch begins := unicode.IsLetter(next) || next == '_' || next == '`'; {
	case next == '/':
		return refused("it has %s with a comment behind it, %s", word, where)
	case !begins, word == "LOAD" && !strings.EqualFold(after[:min(3, len(after))], "csv"):
		return nil
	case word == "CALL" && name != nil && slices.Contains(QueryProcedures(), name[1]):
		return nil
	}
	return refused("it has %s %s, %s; pass what is only a text as a parameter", word, ontology.Shorten(firstWord(after)), where)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// decodeEscapes decodes \uXXXX as Cypher 5 does before it reads a statement.
func decodeEscapes(text string) string {
	return escaped.ReplaceAllStringFunc(text, func(e string) string {
		r, err := strconv.ParseUint(e[len(e)-4:], 16, 32)
		if err != nil {
			return e
		}
		return string(rune(r))
	})
}
