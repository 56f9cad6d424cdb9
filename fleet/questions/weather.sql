-- Whether slow runs were slow because the file system was busy with others.
--
-- Equal runs are compared with each other. The load is what all logs of the system move
-- in an hour; a run is in bad weather when the load of others in its first hour is above
-- three quarters of all hours, and it moves less than half of the bytes there.
--
-- number: 17
-- needs: job, activity
-- picture: table
-- param: min_runs | 20 | runs | fewer runs do not show what is normal
-- param: slow_ratio | 0.5 | 1 | half the median throughput of the equal runs
-- system         | str | name | system
-- equal_runs     | i64 | runs | runs with at least min_runs equal ones
-- slow_runs      | i64 | runs | of these, slower than slow_ratio of the median
-- slow_busy_runs | i64 | runs | slow ones while others moved much
-- busy_ratio     | f64 | 1    | part of the slow runs that were in bad weather | no slow runs
-- all_busy_ratio | f64 | 1    | part of all these runs that were | no runs
with hourly as (
  select system,
         date_trunc('hour', start_time) as hour,
         sum(cast(bytes as double))     as bytes
  from activity
  where start_time is not null
  group by system, date_trunc('hour', start_time)
),
placed as (
  select system,
         hour,
         bytes,
         row_number() over (partition by system order by bytes) - 1 as place,
         count(*) over (partition by system) - 1                    as last_place
  from hourly
),
-- Three quarters of the hours are below: between two of them in proportion, all in one pass.
busy as (
  select system,
         hour,
         bytes,
         sum(bytes * greatest(1.0 - abs(place - 0.75 * last_place), 0.0)) over (partition by system) as busy_bytes
  from placed
),
middle as (
  select system,
         behaviour,
         percentile(throughput_bytes_per_s, 0.5) as median_speed
  from job
  where behaviour is not null
    and throughput_bytes_per_s > 0
  group by system, behaviour
  having count(*) >= $min_runs
),
run as (
  select j.system,
         case when j.throughput_bytes_per_s < $slow_ratio * m.median_speed then 1 else 0 end as is_slow,
         case when h.bytes - (j.bytes_read + j.bytes_written) > h.busy_bytes
               and j.bytes_read + j.bytes_written < 0.5 * h.bytes then 1 else 0 end as is_busy
  from job as j
  join middle as m
    on m.system = j.system
    and m.behaviour = j.behaviour
  join busy as h
    on h.system = j.system
    and h.hour = date_trunc('hour', j.start_time)
  where j.throughput_bytes_per_s > 0
)
select system,
       count(*)                              as equal_runs,
       sum(is_slow)                          as slow_runs,
       sum(is_slow * is_busy)                as slow_busy_runs,
       ratio(sum(is_slow * is_busy), nullif(sum(is_slow), 0)) as busy_ratio,
       ratio(sum(is_busy), count(*))         as all_busy_ratio
from run
group by system
order by system
