-- How the requests of each record follow each other, by direction: what
-- `access_pattern` adds up by file and `rank_pattern` by rank.
--
-- Darshan counts a request as sequential when it starts after the end of the
-- one before of the same rank, as consecutive when right there. The first
-- request of each rank is neither, so random is a range: its low end takes one
-- request per rank off.
--
-- rows: one row per log, file, rank and direction with at least one request
-- needs: posix, job
-- log               | i32 | log     | number of the log in this analysis
-- file_id           | u64 | file_id | joins with `file`
-- rank              | i32 | rank    | rank; -1: the file of all ranks
-- op                | str | name    | read or write
-- calls             | i64 | calls   | requests
-- sequential_calls  | i64 | calls   | requests that start anywhere after the one before, consecutive ones included | not recorded
-- consecutive_calls | i64 | calls   | requests that start right at the end of the one before | not recorded
-- starts            | i64 | calls   | first requests: one per rank
-- random_low_calls  | i64 | calls   | requests that start before the end of the one before, at least | not recorded
-- random_high_calls | i64 | calls   | the same, at most | not recorded
-- time_s            | f64 | s       | time in the requests, summed over ranks where rank is -1 | not recorded
-- bytes             | i64 | bytes   | bytes moved | not recorded
select log,
       file_id,
       rank,
       op,
       calls,
       sequential_calls,
       consecutive_calls,
       starts,
       case when sequential_calls is not null then greatest(calls - sequential_calls - starts, 0) end as random_low_calls,
       case when sequential_calls is not null then greatest(calls - sequential_calls, 0) end as random_high_calls,
       time_s,
       bytes
from (
  select p.log,
         p.file_id,
         p.rank,
         p.op,
         p.calls,
         p.sequential_calls,
         p.consecutive_calls,
         case when p.rank < 0 then coalesce(job.nprocs, 1) else 1 end as starts,
         p.time_s,
         p.bytes
  from (
    select log,
           file_id,
           rank,
           'read'       as op,
           reads        as calls,
           seq_reads    as sequential_calls,
           consec_reads as consecutive_calls,
           recorded_time(f_read_time) as time_s,
           bytes_read   as bytes
    from posix
    where reads > 0
    union all
    select log,
           file_id,
           rank,
           'write'       as op,
           writes        as calls,
           seq_writes    as sequential_calls,
           consec_writes as consecutive_calls,
           recorded_time(f_write_time) as time_s,
           bytes_written as bytes
    from posix
    where writes > 0
  ) as p
  join job
    on job.log = p.log
) as each_record
