-- What each series of the storage servers shows over the run of the job.
--
-- Intervals between samples that lie in the run only in part count with that
-- part: the load is taken as even within an interval.
--
-- rows: one row per log and series with at least two samples around or in the run
-- needs: server_interval, job
-- log           | i32 | log   | number of the log in this analysis
-- series        | i32 | index | number of the series, as in `server_metric`
-- name          | str | name  | name of the metric
-- unit          | str | name  | unit of the samples | neither the file nor the name says
-- op            | str | name  | read or write | the name does not say
-- host          | str | name  | server | no label names one
-- target        | str | name  | storage target | no label names one
-- ost_id        | i64 | id    | index of the target on Lustre | the target is no OST
-- intervals     | i64 | intervals | intervals between samples that touch the run
-- covered_s     | f64 | s     | part of the run that they cover
-- covered_ratio | f64 | 1     | covered_s over the run time | the run time is not recorded
-- amount        | f64 | as unit, without the "/s" of a rate | what was done in the run | a level
-- per_s         | f64 | per second | amount over covered_s | a level
-- peak_per_s    | f64 | per second | the most in any interval | a level
-- mean_level    | f64 | as unit | mean over the run | a counter
-- peak_level    | f64 | as unit | the most in any interval | a counter
select i.log,
       i.series,
       i.name,
       i.unit,
       i.op,
       i.host,
       i.target,
       i.ost_id,
       count(*)                                as intervals,
       sum(i.inside_s)                         as covered_s,
       ratio(sum(i.inside_s), max(i.run_s))    as covered_ratio,
       sum(i.per_s * i.inside_s)               as amount,
       ratio(sum(i.per_s * i.inside_s), sum(i.inside_s)) as per_s,
       max(i.per_s)                            as peak_per_s,
       ratio(sum(i.level * i.inside_s), sum(i.inside_s)) as mean_level,
       max(i.level)                            as peak_level
from (
  select s.log,
         s.series,
         s.name,
         s.unit,
         s.op,
         s.host,
         s.target,
         s.ost_id,
         s.per_s,
         s.level,
         job.run_time_s as run_s,
         least(s.end_s, coalesce(job.run_time_s, s.end_s)) - greatest(s.start_s, 0.0) as inside_s
  from server_interval as s
  join job
    on job.log = s.log
) as i
where i.inside_s > 0
group by i.log, i.series, i.name, i.unit, i.op, i.host, i.target, i.ost_id
