-- Load of the storage servers outside the job's own bytes.
--
-- Series that count bytes (unit bytes, or bytes/s) of one name and direction
-- are added up over servers and targets. own_bytes is what the job moved by its
-- log, whichever file system it went to, and also what the client's cache took
-- in or gave: outside_bytes is what remains, and 0 where the job moved more than the
-- servers saw. The share of the job is only as good as the match of the file
-- systems: `server_load` has the series one by one.
--
-- question: Do other jobs load the storage servers during this job?
-- rows: one row per log, name of a metric and direction that it says
-- needs: server_load, layer_load, job
-- log             | i32 | log   | number of the log in this analysis
-- name            | str | name  | name of the metric
-- op              | str | name  | read, write, or all where the name does not say
-- series          | i64 | series | series that are added up
-- server_bytes    | f64 | bytes | bytes on the servers during the run
-- own_bytes       | i64 | bytes | bytes that the job moved, by its log
-- outside_bytes   | f64 | bytes | bytes of others, at least
-- own_ratio       | f64 | 1     | own_bytes over server_bytes; above 1 a cache was at work | the servers saw none
-- covered_ratio   | f64 | 1     | share of the run that the samples cover | the run time is not recorded
-- server_bytes_per_s | f64 | bytes/s | server_bytes over the covered time
-- peak_bytes_per_s | f64 | bytes/s | sum over series of the most in any interval: at most this much at one time
select s.log,
       s.name,
       s.op,
       s.series,
       s.server_bytes,
       case s.op when 'read' then o.bytes_read
                 when 'write' then o.bytes_written
                 else o.bytes_read + o.bytes_written end as own_bytes,
       greatest(s.server_bytes - case s.op when 'read' then o.bytes_read
                                           when 'write' then o.bytes_written
                                           else o.bytes_read + o.bytes_written end, 0.0) as outside_bytes,
       ratio(case s.op when 'read' then o.bytes_read
                       when 'write' then o.bytes_written
                       else o.bytes_read + o.bytes_written end, s.server_bytes) as own_ratio,
       s.covered_ratio,
       s.server_bytes_per_s,
       s.peak_bytes_per_s
from (
  select log,
         name,
         coalesce(op, 'all') as op,
         count(*)            as series,
         sum(amount)         as server_bytes,
         avg(covered_ratio)  as covered_ratio,
         sum(per_s)          as server_bytes_per_s,
         sum(peak_per_s)     as peak_bytes_per_s
  from server_load
  where unit in ('bytes', 'bytes/s')
    and amount is not null
  group by log, name, coalesce(op, 'all')
) as s
join (
  select job.log,
         coalesce(sum(l.bytes_read), 0)    as bytes_read,
         coalesce(sum(l.bytes_written), 0) as bytes_written
  from job
  left join layer_load as l
    on l.log = job.log
    and l.layer in ('posix', 'stdio', 'dfs')
  group by job.log
) as o
  on o.log = s.log
