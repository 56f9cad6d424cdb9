-- Which findings cost the most over all jobs.
--
-- Findings that another one explains are left out, good news as well.
--
-- number: 21
-- needs: job, finding
-- picture: bars x=check_id y=core_hours
-- check_id   | str | name  | id of the check; `diya explain` describes it
-- severity   | str | name  | the highest severity it had: high, warn, info
-- jobs       | i64 | jobs  | jobs
-- users      | i64 | users | users
-- programs   | i64 | programs | programs
-- saved_s    | f64 | s     | run time that its fix saves, over all jobs | not quantifiable
-- core_hours | f64 | core-hours | processes times that | not quantifiable
-- example    | str | path  | log of the job where it costs most
with costly as (
  select f.check_id,
         f.severity,
         f.saved_s,
         f.saved_s * coalesce(j.nprocs, 1) as core_s,
         j.uid,
         j.program,
         j.path,
         row_number() over (partition by f.check_id order by coalesce(f.saved_s * coalesce(j.nprocs, 1), -1.0) desc, j.log_hash) as place
  from finding as f
  join job as j
    on j.log_hash = f.log_hash
  where f.explained_by is null
    and f.severity <> 'ok'
)
select check_id,
       case max(case severity when 'high' then 3 when 'warn' then 2 when 'unexplained' then 2 else 1 end)
         when 3 then 'high' when 2 then 'warn' else 'info' end as severity,
       count(*)                       as jobs,
       count(distinct uid)            as users,
       count(distinct program)        as programs,
       sum(saved_s)                   as saved_s,
       ratio(sum(core_s), 3600.0)     as core_hours,
       max(case when place = 1 then path end) as example
from costly
group by check_id
order by coalesce(sum(core_s), 0.0) desc, jobs desc, check_id
