-- Calls, bytes, time and bandwidth of each layer and kind of call.
--
-- rows: one row per log, layer and kind of call that was made
-- needs: file_op, job
-- log                    | i32 | log   | number of the log in this analysis
-- layer                  | str | name  | as in `file_use`
-- op                     | str | name  | read, write or metadata
-- calls                  | i64 | calls | calls
-- bytes                  | i64 | bytes | bytes moved | metadata moves none
-- mean_bytes             | f64 | bytes | bytes per call | no call moved bytes that are counted
-- time_s                 | f64 | s     | time in the calls, summed over ranks | not recorded
-- process_s              | f64 | s     | mean time per process of the job | not recorded
-- process_ratio          | f64 | 1     | process_s over the run time of the job | not recorded
-- bandwidth_bytes_per_s  | f64 | bytes/s | bytes over time_s: what one process sees | no time or no bytes
select o.log,
       o.layer,
       o.op,
       o.calls,
       o.bytes,
       ratio(o.bytes, o.calls)                             as mean_bytes,
       o.time_s,
       ratio(o.time_s, job.nprocs)                         as process_s,
       ratio(ratio(o.time_s, job.nprocs), job.run_time_s)  as process_ratio,
       ratio(o.bytes, o.time_s)                            as bandwidth_bytes_per_s
from (
  select log,
         layer,
         op,
         sum(calls)  as calls,
         sum(bytes)  as bytes,
         sum(time_s) as time_s
  from file_op
  group by log, layer, op
) as o
join job
  on job.log = o.log
