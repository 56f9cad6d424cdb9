-- Bytes that were certainly read or written more than once, from counters.
--
-- More bytes than the highest offset + 1 cannot all be different. That is a
-- lower bound: a job that reads a part of a file many times may stay below.
-- `redundancy` has the exact number where single calls were recorded. The C library
-- makes no recorded calls for its streams: both are added up.
--
-- rows: one row per log, file and direction in which bytes were moved
-- needs: posix, stdio, job
-- log               | i32 | log     | number of the log in this analysis
-- file_id           | u64 | file_id | joins with `file`
-- op                | str | name    | read or write
-- bytes             | i64 | bytes   | bytes moved
-- extent_bytes      | i64 | bytes   | highest offset moved + 1 | not recorded
-- again_low_bytes   | i64 | bytes   | bytes moved more than once, at least | not recorded
-- again_ratio       | f64 | 1       | bytes over extent_bytes: how often each byte was moved, at least | not recorded
select log,
       file_id,
       op,
       bytes,
       extent_bytes,
       case when bytes > extent_bytes then bytes - extent_bytes
            when bytes <= extent_bytes then 0 end as again_low_bytes,
       ratio(bytes, extent_bytes) as again_ratio
from (
  select log,
         file_id,
         op,
         sum(bytes)        as bytes,
         max(extent_bytes) as extent_bytes
  from (
    select log,
           file_id,
           'read' as op,
           sum(bytes_read) as bytes,
           max(max_byte_read) + 1 as extent_bytes
    from posix
    group by log, file_id
    union all
    select log,
           file_id,
           'write' as op,
           sum(bytes_written) as bytes,
           max(max_byte_written) + 1 as extent_bytes
    from posix
    group by log, file_id
    union all
    select log,
           file_id,
           'read' as op,
           sum(bytes_read) as bytes,
           max(max_byte_read) + 1 as extent_bytes
    from stdio
    group by log, file_id
    union all
    select stdio.log,
           file_id,
           'write' as op,
           sum(bytes_written) as bytes,
           -- Darshan counts from the start of the file at each open, also to append
           max(case when job.format = 'darshan' and opens > case when rank < 0 then job.nprocs else 1 end
                    then null else max_byte_written end) + 1 as extent_bytes
    from stdio
    join job
      on job.log = stdio.log
    group by stdio.log, file_id
  ) as of_layer
  where bytes > 0
  group by log, file_id, op
) as p
