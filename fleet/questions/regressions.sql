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
with numbered as (
  select system,
         coalesce(user_name, cast(uid as varchar), 'not recorded') as user_name,
         program,
         nprocs,
         behaviour,
         start_time,
         log_hash,
         io_time_s,
         throughput_bytes_per_s as speed,
         row_number() over (partition by system, uid, behaviour order by start_time, log_hash) as place
  from job
  where behaviour is not null
    and throughput_bytes_per_s > 0
    and start_time is not null
),
often as (
  select system,
         user_name,
         behaviour
  from numbered
  group by system, user_name, behaviour
  having count(*) > $min_runs + 1
),
run as (
  select n.system,
         n.user_name,
         n.program,
         n.nprocs,
         n.behaviour,
         n.start_time,
         n.log_hash,
         n.io_time_s,
         n.speed,
         n.place,
         cast(floor(ratio(n.place - 1, 30.0)) as bigint) as block
  from numbered as n
  join often as o
    on o.system = n.system
    and o.user_name = n.user_name
    and o.behaviour = n.behaviour
),
-- Blocks of 30 runs: each run is held against the block before its own.
block as (
  select system,
         user_name,
         behaviour,
         block + 1                   as next_block,
         count(*)                    as runs,
         percentile(ln(speed), 0.25) as low_ln,
         percentile(ln(speed), 0.5)  as median_ln,
         percentile(ln(speed), 0.75) as high_ln
  from run
  group by system, user_name, behaviour, block + 1
),
first_half as (
  select system,
         user_name,
         behaviour,
         percentile(ln(speed), 0.25) as low_ln,
         percentile(ln(speed), 0.5)  as median_ln,
         percentile(ln(speed), 0.75) as high_ln
  from run
  where place <= $min_runs
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
         coalesce(b.median_ln, f.median_ln) as median_ln,
         coalesce(b.high_ln - b.low_ln, f.high_ln - f.low_ln) as quartiles_ln
  from run as r
  left join block as b
    on b.system = r.system
    and b.user_name = r.user_name
    and b.behaviour = r.behaviour
    and b.next_block = r.block
  join first_half as f
    on f.system = r.system
    and f.user_name = r.user_name
    and f.behaviour = r.behaviour
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
         speed,
         median_ln,
         io_time_s - io_time_s * ratio(speed, exp(median_ln)) as lost_s,
         row_number() over (partition by system, user_name, behaviour order by place) as place
  from twice
  where is_slow = 1
    and (before_slow = 1 or after_slow = 1)
),
latest as (
  select n.system,
         n.user_name,
         n.behaviour,
         percentile(n.speed, 0.5) as speed
  from run as n
  join (
    select system,
           user_name,
           behaviour,
           max(place) as last_place
    from run
    group by system, user_name, behaviour
  ) as l
    on l.system = n.system
    and l.user_name = n.user_name
    and l.behaviour = n.behaviour
  where n.place > l.last_place - 3
  group by n.system, n.user_name, n.behaviour
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
  select a.system,
         a.user_name,
         min(a.program)                                       as program,
         min(a.nprocs)                                        as nprocs,
         min(a.start_time)                                    as since,
         count(*)                                             as runs,
         max(n.speed)                                         as now_bytes_per_s,
         max(case when a.place = 1 then exp(a.median_ln) end) as usual_bytes_per_s,
         ratio(sum(a.lost_s * a.nprocs), 3600.0)              as lost_core_hours,
         max(case when a.place = 1 then a.log_hash end)       as first_log
  from alert as a
  join latest as n
    on n.system = a.system
    and n.user_name = a.user_name
    and n.behaviour = a.behaviour
  group by a.system, a.user_name, a.behaviour
  having max(n.speed) < $slow_ratio * max(case when a.place = 1 then exp(a.median_ln) end)
) as g
-- Paths are long: only those of the answer are carried along.
left join job as j
  on j.log_hash = g.first_log
order by g.lost_core_hours desc, g.system, g.user_name, g.program
