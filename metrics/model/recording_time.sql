-- What recording itself took of the run: a run without it is shorter by about that.
--
-- The recorder times its own work in some of the calls (`process`). With call stacks, samples
-- of the processor show it, too (`processor_work`); of each process the longer of the two counts.
-- Processes that work side by side delay the run as much as the one that was delayed most. Where
-- processes wait for each other, such as for a lock, the delay of one delays those that wait for
-- it, and the delays of all add up: they are shared by as many processes as do not wait, on
-- average, while the run lasts (`at_work`). Not measured, and added: 0.8 ms for the start and end of each process that
-- another one started, and 20 us for each call that ptrace records.
--
-- rows: one row per log in which a process measured it, or started another one
-- needs: job, process, time_account
-- also: processor_work
-- log        | i32 | log       | number of the log in this analysis
-- recorder_s | f64 | s         | of the run: `process_s`, or `all_s` shared by the processes at work, if that is more; and the starts
-- process_s  | f64 | s         | in the process where it took most
-- all_s      | f64 | s         | in all processes
-- at_work    | f64 | processes | processes that do not wait, on average over the run
with own as (
  select p.log,
         greatest(coalesce(p.recorder_s, 0.0), coalesce(sampled.own_s, 0.0),
                  case when p.clock = 'clock_monotonic' then 2e-5 * p.calls_recorded else 0.0 end) as own_s
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
     or p.clock = 'clock_monotonic'
),
started as ( -- ranks of MPI start programs side by side
  select log,
         8e-4 * ratio(count(case when parent <> process then 1 end), greatest(count(distinct case when mpi_size is not null then rank end), 1)) as start_s
  from process
  group by log
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
select started.log,
       greatest(coalesce(spread.process_s, 0.0), coalesce(ratio(spread.all_s, spread.at_work), 0.0)) + started.start_s as recorder_s,
       coalesce(spread.process_s, 0.0) as process_s,
       coalesce(spread.all_s, 0.0)     as all_s,
       coalesce(spread.at_work, 1.0)   as at_work
from started
left join spread
  on spread.log = started.log
where spread.log is not null
  or started.start_s > 0.0
