-- I/O phases of a job in a few numbers, from heat maps.
--
-- rows: one row per log and layer with bytes in its heat map
-- needs: job, heatmap_phase
-- log                 | i32 | log    | number of the log in this analysis
-- layer               | str | name   | as in `heatmap`
-- phases              | i64 | phases | I/O phases
-- duration_s          | f64 | s      | length of all phases together
-- duty_ratio          | f64 | 1      | duration_s over the run time of the job | the run time is not recorded
-- period_s            | f64 | s      | mean time from the start of a phase to that of the next | one phase
-- period_spread_ratio | f64 | 1      | standard deviation of these times over their mean; 0: perfectly regular | fewer than three phases
-- phase_bytes         | f64 | bytes  | mean bytes per phase
-- bin_width_s         | f64 | s      | length of a bin: how exact the times are
select p.log,
       p.layer,
       p.phases,
       p.duration_s,
       ratio(p.duration_s, job.run_time_s) as duty_ratio,
       p.period_s,
       ratio(p.period_sd_s, p.period_s)    as period_spread_ratio,
       p.phase_bytes,
       p.bin_width_s
from (
  select log,
         layer,
         count(*)             as phases,
         sum(duration_s)      as duration_s,
         avg(since_s)         as period_s,
         stddev_samp(since_s) as period_sd_s,
         cast(avg(bytes_read + bytes_written) as double) as phase_bytes,
         max(bin_width_s)     as bin_width_s
  from (
    select log,
           layer,
           duration_s,
           bytes_read,
           bytes_written,
           bin_width_s,
           start_s - lag(start_s) over (partition by log, layer order by phase) as since_s
    from heatmap_phase
  ) as spaced
  group by log, layer
) as p
join job
  on job.log = p.log
