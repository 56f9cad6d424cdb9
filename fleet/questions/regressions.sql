-- Which runs became slower than the equal runs before them.
--
-- Each run is compared with the runs before it that were equal (same user,
-- program, processes and bytes to a power of two). An alert: twice in a row slower than
-- slow_ratio of their median throughput, and outside of their spread. It is a regression
-- when the last runs are still as slow: a slow target or a busy day passes.
--
-- number: 16
-- needs: job
-- picture: table
-- watch: key=system,user_name,program,nprocs value=now_bytes_per_s down ran=system,user_name,program
-- param: min_runs | 10 | runs | fewer runs before do not show what is normal
-- param: slow_ratio | 0.5 | 1 | half the usual throughput
-- param: slow_z | -3.0 | 1 | robust standard deviations (quartile distance over 1.349)
-- system       | str | name | system
-- user_name    | str | name | user
-- program      | str | name | program
-- nprocs       | i64 | processes | processes
-- since        | timestamp | time | start of the first such run
-- runs         | i64 | runs | runs with an alert
-- now_bytes_per_s   | f64 | bytes/s | median throughput of the last three
-- usual_bytes_per_s | f64 | bytes/s | median throughput before, at the first of them
-- lost_core_hours   | f64 | core-hours | what these runs take beyond the usual
-- example      | str | path | log of the first
with often as (
  select system,
         coalesce(user_name, cast(uid as varchar), 'not recorded') as user_name,
         behaviour,
         count(*) as runs
  from job
  where behaviour is not null
    and throughput_bytes_per_s > 0
    and start_time is not null
  group by system, coalesce(user_name, cast(uid as varchar), 'not recorded'), behaviour
  having count(*) > $min_runs + 1
),
numbered as (
  select o.system,
         o.user_name,
         o.behaviour,
         o.runs,
         j.program,
         j.nprocs,
         j.start_time,
         j.log_hash,
         j.io_time_s,
         j.throughput_bytes_per_s as speed,
         row_number() over (partition by o.system, o.user_name, o.behaviour
                            order by j.start_time, j.log_hash) as place
  from job as j
  join often as o
    on o.system = j.system
    and o.user_name = coalesce(j.user_name, cast(j.uid as varchar), 'not recorded')
    and o.behaviour = j.behaviour
  where j.throughput_bytes_per_s > 0
    and j.start_time is not null
),
-- Blocks of 30 runs: each run is held against the block before its own.
run as (
  select system,
         user_name,
         behaviour,
         runs,
         program,
         nprocs,
         start_time,
         log_hash,
         io_time_s,
         speed,
         place,
         cast(floor(ratio(place - 1, 30.0)) as bigint) as block
  from numbered
),
block as (
  select system,
         user_name,
         behaviour,
         block + 1                   as next_block,
         percentile(ln(speed), 0.25) as low_ln,
         percentile(ln(speed), 0.5)  as median_ln,
         percentile(ln(speed), 0.75) as high_ln
  from run
  group by system, user_name, behaviour, block + 1
),
-- Of the first runs, which have no block before them, and of the last ones.
ends as (
  select system,
         user_name,
         behaviour,
         percentile(case when place <= $min_runs then ln(speed) end, 0.25) as low_ln,
         percentile(case when place <= $min_runs then ln(speed) end, 0.5)  as median_ln,
         percentile(case when place <= $min_runs then ln(speed) end, 0.75) as high_ln,
         percentile(case when place > runs - 3 then speed end, 0.5)        as latest_speed
  from run
  group by system, user_name, behaviour
),
compared as (
  select r.system,
         r.user_name,
         r.program,
         r.nprocs,
         r.behaviour,
         r.start_time,
         r.log_hash,
         r.io_time_s,
         r.speed,
         r.place,
         e.latest_speed,
         coalesce(b.median_ln, e.median_ln) as median_ln,
         coalesce(b.high_ln - b.low_ln, e.high_ln - e.low_ln) as quartiles_ln
  from run as r
  left join block as b
    on b.system = r.system
    and b.user_name = r.user_name
    and b.behaviour = r.behaviour
    and b.next_block = r.block
  join ends as e
    on e.system = r.system
    and e.user_name = r.user_name
    and e.behaviour = r.behaviour
  where r.place > $min_runs
),
flagged as (
  select system,
         user_name,
         program,
         nprocs,
         behaviour,
         start_time,
         log_hash,
         io_time_s,
         speed,
         latest_speed,
         median_ln,
         place,
         case when ln(speed) < median_ln + ln($slow_ratio)
               and ln(speed) - median_ln < $slow_z * greatest(ratio(quartiles_ln, 1.349), 0.05) then 1 else 0 end as is_slow
  from compared
),
twice as (
  select system,
         user_name,
         program,
         nprocs,
         behaviour,
         start_time,
         log_hash,
         io_time_s,
         speed,
         latest_speed,
         median_ln,
         place,
         is_slow,
         lag(is_slow) over (partition by system, user_name, behaviour order by place)  as before_slow,
         lead(is_slow) over (partition by system, user_name, behaviour order by place) as after_slow
  from flagged
),
alert as (
  select system,
         user_name,
         program,
         nprocs,
         behaviour,
         start_time,
         log_hash,
         latest_speed,
         median_ln,
         io_time_s - io_time_s * ratio(speed, exp(median_ln)) as lost_s,
         row_number() over (partition by system, user_name, behaviour order by place) as place
  from twice
  where is_slow = 1
    and (before_slow = 1 or after_slow = 1)
)
select g.system,
       g.user_name,
       g.program,
       g.nprocs,
       g.since,
       g.runs,
       g.now_bytes_per_s,
       g.usual_bytes_per_s,
       g.lost_core_hours,
       j.path as example
from (
  select system,
         user_name,
         min(program)                                     as program,
         min(nprocs)                                      as nprocs,
         min(start_time)                                  as since,
         count(*)                                         as runs,
         max(latest_speed)                                as now_bytes_per_s,
         max(case when place = 1 then exp(median_ln) end) as usual_bytes_per_s,
         ratio(sum(lost_s * nprocs), 3600.0)              as lost_core_hours,
         max(case when place = 1 then log_hash end)       as first_log
  from alert
  group by system, user_name, behaviour
  having max(latest_speed) < $slow_ratio * max(case when place = 1 then exp(median_ln) end)
) as g
-- Paths are long: only those of the answer are carried along.
left join job as j
  on j.log_hash = g.first_log
order by g.lost_core_hours desc, g.system, g.user_name, g.program
