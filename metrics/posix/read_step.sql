-- Distance between the starts of reads, where most reads of a file advance by the same distance.
--
-- A library that refills its buffer after each seek reads again most of what it had: if the distance
-- is shorter than a read, the program takes its records in file order. Only logs with single calls
-- have rows.
--
-- rows: one row per log and file with reads at a fixed distance
-- needs: posix
-- also: file_pattern
-- log        | i32 | log     | number of the log in this analysis
-- file_id    | u64 | file_id | joins with `file`
-- step_bytes | i64 | bytes   | the most frequent distance; negative: backward
-- step_ratio | f64 | 1       | share of the reads at a fixed distance
with recorded as (
  select log,
         file_id
  from posix
  group by log, file_id
)
select p.log,
       p.file_id,
       p.stride_bytes  as step_bytes,
       p.strided_ratio as step_ratio
from file_pattern as p
join recorded as r
  on r.log = p.log
  and r.file_id = p.file_id
where p.layer = 'posix'
  and p.op = 'read'
  and p.stride_bytes is not null
