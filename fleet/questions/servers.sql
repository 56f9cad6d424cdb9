-- Which servers stand out in an hour, and which jobs ran beside them.
--
-- A server is compared with all others that measure the same in the same hour: by its value over
-- their median, and by its distance from it in robust standard deviations (1.4826 times the
-- median distance). Of counters the increase of the hour counts. A storage target (OST) concerns
-- the jobs that used it, any other server all jobs of the hour.
--
-- number: 32
-- needs: server_metric, job, job_target
-- picture: table
-- param: min_servers | 4 | servers | fewer do not show what is normal
-- param: min_ratio | 2.0 | 1 | twice the others is worth a look
-- param: z | 3.5 | 1 | usual bound of an outlier
-- param: most | 200 | rows | more than a week has time for
-- system       | str | name | system
-- hour         | timestamp | hour | hour (UTC)
-- server       | str | name | server or storage target
-- metric       | str | name | what was measured
-- kind         | str | name | read_bytes, write_bytes, busy, latency or requests
-- value        | f64 | as in its source | mean of the hour; of a counter its increase
-- value_ratio  | f64 | 1 | value over the median of all servers | the median is 0
-- jobs         | i64 | jobs | jobs that ran beside it
-- slow_jobs    | i64 | jobs | of these, slower than half the median of equal runs
-- example      | str | path | log of one of these | none is slow
with of_hour as (
  select system,
         date_trunc('hour', start_time) as hour,
         server,
         metric,
         kind,
         min(ost_id)                    as ost_id,
         case when max(case when is_counter then 1 else 0 end) = 1 then max(value) - min(value) else avg(value) end as value
  from server_metric
  where kind <> 'other'
  group by system, date_trunc('hour', start_time), server, metric, kind
),
middle as (
  select system,
         hour,
         metric,
         percentile(value, 0.5) as median_value,
         count(*)               as servers
  from of_hour
  group by system, hour, metric
),
spread as (
  select o.system,
         o.hour,
         o.metric,
         percentile(abs(o.value - m.median_value), 0.5) as distance
  from of_hour as o
  join middle as m
    on m.system = o.system
    and m.hour = o.hour
    and m.metric = o.metric
  group by o.system, o.hour, o.metric
),
flagged as (
  select o.system,
         o.hour,
         to_unixtime(o.hour) as hour_s,
         o.server,
         o.metric,
         o.kind,
         o.ost_id,
         o.value,
         m.median_value
  from of_hour as o
  join middle as m
    on m.system = o.system
    and m.hour = o.hour
    and m.metric = o.metric
  join spread as s
    on s.system = o.system
    and s.hour = o.hour
    and s.metric = o.metric
  where m.servers >= $min_servers
    and o.value >= $min_ratio * m.median_value
    and o.value - m.median_value > $z * 1.4826 * s.distance
    and o.value > 0
),
usual as (
  select system,
         behaviour,
         percentile(throughput_bytes_per_s, 0.5) as speed
  from job
  where behaviour is not null
    and throughput_bytes_per_s > 0
  group by system, behaviour
),
run as (
  select j.system,
         j.log_hash,
         j.path,
         to_unixtime(j.start_time) as start_s,
         to_unixtime(j.end_time)   as end_s,
         case when j.throughput_bytes_per_s < 0.5 * u.speed then 1 else 0 end as is_slow
  from job as j
  left join usual as u
    on u.system = j.system
    and u.behaviour = j.behaviour
  where j.start_time is not null
    and j.end_time is not null
),
target as (
  select distinct log_hash,
         ost_id
  from job_target
),
beside as (
  select f.system,
         f.hour,
         f.server,
         f.metric,
         r.log_hash,
         r.is_slow,
         r.path
  from flagged as f
  join run as r
    on r.system = f.system
  left join target as t
    on t.log_hash = r.log_hash
    and t.ost_id = f.ost_id
  where r.start_s < f.hour_s + 3600
    and r.end_s >= f.hour_s
    and (f.ost_id is null or t.ost_id is not null)
),
counted as (
  select system,
         hour,
         server,
         metric,
         count(*)     as jobs,
         sum(is_slow) as slow_jobs,
         min(case when is_slow = 1 then path end) as example
  from beside
  group by system, hour, server, metric
)
select f.system,
       f.hour,
       f.server,
       f.metric,
       f.kind,
       f.value,
       ratio(f.value, f.median_value) as value_ratio,
       coalesce(c.jobs, 0)            as jobs,
       coalesce(c.slow_jobs, 0)       as slow_jobs,
       c.example
from flagged as f
left join counted as c
  on c.system = f.system
  and c.hour = f.hour
  and c.server = f.server
  and c.metric = f.metric
order by slow_jobs desc, jobs desc, f.system, f.hour, f.server, f.metric
limit $most
