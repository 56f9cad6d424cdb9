-- Which findings do the jobs of the last days have, by user and program.
--
-- The last days are those before the latest start of a job of the system.
--
-- number: 29
-- needs: job, finding
-- picture: table
-- watch: key=system,user_name,program,check_id value=core_hours up ran=system,user_name,program
-- param: days | 7 | days | a week
-- param: min_core_hours | 1 | core-hours | less is not worth a call
-- param: most | 200 | rows | more than a week has time for
-- system     | str | name | system
-- user_name  | str | name | user
-- program    | str | name | program
-- check_id   | str | name | finding
-- jobs       | i64 | jobs | jobs of these days that have it
-- core_hours | f64 | core-hours | that its fix saves in these jobs
-- example    | str | path | log of the job with the largest saving
with latest as (
  select system,
         max(to_unixtime(start_time)) as last_s
  from job
  group by system
),
recent as (
  select j.system,
         coalesce(j.user_name, cast(j.uid as varchar), 'not recorded') as user_name,
         coalesce(j.program, 'not recorded')                          as program,
         j.log_hash,
         j.path,
         coalesce(j.nprocs, 1)                                        as nprocs
  from job as j
  join latest as l
    on l.system = j.system
  where to_unixtime(j.start_time) > l.last_s - 86400.0 * $days
),
found as (
  select r.system,
         r.user_name,
         r.program,
         f.check_id,
         r.log_hash,
         r.path,
         f.saved_s * r.nprocs as saved_core_s,
         row_number() over (partition by r.system, r.user_name, r.program, f.check_id
                            order by f.saved_s * r.nprocs desc, r.log_hash) as place
  from finding as f
  join recent as r
    on r.log_hash = f.log_hash
  where f.saved_s > 0
    and f.explained_by is null
    and f.severity <> 'ok'
)
select system,
       user_name,
       program,
       check_id,
       count(distinct log_hash)                    as jobs,
       ratio(sum(saved_core_s), 3600.0)            as core_hours,
       max(case when place = 1 then path end)      as example
from found
group by system, user_name, program, check_id
having ratio(sum(saved_core_s), 3600.0) >= $min_core_hours
order by core_hours desc, system, user_name, program, check_id
limit $most
