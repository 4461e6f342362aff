// Lists the relations that come from entities, and locks these, by a write that
// changes nothing, so that until the end of the transaction no other one is made by
// anybody. An entity with many relationships isn't listed.
//
// access:  write
// param:   rows LIST<MAP>       element, owner, id
// param:   owners LIST<STRING>  of the relations
// param:   limit INTEGER        how many relationships an entity may have
// returns: listed LIST<LIST>  element, relations: LIST<LIST> of owner, type, target's element
UNWIND $rows AS row
MATCH (a:AcervoEntity) WHERE elementId(a) = row.element AND a.owner = row.owner AND a.id = row.id
SET a.layer = a.layer
WITH row, a
WHERE COUNT { (a)--() } <= $limit
CALL (a) {
  MATCH (a)-[rs*1..1]->(b)
  WHERE head(rs).owner IN $owners AND type(head(rs)) <> 'HAS_FACT'
  RETURN collect([head(rs).owner, type(head(rs)), elementId(b)]) AS relations
}
RETURN collect([row.element, relations]) AS listed
