-- Whom to call: users by core-hours that the findings of their jobs can save.
--
-- number: 25
-- needs: job, finding
-- picture: table
-- param: days | 0 | days | 0: all jobs; else those of so many days before the latest start
-- param: most | 50 | users | more calls than a week has
-- system     | str | name  | system
-- user_name  | str | name  | user
-- jobs       | i64 | jobs  | jobs with a saving
-- core_hours | f64 | core-hours | that these fixes save
-- program    | str | name  | program of the job that wastes most
-- check_id   | str | name  | its most costly finding | none is quantified
-- job_core_hours | f64 | core-hours | what that job alone can save
-- example    | str | path  | its log
with latest as (
  select system,
         max(to_unixtime(start_time)) as last_s
  from job
  group by system
),
job_saving as (
  select j.system,
         coalesce(j.user_name, cast(j.uid as varchar), 'not recorded') as user_name,
         j.log_hash,
         j.program,
         j.path,
         j.recoverable_s * coalesce(j.nprocs, 1) as saved_core_s,
         row_number() over (partition by j.system, coalesce(j.user_name, cast(j.uid as varchar), 'not recorded')
                            order by j.recoverable_s * coalesce(j.nprocs, 1) desc, j.log_hash) as place
  from job as j
  join latest as l
    on l.system = j.system
  where j.recoverable_s > 0
    and ($days = 0 or to_unixtime(j.start_time) > l.last_s - 86400.0 * $days)
),
per_user as (
  select system,
         user_name,
         count(*)                              as jobs,
         sum(saved_core_s)                     as core_s,
         max(case when place = 1 then log_hash end)     as log_hash,
         max(case when place = 1 then program end)      as program,
         max(case when place = 1 then saved_core_s end) as job_core_s,
         max(case when place = 1 then path end)         as example
  from job_saving
  group by system, user_name
),
caller as (
  select system,
         user_name,
         jobs,
         core_s,
         log_hash,
         program,
         job_core_s,
         example
  from per_user
  order by core_s desc, system, user_name
  limit $most
),
worst as (
  select f.log_hash,
         f.check_id,
         row_number() over (partition by f.log_hash order by coalesce(f.saved_s, -1.0) desc, f.check_id) as place
  from finding as f
  join caller
    on caller.log_hash = f.log_hash
  where f.explained_by is null
    and f.severity <> 'ok'
)
select caller.system,
       caller.user_name,
       caller.jobs,
       ratio(caller.core_s, 3600.0)     as core_hours,
       caller.program,
       worst.check_id,
       ratio(caller.job_core_s, 3600.0) as job_core_hours,
       caller.example
from caller
left join worst
  on worst.log_hash = caller.log_hash
  and worst.place = 1
order by core_hours desc, caller.system, caller.user_name
