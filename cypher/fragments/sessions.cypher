CALL () {
  MATCH (s:AcervoSession)
  WHERE s.owner = $owner AND s.id IS NOT NULL
  RETURN s
UNION ALL
  MATCH (s:AcervoSession)
  WHERE $owner IS NULL AND s.owner IS NOT NULL AND s.id IS NOT NULL
  RETURN s
}
