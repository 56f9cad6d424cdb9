-- Files by how they were used: the file count summary of darshan-job-summary.
--
-- Sizes are the highest offset seen + 1, as there; a file of which only a part
-- was touched is longer than that. `created` are, as there, the files that
-- were written and are not empty: counters do not say which existed before.
--
-- rows: one row per log, layer of posix, mpiio or stdio, and kind with at least one file
-- needs: file_layer
-- log        | i32 | log   | number of the log in this analysis
-- layer      | str | name  | as in `file_layer`
-- kind       | str | name  | opened (all), read_only, write_only, read_write, untouched, created; unique, some and all by sharing
-- files      | i64 | files | files of that kind
-- bytes      | i64 | bytes | bytes moved | not recorded
-- mean_bytes | f64 | bytes | mean size of the files | not recorded
-- max_bytes  | i64 | bytes | largest of them | not recorded
with f as (
  select log,
         layer,
         sharing,
         bytes_read + bytes_written as bytes,
         size_bytes,
         case
           when bytes_read > 0 and bytes_written > 0 then 'read_write'
           when bytes_read > 0 then 'read_only'
           when bytes_written > 0 then 'write_only'
           else 'untouched'
         end as used
  from file_layer
  where layer in ('posix', 'mpiio', 'stdio')
),
kinds as (
  select log,
         layer,
         'opened' as kind,
         bytes,
         size_bytes
  from f
  union all
  select log,
         layer,
         used as kind,
         bytes,
         size_bytes
  from f
  union all
  select log,
         layer,
         sharing as kind,
         bytes,
         size_bytes
  from f
  union all
  select log,
         layer,
         'created' as kind,
         bytes,
         size_bytes
  from f
  where used in ('write_only', 'read_write')
    and size_bytes > 0
)
select log,
       layer,
       kind,
       count(*)                               as files,
       sum(bytes)                             as bytes,
       avg(cast(size_bytes as double)) as mean_bytes,
       max(size_bytes)                        as max_bytes
from kinds
group by log, layer, kind
