-- Reads that return 0 bytes.
--
-- Exact where single calls were recorded. From counters at least: a read that returns
-- something returns a byte, so what there are more reads than bytes returned nothing. Such
-- a read takes no longer than an average one: empty_s is at most.
--
-- rows: one row per log and rank that read with POSIX calls
-- needs: posix
-- also: rank_call
-- log         | i32 | log   | number of the log in this analysis
-- rank        | i32 | rank  | rank; -1: all ranks
-- read_calls  | i64 | calls | reads
-- empty_calls | i64 | calls | reads that returned 0 bytes
-- empty_s     | f64 | s     | time in these | not recorded
-- is_exact    | bool | flag | from single calls
with traced as (
  select log
  from rank_call
  where layer = 'posix'
    and op = 'read'
  group by log
),
counted as (
  select log,
         rank,
         reads,
         least(greatest(reads - bytes_read, 0), size_read_0_100) as empty_calls,
         f_read_time,
         f_write_time,
         f_meta_time,
         f_slowest_rank_time
  from posix
  where reads > 0
    and bytes_read is not null
)
select log,
       rank,
       calls       as read_calls,
       empty_calls,
       empty_s,
       true        as is_exact
from rank_call
where layer = 'posix'
  and op = 'read'
union all
select p.log,
       p.rank,
       sum(p.reads)                              as read_calls,
       sum(p.empty_calls)                        as empty_calls,
       sum(rank_time(p.rank, p.f_read_time, p.f_read_time + p.f_write_time + p.f_meta_time, p.f_slowest_rank_time) * ratio(p.empty_calls, p.reads)) as empty_s,
       false                                     as is_exact
from counted as p
left join traced
  on traced.log = p.log
where traced.log is null
group by p.log, p.rank
