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
-- Medians by place: one pass over the servers of an hour, where joins would read all rows again.
placed as (
  select system,
         hour,
         server,
         metric,
         kind,
         ost_id,
         value,
         count(*) over (partition by system, hour, metric)                                    as servers,
         count(value) over (partition by system, hour, metric)                                as measured,
         row_number() over (partition by system, hour, metric order by value nulls last)      as place
  from of_hour
),
centred as (
  select system,
         hour,
         server,
         metric,
         kind,
         ost_id,
         value,
         servers,
         measured,
         avg(case when 2 * place between measured and measured + 2 then value end)
           over (partition by system, hour, metric) as median_value
  from placed
),
ordered as (
  select system,
         hour,
         server,
         metric,
         kind,
         ost_id,
         value,
         servers,
         measured,
         median_value,
         row_number() over (partition by system, hour, metric order by abs(value - median_value) nulls last) as place
  from centred
),
spread as (
  select system,
         hour,
         server,
         metric,
         kind,
         ost_id,
         value,
         servers,
         median_value,
         avg(case when 2 * place between measured and measured + 2 then abs(value - median_value) end)
           over (partition by system, hour, metric) as distance
  from ordered
),
flagged as (
  select system,
         hour,
         to_unixtime(hour) as hour_s,
         server,
         metric,
         kind,
         ost_id,
         value,
         median_value
  from spread
  where servers >= $min_servers
    and value >= $min_ratio * median_value
    and value - median_value > $z * 1.4826 * distance
    and value > 0
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
-- Only the jobs beside a flagged server are looked up in tables of all jobs.
around as ( -- a job that is shorter than a day began on the day of the hour or the one before
  select f.system,
         f.hour,
         f.hour_s,
         f.server,
         f.metric,
         f.ost_id,
         case when w.back < 2 then cast(floor(f.hour_s / 86400.0) as bigint) - w.back else -1 end as day
  from flagged as f
  cross join (
    select 0 as back
    union all
    select 1 as back
    union all
    select 2 as back
  ) as w
),
ran as ( -- day -1: longer than a day
  select system,
         log_hash,
         path,
         behaviour,
         throughput_bytes_per_s,
         to_unixtime(start_time) as start_s,
         to_unixtime(end_time)   as end_s,
         case when to_unixtime(end_time) - to_unixtime(start_time) <= 86400
              then cast(floor(to_unixtime(start_time) / 86400.0) as bigint)
              else -1 end        as day
  from job
),
near as (
  select a.system,
         a.hour,
         a.server,
         a.metric,
         a.ost_id,
         j.log_hash,
         j.path,
         j.behaviour,
         j.throughput_bytes_per_s
  from around as a
  join ran as j
    on j.system = a.system
    and j.day = a.day
  where j.start_s < a.hour_s + 3600
    and j.end_s >= a.hour_s
),
beside as (
  select n.system,
         n.hour,
         n.server,
         n.metric,
         n.log_hash,
         n.path,
         case when n.throughput_bytes_per_s < 0.5 * u.speed then 1 else 0 end as is_slow
  from near as n
  left join usual as u
    on u.system = n.system
    and u.behaviour = n.behaviour
  where n.ost_id is null
     or exists (
          select 1
          from job_target as t
          where t.log_hash = n.log_hash
            and t.ost_id = n.ost_id
        )
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
