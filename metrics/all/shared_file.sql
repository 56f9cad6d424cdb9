-- Files that all ranks share: how unequal the ranks are, in terms that do not
-- depend on their number.
--
-- Counters name the slowest and the fastest rank and the variance, not each
-- rank. A rank that moves nothing is not slow: with collective buffering only
-- the aggregators write, and bytes are unequal by design.
--
-- rows: one row per log, file and layer with one record for all ranks
-- needs: file_use, job, posix, mpiio, stdio
-- log             | i32 | log     | number of the log in this analysis
-- file_id         | u64 | file_id | joins with `file`
-- layer           | str | name    | posix, mpiio or stdio
-- nprocs          | i64 | ranks   | ranks of the job | not recorded
-- bytes           | i64 | bytes   | bytes moved by all ranks | not recorded
-- time_s          | f64 | s       | time in calls, summed over ranks | not recorded
-- mean_s          | f64 | s       | mean over ranks | nprocs is not recorded
-- fastest_rank    | i64 | rank    | rank with the least time in calls | not recorded
-- fastest_s       | f64 | s       | its time | not recorded
-- fastest_bytes   | i64 | bytes   | bytes it moved | not recorded
-- slowest_rank    | i64 | rank    | rank with the most time in calls | not recorded
-- slowest_s       | f64 | s       | its time | not recorded
-- slowest_bytes   | i64 | bytes   | bytes it moved | not recorded
-- spread_s        | f64 | s       | standard deviation over ranks of the time | not recorded
-- spread_bytes    | f64 | bytes   | standard deviation over ranks of the bytes | not recorded
-- imbalance_ratio | f64 | 1       | slowest_s over mean_s, 1 when all are alike | not recorded, or no time
-- lost_s          | f64 | s       | slowest_s - mean_s: what perfect balance would save at most | not recorded
with spread as (
  select log,
         file_id,
         'posix' as layer,
         fastest_rank_bytes,
         slowest_rank_bytes,
         f_variance_rank_time,
         f_variance_rank_bytes
  from posix
  where rank < 0
  union all
  select log,
         file_id,
         'mpiio' as layer,
         fastest_rank_bytes,
         slowest_rank_bytes,
         f_variance_rank_time,
         f_variance_rank_bytes
  from mpiio
  where rank < 0
  union all
  select log,
         file_id,
         'stdio' as layer,
         fastest_rank_bytes,
         slowest_rank_bytes,
         f_variance_rank_time,
         f_variance_rank_bytes
  from stdio
  where rank < 0
)
select f.log,
       f.file_id,
       f.layer,
       job.nprocs,
       f.bytes_read + f.bytes_written                          as bytes,
       f.read_s + f.write_s + f.metadata_s                     as time_s,
       ratio(f.read_s + f.write_s + f.metadata_s, job.nprocs)  as mean_s,
       f.fastest_rank,
       f.fastest_s,
       spread.fastest_rank_bytes                               as fastest_bytes,
       f.slowest_rank,
       f.slowest_s,
       spread.slowest_rank_bytes                               as slowest_bytes,
       sqrt(case when spread.f_variance_rank_time >= 0 then spread.f_variance_rank_time end)   as spread_s,
       sqrt(case when spread.f_variance_rank_bytes >= 0 then spread.f_variance_rank_bytes end) as spread_bytes,
       ratio(f.slowest_s, ratio(f.read_s + f.write_s + f.metadata_s, job.nprocs)) as imbalance_ratio,
       f.slowest_s - ratio(f.read_s + f.write_s + f.metadata_s, job.nprocs)       as lost_s
from file_use as f
join job
  on job.log = f.log
join spread
  on spread.log = f.log
  and spread.file_id = f.file_id
  and spread.layer = f.layer
where f.rank < 0
