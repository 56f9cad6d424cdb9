-- Which projects use the core-hours, and what part of them is I/O.
--
-- Core-hours are those of the batch system (`diya fleet join`). A log belongs to the job with
-- its id during which it started; a job can have several logs, or none.
--
-- number: 30
-- needs: account, job
-- picture: bars x=project y=core_hours,io_core_hours
-- param: most | 50 | projects | more than a report has room for
-- system             | str | name | system
-- project            | str | name | project or account
-- jobs               | i64 | jobs | jobs that ended
-- core_hours         | f64 | core-hours | of these jobs
-- failed_core_hours  | f64 | core-hours | of these, by jobs that were not completed
-- logged_core_hours  | f64 | core-hours | of these, by jobs with a log
-- io_core_hours      | f64 | core-hours | processes times time in I/O, of the logs
-- recoverable_core_hours | f64 | core-hours | estimated saving of all fixes
with log as (
  select a.row_hash,
         sum(j.nprocs * least(coalesce(j.io_time_s, 0.0), coalesce(j.run_time_s, 0.0))) as io_core_s,
         sum(j.nprocs * coalesce(j.recoverable_s, 0.0))                                 as saved_core_s
  from job as j
  join account as a
    on a.system = j.system
    and a.job_id = j.job_id
  where to_unixtime(j.start_time) >= to_unixtime(a.start_time) - 60
    and to_unixtime(j.start_time) <= to_unixtime(a.end_time) + 60
  group by a.row_hash
)
select a.system,
       coalesce(a.project, 'not recorded')                                              as project,
       count(*)                                                                         as jobs,
       sum(coalesce(a.core_hours, 0.0))                                                 as core_hours,
       sum(case when a.state = 'completed' then 0.0 else coalesce(a.core_hours, 0.0) end) as failed_core_hours,
       sum(case when l.row_hash is null then 0.0 else coalesce(a.core_hours, 0.0) end)  as logged_core_hours,
       sum(coalesce(l.io_core_s, 0.0)) / 3600.0                                         as io_core_hours,
       sum(coalesce(l.saved_core_s, 0.0)) / 3600.0                                      as recoverable_core_hours
from account as a
left join log as l
  on l.row_hash = a.row_hash
group by a.system, coalesce(a.project, 'not recorded')
order by core_hours desc, a.system, project
limit $most
