-- Load of each storage target (OST) outside the job's own bytes.
--
-- Only targets whose name has an index (`fs-OST000e` is 14) can be matched with
-- the log. own_bytes is exact where single calls were recorded; otherwise the
-- bytes of each file are spread evenly over its targets (`target_estimate`).
-- With several file systems of one index it is not recorded which is meant.
--
-- question: Which storage target do other jobs load during this job?
-- rows: one row per log, target, name of a metric and direction that it says
-- needs: server_load, target_load, target_estimate
-- log           | i32 | log   | number of the log in this analysis
-- ost_id        | i64 | id    | object storage target
-- target        | str | name  | its name on the server
-- name          | str | name  | name of the metric
-- op            | str | name  | read, write, or all where the name does not say
-- server_bytes  | f64 | bytes | bytes on the target during the run
-- own_bytes     | f64 | bytes | bytes that the job moved there; 0 when the layouts of its files do not name the target
-- outside_bytes | f64 | bytes | bytes of others, at least
-- own_ratio     | f64 | 1     | own_bytes over server_bytes; above 1 a cache was at work | the server saw none
-- load_ratio    | f64 | 1     | server_bytes over the mean of all targets of this metric | the servers saw none
-- peak_bytes_per_s | f64 | bytes/s | the most in any interval
with own as (
  select log,
         ost_id,
         op,
         max(exact)    as exact,
         max(estimate) as estimate
  from (
    select log,
           ost_id,
           op,
           cast(bytes as double) as exact,
           null                  as estimate
    from target_load
    union all
    select log,
           ost_id,
           op,
           null           as exact,
           estimate_bytes as estimate
    from target_estimate
  ) as both_ways
  group by log, ost_id, op
),
served as (
  select s.log,
         s.ost_id,
         s.target,
         s.name,
         s.op,
         s.server_bytes,
         s.peak_bytes_per_s,
         sum(coalesce(own.exact, own.estimate, 0.0)) as own_bytes
  from (
    select log,
           ost_id,
           target,
           name,
           coalesce(op, 'all') as op,
           sum(amount)         as server_bytes,
           max(peak_per_s)     as peak_bytes_per_s
    from server_load
    where unit in ('bytes', 'bytes/s')
      and amount is not null
      and ost_id is not null
    group by log, ost_id, target, name, coalesce(op, 'all')
  ) as s
  left join own
    on own.log = s.log
    and own.ost_id = s.ost_id
    and (s.op = 'all' or own.op = s.op)
  group by s.log, s.ost_id, s.target, s.name, s.op, s.server_bytes, s.peak_bytes_per_s
)
select log,
       ost_id,
       target,
       name,
       op,
       server_bytes,
       own_bytes,
       greatest(server_bytes - own_bytes, 0.0) as outside_bytes,
       ratio(own_bytes, server_bytes)          as own_ratio,
       ratio(server_bytes, avg(server_bytes) over (partition by log, name, op)) as load_ratio,
       peak_bytes_per_s
from served
