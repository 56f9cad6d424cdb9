-- Time share of requests of each size, as counters bound it.
--
-- See `file_request_size` for the bounds; `size_time` has the exact times
-- where single calls were recorded.
--
-- question: Which request sizes can take the time, where only counters were recorded?
-- rows: one row per log, layer, direction and bin with at least one call
-- needs: file_request_size
-- log             | i32 | log   | number of the log in this analysis
-- layer           | str | name  | as in `size_histogram`
-- op              | str | name  | read or write
-- size_lo_bytes   | i64 | bytes | smallest size of the bin
-- calls           | i64 | calls | requests in the bin
-- files           | i64 | files | files with such requests
-- time_low_s      | f64 | s     | time in these requests at least, summed over ranks | the layer does not record times
-- time_high_s     | f64 | s     | the same at most | the layer does not record times
select log,
       layer,
       op,
       size_lo_bytes,
       sum(calls)       as calls,
       count(*)         as files,
       sum(time_low_s)  as time_low_s,
       sum(time_high_s) as time_high_s
from file_request_size
group by log, layer, op, size_lo_bytes
