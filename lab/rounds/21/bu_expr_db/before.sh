#!/usr/bin/env bash
# expr_db.sh COUNTS.tsv DB
# Loads the long count table (gene, sample, count) of the featureCounts step into
# an SQLite file and reports library sizes and the most variable genes.
set -euo pipefail
export LC_ALL=C

counts=${1:?usage: expr_db.sh COUNTS.tsv DB}
db=${2:?usage: expr_db.sh COUNTS.tsv DB}

rm -f "$db" "$db-journal"

# table, rows and index, and what came in
sqlite3 -separator ' ' "$db" <<SQL
PRAGMA cache_size = -100000;
CREATE TABLE counts (gene TEXT NOT NULL, sample TEXT NOT NULL, n INTEGER NOT NULL);
.separator "\t"
.import $counts counts
.separator " "
CREATE INDEX counts_gene ON counts (gene, sample, n);
SELECT 'rows', count(*), 'reads', sum(n) FROM counts;
SQL

# the report
sqlite3 -separator ' ' "$db" <<'SQL'
PRAGMA cache_size = -100000;
PRAGMA temp_store = memory;

-- library sizes; the rank is by size
SELECT sample, total, rank() OVER (ORDER BY total DESC)
FROM (SELECT sample, sum(n) AS total FROM counts GROUP BY sample)
ORDER BY sample
LIMIT 5;

-- genes by index of dispersion of counts per million
WITH lib AS MATERIALIZED (SELECT sample, sum(n) AS total FROM counts GROUP BY sample),
     cpm AS (SELECT c.gene AS gene, 1e6 * c.n / lib.total AS v
             FROM counts c JOIN lib ON lib.sample = c.sample),
     st  AS (SELECT gene, count(*) AS k, avg(v) AS m, avg(v * v) AS q
             FROM cpm GROUP BY gene)
SELECT gene, k, printf('%.2f', m), printf('%.3f', (q - m * m) / m)
FROM st
WHERE k > 20
ORDER BY (q - m * m) / m DESC, gene
LIMIT 5;

-- top gene of each sample
SELECT sample, gene, n FROM (
    SELECT sample, gene, n,
           row_number() OVER (PARTITION BY sample ORDER BY n DESC, gene) AS r
    FROM counts)
WHERE r = 1 ORDER BY sample LIMIT 8;
SQL
