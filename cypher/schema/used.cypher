// Lists the relationship types and labels that are in use.
//
// access:  read
// returns: relations LIST<STRING>
// returns: labels LIST<STRING>
CALL db.relationshipTypes() YIELD relationshipType
WITH collect(relationshipType) AS relations
CALL db.labels() YIELD label
RETURN relations, collect(label) AS labels
