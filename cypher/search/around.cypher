// Finds what is one relation away from entities, and what is two.
//
// access:  read
// param:   owner STRING
// param:   keys LIST<STRING>
// param:   each INTEGER         how many relations of an entity are followed
// param:   most INTEGER         of how many entities one relation away the relations are followed
// returns: near LIST<STRING>    keys one relation away
// returns: far LIST<STRING>     keys two relations away
// index:   acervo_entity_key
// index:   acervo_reference_key
CALL () {
  UNWIND $keys AS key
// include: adjacent
  RETURN collect(DISTINCT next) AS near
}
CALL (near) {
  UNWIND near[..$most] AS key
// include: adjacent
  RETURN collect(DISTINCT next) AS far
}
RETURN near, far
