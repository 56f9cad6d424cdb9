-- How fast each storage target (OST) serves the files that lie on it alone.
--
-- From counters: a file on one target names who was slow. Files striped over
-- several targets are left out, they wait for the slowest. A target far below
-- the median of all in files alike is failing or overloaded.
--
-- rows: one row per log and target with at least one file of its own that moved bytes
-- needs: lustre_target, file_layer
-- log                   | i32 | log     | number of the log in this analysis
-- ost_id                | i64 | id      | object storage target
-- files                 | i64 | files   | files that lie on it alone
-- bytes                 | i64 | bytes   | bytes moved in them
-- time_s                | f64 | s       | time in calls on them, summed over ranks
-- median_bytes_per_s    | f64 | bytes/s | median over these files of bytes over time of the slowest rank | no time was measured
-- targets               | i64 | targets | targets that can be compared
-- typical_bytes_per_s   | f64 | bytes/s | median of median_bytes_per_s over these | no time was measured
-- slowdown_ratio        | f64 | 1       | typical_bytes_per_s over median_bytes_per_s: 2 is half as fast as the others | no time was measured
with own as (
  select log,
         file_id,
         min(ost_id) as ost_id
  from lustre_target
  where ost_id is not null
  group by log, file_id
  having count(distinct ost_id) = 1
),
speed as (
  select own.log,
         own.ost_id,
         count(*)                             as files,
         sum(f.bytes_read + f.bytes_written)  as bytes,
         sum(f.time_s)                        as time_s,
         median(f.bandwidth_bytes_per_s)      as median_bytes_per_s
  from own
  join file_layer as f
    on f.log = own.log
    and f.file_id = own.file_id
  where f.layer = 'posix'
    and f.bytes_read + f.bytes_written > 0
    and f.time_s is not null
  group by own.log, own.ost_id
),
typical as (
  select log,
         count(*)                   as targets,
         median(median_bytes_per_s) as typical_bytes_per_s
  from speed
  group by log
)
select speed.log,
       speed.ost_id,
       speed.files,
       speed.bytes,
       speed.time_s,
       speed.median_bytes_per_s,
       typical.targets,
       typical.typical_bytes_per_s,
       ratio(typical.typical_bytes_per_s, speed.median_bytes_per_s) as slowdown_ratio
from speed
join typical
  on typical.log = speed.log
