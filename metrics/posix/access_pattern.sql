-- Sequential, consecutive and random requests of each file.
--
-- Darshan counts a request as sequential when it starts after the end of the
-- one before of the same rank, as consecutive when right there. The first
-- request of each rank is neither, so random is a range: its low end takes
-- one request per rank off.
--
-- rows: one row per log, file and direction with at least one request
-- needs: record_pattern
-- log               | i32 | log     | number of the log in this analysis
-- file_id           | u64 | file_id | joins with `file`
-- op                | str | name    | read or write
-- calls             | i64 | calls   | requests
-- sequential_calls  | i64 | calls   | requests that start anywhere after the one before, consecutive ones included
-- consecutive_calls | i64 | calls   | requests that start right at the end of the one before
-- random_low_calls  | i64 | calls   | requests that start before the end of the one before, at least
-- random_high_calls | i64 | calls   | the same, at most
-- sequential_ratio  | f64 | 1       | sequential_calls over calls
-- consecutive_ratio | f64 | 1       | consecutive_calls over calls
-- random_low_ratio  | f64 | 1       | random_low_calls over calls
-- time_s            | f64 | s       | time in the requests, summed over ranks | not recorded
-- bytes             | i64 | bytes   | bytes moved | not recorded
select r.log,
       r.file_id,
       r.op,
       r.calls,
       r.seq                                     as sequential_calls,
       r.consec                                  as consecutive_calls,
       greatest(r.calls - r.seq - r.starts, 0)   as random_low_calls,
       greatest(r.calls - r.seq, 0)              as random_high_calls,
       ratio(r.seq, r.calls)                     as sequential_ratio,
       ratio(r.consec, r.calls)                  as consecutive_ratio,
       ratio(greatest(r.calls - r.seq - r.starts, 0), r.calls) as random_low_ratio,
       r.time_s,
       r.bytes
from (
  select log,
         file_id,
         op,
         sum(calls)             as calls,
         sum(sequential_calls)  as seq,
         sum(consecutive_calls) as consec,
         sum(starts)            as starts,
         sum(time_s)            as time_s,
         sum(bytes)             as bytes
  from record_pattern
  group by log, file_id, op
) as r
where r.seq is not null
  and r.consec is not null
