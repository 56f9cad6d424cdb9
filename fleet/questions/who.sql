-- Who uses the I/O time: programs and users by core-hours in I/O.
--
-- The last column draws the Lorenz curve: how much of all I/O the first ones take.
--
-- number: 6
-- needs: job
-- picture: lorenz x=place y=upto_ratio by=kind
-- param: most | 1000 | rows | so many programs and so many users
-- kind          | str | name       | program or user
-- name          | str | name       | the program, or the user
-- place         | i64 | index      | 1: the most core-hours in I/O
-- jobs          | i64 | jobs       | jobs
-- io_core_hours | f64 | core-hours | processes times I/O time of the slowest rank
-- ratio         | f64 | 1          | part of all core-hours in I/O
-- upto_ratio    | f64 | 1          | part that this one and those before it take together
with used as (
  select 'program' as kind,
         coalesce(program, 'not recorded') as name,
         count(*) as jobs,
         sum(coalesce(io_time_s, 0.0) * coalesce(nprocs, 1)) as io_core_s
  from job
  group by coalesce(program, 'not recorded')
  union all
  select 'user' as kind,
         coalesce(user_name, cast(uid as varchar), 'not recorded') as name,
         count(*) as jobs,
         sum(coalesce(io_time_s, 0.0) * coalesce(nprocs, 1)) as io_core_s
  from job
  group by coalesce(user_name, cast(uid as varchar), 'not recorded')
),
placed as (
  select kind,
         name,
         row_number() over (partition by kind order by io_core_s desc, name) as place,
         jobs,
         io_core_s,
         sum(io_core_s) over (partition by kind) as all_s,
         sum(io_core_s) over (partition by kind order by io_core_s desc, name rows between unbounded preceding and current row) as upto_s
  from used
)
select kind,
       name,
       place,
       jobs,
       ratio(io_core_s, 3600.0) as io_core_hours,
       ratio(io_core_s, all_s)  as ratio,
       ratio(upto_s, all_s)     as upto_ratio
from placed
where place <= $most
order by kind, place
