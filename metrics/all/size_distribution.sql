-- Requests by size, over all files and ranks of a layer.
--
-- Calls only: counters do not say how long the requests of one bin took.
--
-- rows: one row per log, layer, direction and bin with at least one call
-- needs: size_histogram
-- log              | i32 | log   | number of the log in this analysis
-- layer            | str | name  | as in `size_histogram`
-- op               | str | name  | read or write
-- size_lo_bytes    | i64 | bytes | smallest size of the bin
-- size_hi_bytes    | i64 | bytes | largest size of the bin | the bin has no upper end
-- calls            | i64 | calls | requests in the bin
-- calls_ratio      | f64 | 1     | share of the requests of this layer and direction | no requests
-- cumulative_ratio | f64 | 1     | share of the requests in this and all smaller bins | no requests
-- least_bytes      | f64 | bytes | bytes that these requests move at least; real, as the product of damaged counters overflows
-- up_to_here_ratio | f64 | 1     | old name of cumulative_ratio; gone in the next version | no requests
select log,
       layer,
       op,
       size_lo_bytes,
       size_hi_bytes,
       calls,
       ratio(calls, sum(calls) over (partition by log, layer, op)) as calls_ratio,
       ratio(sum(calls) over (partition by log, layer, op order by size_lo_bytes),
             sum(calls) over (partition by log, layer, op))        as cumulative_ratio,
       cast(calls as double) * size_lo_bytes                       as least_bytes,
       ratio(sum(calls) over (partition by log, layer, op order by size_lo_bytes),
             sum(calls) over (partition by log, layer, op))        as up_to_here_ratio
from (
  select log,
         layer,
         op,
         size_lo_bytes,
         size_hi_bytes,
         sum(calls) as calls
  from size_histogram
  group by log, layer, op, size_lo_bytes, size_hi_bytes
) as bins
