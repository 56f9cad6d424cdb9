-- Time of each layer in the whole job, with and without that of the layers
-- below.
--
-- question: How much of the time of the job is spent in each layer itself?
-- rows: one row per log and layer with calls
-- needs: exclusive_time
-- log                 | i32 | log   | number of the log in this analysis
-- layer               | str | name  | layer, as in `call`
-- ranks               | i64 | ranks | ranks with calls
-- calls               | i64 | calls | calls of all kinds
-- time_s              | f64 | s     | time in calls, summed over ranks and threads
-- exclusive_s         | f64 | s     | part of it in which no call of a lower layer was running, summed over ranks
-- exclusive_ratio     | f64 | 1     | exclusive_s over the time in which a call was running, summed over ranks | no time was measured
-- slowest_rank        | i32 | rank  | rank with the most exclusive time
-- slowest_exclusive_s | f64 | s     | its exclusive time
select log,
       layer,
       count(*)          as ranks,
       sum(calls)        as calls,
       sum(time_s)       as time_s,
       sum(exclusive_s)  as exclusive_s,
       ratio(sum(exclusive_s), sum(busy_s)) as exclusive_ratio,
       max(case when place = 1 then rank end)        as slowest_rank,
       max(case when place = 1 then exclusive_s end) as slowest_exclusive_s
from (
  select log,
         layer,
         rank,
         calls,
         time_s,
         busy_s,
         exclusive_s,
         row_number() over (partition by log, layer order by exclusive_s desc, rank) as place
  from exclusive_time
) as placed
group by log, layer
