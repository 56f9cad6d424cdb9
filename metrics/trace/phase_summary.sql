-- I/O phases of a job in a few numbers: how many, how long, how regular.
--
-- rows: one row per log and layer with phases
-- needs: job, phase
-- log                 | i32 | log    | number of the log in this analysis
-- layer               | str | name   | layer, as in `phase`
-- phases              | i64 | phases | I/O phases
-- duration_s          | f64 | s      | length of all phases together
-- busy_s              | f64 | s      | part of it in which at least one rank was in a call
-- longest_s           | f64 | s      | longest phase
-- duty_ratio          | f64 | 1      | duration_s over the run time of the job | the run time is not recorded
-- period_s            | f64 | s      | mean time from the start of a phase to that of the next | one phase
-- period_spread_ratio | f64 | 1      | standard deviation of these times over their mean; 0: perfectly regular | fewer than three phases
-- phase_bytes         | f64 | bytes  | mean bytes per phase
select p.log,
       p.layer,
       p.phases,
       p.duration_s,
       p.busy_s,
       p.longest_s,
       ratio(p.duration_s, job.run_time_s) as duty_ratio,
       p.period_s,
       ratio(p.period_sd_s, p.period_s)    as period_spread_ratio,
       p.phase_bytes
from (
  select log,
         layer,
         count(*)                        as phases,
         sum(duration_s)                 as duration_s,
         sum(busy_s)                     as busy_s,
         max(duration_s)                 as longest_s,
         avg(since_s)                    as period_s,
         stddev_samp(since_s)            as period_sd_s,
         cast(avg(bytes_read + bytes_written) as double) as phase_bytes
  from (
    select log,
           layer,
           duration_s,
           busy_s,
           bytes_read,
           bytes_written,
           start_s - lag(start_s) over (partition by log, layer order by phase) as since_s
    from phase
  ) as spaced
  group by log, layer
) as p
join job
  on job.log = p.log
