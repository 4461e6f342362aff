    CALL (row, a, b) {
      WITH row, a, b WHERE COUNT { (a)-->() } <= COUNT { (b)<--() }
      MATCH (a)-[rs*1..1]->(end)
      WHERE end = b AND type(head(rs)) = row.type AND head(rs).owner = $batch.owner
      RETURN head(rs) AS r
    UNION ALL
      WITH row, a, b WHERE COUNT { (a)-->() } > COUNT { (b)<--() }
      MATCH (b)<-[rs*1..1]-(start)
      WHERE start = a AND type(head(rs)) = row.type AND head(rs).owner = $batch.owner
      RETURN head(rs) AS r
    }
