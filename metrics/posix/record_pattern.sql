-- How the requests of each record follow each other, by direction: what
-- `access_pattern` adds up by file and `rank_pattern` by rank.
--
-- The first request of a rank follows none: it is neither sequential nor random.
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
-- time_s            | f64 | s       | time in the requests, summed over ranks where rank is -1 | not recorded
-- bytes             | i64 | bytes   | bytes moved | not recorded
select p.log,
       p.file_id,
       p.rank,
       'read'         as op,
       p.reads        as calls,
       p.seq_reads    as sequential_calls,
       p.consec_reads as consecutive_calls,
       case when p.rank < 0 then coalesce(job.nprocs, 1) else 1 end as starts,
       p.f_read_time  as time_s,
       p.bytes_read   as bytes
from posix as p
join job
  on job.log = p.log
where p.reads > 0
union all
select p.log,
       p.file_id,
       p.rank,
       'write'         as op,
       p.writes        as calls,
       p.seq_writes    as sequential_calls,
       p.consec_writes as consecutive_calls,
       case when p.rank < 0 then coalesce(job.nprocs, 1) else 1 end as starts,
       p.f_write_time  as time_s,
       p.bytes_written as bytes
from posix as p
join job
  on job.log = p.log
where p.writes > 0
