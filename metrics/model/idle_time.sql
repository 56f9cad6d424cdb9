-- Time of the run in which no process used a processor, and none was in a recorded call.
--
-- At least: the processor time and the recorded calls of all processes are taken off the run as if
-- no two of them were at the same time, and so is the whole life of each program without a
-- recording, and 10 ms for each time that another process took the processor away. What is left was waiting for something that the log does not hold: a sleep, a network,
-- a lock, a device that computes.
--
-- rows: one row per log with processes
-- needs: job
-- also: process, unrecorded_process
-- log    | i32 | log | number of the log in this analysis
-- idle_s | f64 | s   | at least | a process was killed or not measured, or the run time is not known
with busy as (
  select log,
         sum(user_s + system_s + recorded_s + 0.01 * coalesce(involuntary_switches, 0)) as busy_s,
         count(*)                            as processes,
         count(case when ended <> 'killed or still running' then user_s + system_s + recorded_s end) as measured
  from process
  group by log
),
beside as (
  select u.log,
         sum(coalesce(u.end_s, job.run_time_s) - coalesce(u.start_s, 0.0)) as other_s
  from unrecorded_process as u
  join job
    on job.log = u.log
  group by u.log
)
select busy.log,
       case when busy.measured = busy.processes
            then greatest(job.run_time_s - busy.busy_s - coalesce(beside.other_s, 0.0), 0.0) end as idle_s
from busy
join job
  on job.log = busy.log
left join beside
  on beside.log = busy.log
