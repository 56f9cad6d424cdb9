-- What each rank did in each layer, in files of its own.
--
-- Files that all ranks share have one record for all of them, with rank -1:
-- that row cannot be split by rank. Whoever compares ranks looks at how much
-- stands in it.
--
-- rows: one row per log, rank and layer with records
-- needs: file_use
-- log           | i32 | log   | number of the log in this analysis
-- rank          | i32 | rank  | rank; -1: files of all ranks
-- layer         | str | name  | as in `file_use`
-- files         | i64 | files | files
-- reads         | i64 | calls | reads | not recorded
-- writes        | i64 | calls | writes | not recorded
-- bytes_read    | i64 | bytes | bytes read | not recorded
-- bytes_written | i64 | bytes | bytes written | not recorded
-- read_s        | f64 | s     | time in reads; a sum over ranks where rank is -1 | not recorded
-- write_s       | f64 | s     | time in writes, likewise | not recorded
-- metadata_s    | f64 | s     | time in metadata calls, likewise | not recorded
-- time_s        | f64 | s     | time in all of these | not recorded
-- slowest_s     | f64 | s     | as time_s; where rank is -1, of the slowest rank of each file, summed over files | not recorded
select log,
       rank,
       layer,
       count(*)           as files,
       sum(reads)         as reads,
       sum(writes)        as writes,
       sum(bytes_read)    as bytes_read,
       sum(bytes_written) as bytes_written,
       sum(read_s)        as read_s,
       sum(write_s)       as write_s,
       sum(metadata_s)    as metadata_s,
       sum(coalesce(read_s, 0) + coalesce(write_s, 0) + metadata_s) as time_s,
       sum(slowest_s)     as slowest_s
from file_use
group by log, rank, layer
