-- When jobs do their I/O: steadily, periodically, at the beginning, at the end.
--
-- The class of a job is that of its bytes over sixteen equal parts of the run (`temporal_class`
-- of `job`). The picture shows in which part of the run the bytes of a class move: 1/16 in each
-- part is perfectly steady. Each job counts the same, whatever it moves; `none` is less than
-- 100 MiB.
--
-- number: 33
-- needs: activity, job
-- picture: matrix x=bin y=class value=ratio
-- class          | str | name       | when the bytes move, and the number of jobs
-- bin            | i64 | index      | part of the run, from 0 to 15
-- ratio          | f64 | 1          | part of the bytes of a job that moves in it, mean over the jobs
-- jobs           | i64 | jobs       | jobs of the class
-- bytes          | f64 | bytes      | bytes that they move in this part of the run
-- core_hours     | f64 | core-hours | core-hours of the class
-- io_core_hours  | f64 | core-hours | its core-hours in I/O
-- example        | str | path       | log of the job of the class that spends the most core-hours in I/O
with total as (
  select log_hash,
         sum(cast(bytes as double)) as bytes
  from activity
  group by log_hash
),
known as (
  select j.log_hash,
         j.temporal_class,
         t.bytes,
         coalesce(j.nprocs, 1) * coalesce(j.run_time_s, 0.0)                                    as core_s,
         coalesce(j.nprocs, 1) * least(coalesce(j.io_time_s, 0.0), coalesce(j.run_time_s, 0.0)) as io_core_s
  from job as j
  join total as t
    on t.log_hash = j.log_hash
  where j.temporal_class is not null
    and t.bytes > 0
),
ranked as (
  select temporal_class,
         log_hash,
         core_s,
         io_core_s,
         row_number() over (partition by temporal_class order by io_core_s desc, log_hash) as place
  from known
),
class as (
  select temporal_class,
         count(*)                                   as jobs,
         ratio(sum(core_s), 3600.0)                 as core_hours,
         ratio(sum(io_core_s), 3600.0)              as io_core_hours,
         max(case when place = 1 then log_hash end) as most_hash
  from ranked
  group by temporal_class
),
part as (
  select k.temporal_class,
         a.bin,
         sum(ratio(cast(a.bytes as double), k.bytes)) as parts,
         sum(cast(a.bytes as double))                 as bytes
  from activity as a
  join known as k
    on k.log_hash = a.log_hash
  group by k.temporal_class, a.bin
)
select concat(replace(c.temporal_class, '_', ' '), ': ', cast(c.jobs as varchar)) as class,
       p.bin,
       ratio(p.parts, cast(c.jobs as double)) as ratio,
       c.jobs,
       p.bytes,
       c.core_hours,
       c.io_core_hours,
       e.path as example
from part as p
join class as c
  on c.temporal_class = p.temporal_class
join job as e
  on e.log_hash = c.most_hash
order by c.io_core_hours desc, class, p.bin
