-- What requests of each size cost: calls, bytes and time in Darshan's bins.
--
-- Exact, from single calls; `size_distribution` has the calls alone, from
-- counters. The edges are those of Darshan's histograms.
--
-- rows: one row per log, layer, direction and bin with at least one call
-- needs: call
-- log           | i32 | log   | number of the log in this analysis
-- layer         | str | name  | as in `call`
-- op            | str | name  | read or write
-- size_lo_bytes | i64 | bytes | smallest size of the bin
-- calls         | i64 | calls | requests in the bin
-- bytes         | i64 | bytes | bytes moved
-- time_s        | f64 | s     | time in the requests, summed over ranks
-- calls_ratio   | f64 | 1     | share of the requests of this layer and direction | no request
-- bytes_ratio   | f64 | 1     | share of the bytes | no byte was moved
-- time_ratio    | f64 | 1     | share of the time | no time was measured
select log,
       layer,
       op,
       size_lo_bytes,
       calls,
       bytes,
       time_s,
       ratio(calls, sum(calls) over (partition by log, layer, op))   as calls_ratio,
       ratio(bytes, sum(bytes) over (partition by log, layer, op))   as bytes_ratio,
       ratio(time_s, sum(time_s) over (partition by log, layer, op)) as time_ratio
from (
  select log,
         layer,
         op,
         case
           when each_bytes <= 100 then 0
           when each_bytes <= 1024 then 101
           when each_bytes <= 10240 then 1025
           when each_bytes <= 102400 then 10241
           when each_bytes <= 1048576 then 102401
           when each_bytes <= 4194304 then 1048577
           when each_bytes <= 10485760 then 4194305
           when each_bytes <= 104857600 then 10485761
           when each_bytes <= 1073741824 then 104857601
           else 1073741825
         end             as size_lo_bytes,
         sum(calls)      as calls,
         sum(size_bytes) as bytes,
         sum(busy_s)     as time_s
  from (
    select log,
           layer,
           op,
           calls,
           size_bytes,
           busy_s,
           ratio(size_bytes, calls) as each_bytes
    from call
    where op in ('read', 'write')
      and size_bytes is not null
  ) as sized
  group by 1, 2, 3, 4
) as bins
