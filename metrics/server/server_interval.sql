-- What each series of the storage servers says of the time between two samples.
--
-- A counter says how much was done: the difference, or the later value where
-- the counter began anew. A rate (gauge in something per second) says as much:
-- its mean times the length. Other gauges are levels: they have a mean and no
-- amount. Series of unknown kind are taken as gauges.
--
-- rows: one row per log, series and pair of neighbouring samples
-- needs: server_metric
-- log     | i32 | log    | number of the log in this analysis
-- series  | i32 | index  | number of the series, as in `server_metric`
-- name    | str | name   | name of the metric
-- unit    | str | name   | unit of the samples | neither the file nor the name says
-- op      | str | name   | read or write | the name does not say
-- host    | str | name   | server | no label names one
-- target  | str | name   | storage target | no label names one
-- ost_id  | i64 | id     | index of the target on Lustre | the target is no OST
-- start_s | f64 | s      | time of the earlier sample, since the start of the job
-- end_s   | f64 | s      | time of the later sample
-- amount  | f64 | as unit, without the "/s" of a rate | what was done in between | a level
-- per_s   | f64 | per second | amount over the length of the interval | a level
-- level   | f64 | as unit | mean of the two samples | a counter
select log,
       series,
       name,
       unit,
       op,
       host,
       target,
       ost_id,
       before_s as start_s,
       time_s   as end_s,
       case when kind = 'counter' then grown
            when unit like '%/s' then (value + before) * 0.5 * (time_s - before_s) end as amount,
       case when kind = 'counter' then ratio(grown, time_s - before_s)
            when unit like '%/s' then (value + before) * 0.5 end as per_s,
       case when kind <> 'counter' then (value + before) * 0.5 end as level
from (
  select log,
         series,
         name,
         unit,
         kind,
         op,
         host,
         target,
         ost_id,
         time_s,
         value,
         before_s,
         before,
         case when value >= before then value - before else value end as grown
  from (
    select log,
           series,
           name,
           unit,
           kind,
           op,
           host,
           target,
           ost_id,
           time_s,
           value,
           lag(time_s) over (partition by log, series order by time_s) as before_s,
           lag(value) over (partition by log, series order by time_s)  as before
    from server_metric
  ) as paired
  where before_s is not null
) as intervals
