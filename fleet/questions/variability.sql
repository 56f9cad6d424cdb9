-- How much the I/O time of equal runs varies.
--
-- Equal runs: same program, processes and bytes to a power of two.
--
-- number: 15
-- needs: job
-- picture: table
-- param: min_runs | 40 | runs | fewer runs do not show a distribution
-- param: most | 100 | rows | those that vary most
-- program    | str | name | program
-- nprocs     | i64 | processes | processes
-- behaviour  | i64 | hash | which runs
-- runs       | i64 | runs | runs
-- users      | i64 | users | users
-- p10_s      | f64 | s    | I/O time that one run in ten does not reach
-- median_s   | f64 | s    | median I/O time
-- p90_s      | f64 | s    | I/O time that one run in ten exceeds
-- spread_ratio | f64 | 1  | p90_s over p10_s | p10_s is zero
-- excess_core_hours | f64 | core-hours | what runs above their median take beyond it
with middle as (
  select behaviour,
         percentile(io_time_s, 0.1) as p10_s,
         percentile(io_time_s, 0.5) as median_s,
         percentile(io_time_s, 0.9) as p90_s,
         count(*)                   as runs,
         count(distinct uid)        as users,
         min(program)               as program,
         min(nprocs)                as nprocs
  from job
  where behaviour is not null
    and io_time_s is not null
  group by behaviour
  having count(*) >= $min_runs
)
select m.program,
       m.nprocs,
       m.behaviour,
       m.runs,
       m.users,
       m.p10_s,
       m.median_s,
       m.p90_s,
       ratio(m.p90_s, nullif(m.p10_s, 0.0)) as spread_ratio,
       e.excess_core_hours
from middle as m
join (
  select job.behaviour,
         ratio(sum(greatest(job.io_time_s - middle.median_s, 0.0) * job.nprocs), 3600.0) as excess_core_hours
  from job
  join middle
    on middle.behaviour = job.behaviour
  group by job.behaviour
) as e
  on e.behaviour = m.behaviour
order by e.excess_core_hours desc, m.behaviour
limit $most
