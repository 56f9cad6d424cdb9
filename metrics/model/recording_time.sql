-- What recording itself took of the run: a run without it is shorter by about that.
--
-- The recorder times its own work in some of the calls (`process`). With call stacks, samples
-- of the processor show it, too (`processor_work`); of each process the longer of the two counts.
-- Processes that work side by side delay the run as much as the one that was delayed most. Where
-- processes wait for each other, such as for a lock, the delay of one delays those that wait for
-- it, and the delays of all add up: they are shared by as many processes as do not wait, on
-- average, while the run lasts (`at_work`).
--
-- rows: one row per log in which a process measured it
-- needs: job, process, time_account
-- also: processor_work
-- log        | i32 | log       | number of the log in this analysis
-- recorder_s | f64 | s         | of the run: `process_s`, or `all_s` shared by the processes at work, if that is more
-- process_s  | f64 | s         | in the process where it took most
-- all_s      | f64 | s         | in all processes
-- at_work    | f64 | processes | processes that do not wait, on average over the run
with own as (
  select p.log,
         greatest(coalesce(p.recorder_s, 0.0), coalesce(sampled.own_s, 0.0)) as own_s
  from process as p
  left join (
    select log, rank, sum(passed_s) as own_s
    from processor_work
    where kind = 'recorder'
    group by log, rank
  ) as sampled
    on sampled.log = p.log
   and sampled.rank = p.rank
  where p.recorder_s is not null
     or sampled.own_s is not null
),
waits as (
  select log, sum(time_s) as wait_s
  from time_account
  where is_wait
  group by log
),
summed as (
  select own.log,
         max(own.own_s)                   as process_s,
         sum(own.own_s)                   as all_s,
         cast(count(*) as double)         as processes
  from own
  group by own.log
),
spread as (
  select summed.log,
         summed.process_s,
         summed.all_s,
         greatest(summed.processes * (1.0 - coalesce(ratio(waits.wait_s, job.run_time_s), 0.0)), 1.0) as at_work
  from summed
  join job
    on job.log = summed.log
  left join waits
    on waits.log = summed.log
)
select log,
       greatest(process_s, coalesce(ratio(all_s, at_work), 0.0)) as recorder_s,
       process_s,
       all_s,
       at_work
from spread
