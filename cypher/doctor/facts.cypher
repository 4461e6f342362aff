// Counts the facts that don't hang on the entity that they are about, as current
// ones or as those of the past, or hang on several.
//
// access:  read
// param:   owners LIST<STRING>   null: all
// returns: found INTEGER
// plan:    NodeByLabelScan      every fact is looked at
// include: misplaced
RETURN count(f) AS found
