package acervo

import (
	"errors"
	"testing"
)

// TestJudgeText looks at what no plan shows; TestQueryJudges asks a server.
func TestJudgeText(t *testing.T) {
	t.Parallel()
	functions := []string{"apoc.text.join", "custom.now"}
	for text, want := range map[string]bool{
		"RETURN 1": true, "RETURN apoc.x": true, "RETURN toUpper('apoc.text.join')": true, "RETURN 1 // apoc.text.join": true, "RETURN toUpper(\"a\\\"apoc.text.join\")": true, "MATCH (n:Custom) RETURN n": true,
		"RETURN apoc.text.join(['a'], '')": false, "RETURN apoc . text . join(['a'], '')": false, "RETURN `apoc`.`text`.`join`([])": false, "RETURN APOC.Text.JOIN([])": false,
		"RETURN apoc/* */.text//\n.join([])": false, "RETURN ap\\u006fc.text.join([])": false, "RETURN custom.now()": false, "MATCH (n) RETURN n LIMIT custom.now()": false,
		"MATCH (use) RETURN use": true, "MATCH (n) USING INDEX n:A(b) WHERE n.b = 1 RETURN n": true, "USE x RETURN 1": false, "cypher 25 use x RETURN 1": false, "// a\r\nUSE x RETURN 1": false, "/*a*/USE/*b*/x RETURN 1": false,
		"RETURN 'call me', 'load csv', 'show it'":              true, // with no subquery, the plan shows all
		"RETURN COUNT { (n)--() }, n.call, n.show AS x, $load": true, "RETURN EXISTS { (n)--() }, n.recall AS y, 'callous'": true, "RETURN COLLECT { CALL { RETURN 1 AS x } RETURN x }": true,
		"RETURN COUNT { (n)--() }, 'call me', \"load csv\" /* show it */ // call me": true, `RETURN COUNT { (n)--() }, 'it\'s', "call it"`: true,
		"RETURN COLLECT { CALL/**/db.labels() YIELD label RETURN label }": true,
		`RETURN '\\', COLLECT { LOAD CSV FROM 'x' AS l RETURN l }, '\\'`:  false, `RETURN "'", COLLECT { LOAD CSV FROM 'x' AS l RETURN l }, "'"`: false, "RETURN `'`, COLLECT { LOAD CSV FROM 'x' AS l RETURN l } AS `'`": false,
		"RETURN '/*', COLLECT { LOAD CSV FROM 'x' AS l RETURN l }, '*/'": false, "RETURN 1 //'\r, COLLECT { LOAD CSV FROM 'x' AS l RETURN l } //'": false, `RETURN '\u0027, COLLECT { LOAD CSV FROM "x" AS l RETURN l }, \u0027'`: false,
		"RETURN /*/ 1, */ COLLECT { LOAD CSV FROM 'x' AS l RETURN l } /*/": false, "RETURN 'open, COLLECT { LOAD CSV FROM \"x\" AS l RETURN l }": false,
		"RETURN COLLECT { CALL db.labels() YIELD label RETURN label }": true, "RETURN COLLECT { CALL db.labels.evil() YIELD x RETURN x }": false, "RETURN COLLECT { CALL db.labels /**/ .evil() YIELD x RETURN x }": false,
		"RETURN COLLECT {CALL evil() YIELD x RETURN x}": false, "RETURN COLLECT { CALL\u00a0evil.x() YIELD x RETURN x }": false, "RETURN COLLECT { C\\u0041LL evil.x() YIELD x RETURN x }": false,
		"RETURN count { load csv FROM 'x' AS l RETURN l }": false, "RETURN exists{LOAD\tCSV FROM 'x' AS l RETURN l}": false, "RETURN COLLECT { SHOW INDEXES YIELD name RETURN name }": false,
	} {
		if err := judgeText(text, functions); (err == nil) != want || err != nil && !errors.Is(err, ErrForbidden) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
