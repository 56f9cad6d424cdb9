-- Processes that a process started: how many, and how long they lived.
--
-- A shell starts one for each command that is not its own, and one for each `$(...)`. Those of a pipe
-- live at the same time, so the sum of their lives may be longer than the time that passed.
--
-- A process is known by its number on the system (pid): what a rank of MPI starts has the number of the rank.
--
-- rows: one row per log and process that started others
-- needs: job
-- also: process
-- log      | i32 | log       | number of the log in this analysis
-- rank     | i32 | rank      | the process that started them, as in the other tables
-- starter  | str | name      | the last program in it | its path is not known
-- children | i64 | processes | processes that it started
-- lives_s  | f64 | s         | their lives, added up | no end of any is known
-- span_s   | f64 | s         | its own life, or until the last of them ended | its end is not known
-- waited_s | f64 | s         | of span_s, while it does not use the processor | its processor time is not known
-- worked_s | f64 | s         | processor time of all other processes of the log, beyond 2 ms for the start of each; of a rank of MPI, of those that have its number | not known
with own as (
  select process.log,
         process.process,
         process.rank,
         process.parent,
         process.exe,
         process.start_s,
         process.end_s,
         process.user_s,
         process.system_s,
         coalesce(process.host, '')                            as host,
         coalesce(process.pid, cast(process.process as bigint)) as pid,
         case when named.rank is not null then process.rank else -1 end as family,
         greatest(process.user_s + process.system_s - 0.002, 0.0)       as worked_s
  from process
  left join (select log, rank from process where mpi_size is not null group by log, rank) as named
    on named.log = process.log
    and named.rank = process.rank
),
worked as (
  select log,
         family,
         sum(worked_s) as worked_s
  from own
  group by log, family
),
lives as ( -- a process that executes another program has several rows
  select log,
         host,
         pid,
         min(parent)  as parent,
         min(start_s) as start_s,
         max(end_s)   as end_s
  from own
  group by log, host, pid
)
select lives.log,
       min(starter.rank)                     as rank,
       base_name(max(starter.exe))           as starter,
       count(*)                              as children,
       sum(lives.end_s - lives.start_s)      as lives_s,
       least(greatest(max(starter.end_s), max(lives.end_s)) - min(starter.start_s),
             max(job.run_time_s))            as span_s,
       greatest(least(greatest(max(starter.end_s), max(lives.end_s)) - min(starter.start_s), max(job.run_time_s))
                  - max(starter.user_s) - max(starter.system_s), 0.0) as waited_s,
       greatest(max(worked.worked_s) - greatest(max(starter.user_s) + max(starter.system_s) - 0.002, 0.0), 0.0) as worked_s
from lives
join own as starter
  on starter.log = lives.log
  and starter.process = lives.parent
join job
  on job.log = lives.log
left join worked
  on worked.log = lives.log
  and worked.family = starter.family
where starter.pid <> lives.pid
  or starter.host <> lives.host
group by lives.log, starter.host, starter.pid
order by lives.log, rank
